// SPDX-License-Identifier: MIT
#include "bench/cublas.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <dlfcn.h>

#include <source_location>

#include "core/error.h"
#include "device/cuda_check.h"

namespace tilewright {
namespace {

// The library of the toolkit this was built with, then any.
void* open_library(const std::string& name) {
  const std::string major = std::to_string(CUDART_VERSION / 1000);
  for (const std::string& file : {name + ".so." + major, name + ".so"})
    if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

void check_cublas(cublasStatus_t status, const std::string& doing,
                  const std::source_location& where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  // What it does not offer is its own affair; everything else leaves nothing to measure with.
  const bool refusal = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE ||
                       status == CUBLAS_STATUS_ARCH_MISMATCH;
  throw Error(refusal ? Code::unsupported : Code::fault, "cuBLAS", std::to_string(status),
              doing + ": status " + std::to_string(status) + " (" + where.file_name() + ":" +
                  std::to_string(where.line()) + ")");
}

// Every function that is called, by the type in the toolkit's header.
struct Functions {
  void* cublas = nullptr;
  void* cublaslt = nullptr;
  std::string missing;

#define TILEWRIGHT_FUNCTION(name) decltype(&::name) name = nullptr
  TILEWRIGHT_FUNCTION(cublasCreate_v2);
  TILEWRIGHT_FUNCTION(cublasDestroy_v2);
  TILEWRIGHT_FUNCTION(cublasGetVersion_v2);
  TILEWRIGHT_FUNCTION(cublasSetStream_v2);
  TILEWRIGHT_FUNCTION(cublasSetWorkspace_v2);
  TILEWRIGHT_FUNCTION(cublasSetMathMode);
  TILEWRIGHT_FUNCTION(cublasSgemm_v2);
  TILEWRIGHT_FUNCTION(cublasLtCreate);
  TILEWRIGHT_FUNCTION(cublasLtDestroy);
  TILEWRIGHT_FUNCTION(cublasLtMatmul);
  TILEWRIGHT_FUNCTION(cublasLtMatmulDescCreate);
  TILEWRIGHT_FUNCTION(cublasLtMatmulDescDestroy);
  TILEWRIGHT_FUNCTION(cublasLtMatrixLayoutCreate);
  TILEWRIGHT_FUNCTION(cublasLtMatrixLayoutDestroy);
  TILEWRIGHT_FUNCTION(cublasLtMatmulPreferenceCreate);
  TILEWRIGHT_FUNCTION(cublasLtMatmulPreferenceDestroy);
  TILEWRIGHT_FUNCTION(cublasLtMatmulPreferenceSetAttribute);
  TILEWRIGHT_FUNCTION(cublasLtMatmulAlgoGetHeuristic);
  TILEWRIGHT_FUNCTION(cublasLtMatmulAlgoConfigGetAttribute);
#undef TILEWRIGHT_FUNCTION

  template <class Function>
  void find(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function && missing.empty()) missing = name;
  }

  Functions() : cublas(open_library("libcublas")), cublaslt(open_library("libcublasLt")) {
    if (!cublas || !cublaslt) {
      missing = cublas ? "libcublasLt" : "libcublas";
      return;
    }
#define TILEWRIGHT_FIND(library, name) find(library, name, #name)
    TILEWRIGHT_FIND(cublas, cublasCreate_v2);
    TILEWRIGHT_FIND(cublas, cublasDestroy_v2);
    TILEWRIGHT_FIND(cublas, cublasGetVersion_v2);
    TILEWRIGHT_FIND(cublas, cublasSetStream_v2);
    TILEWRIGHT_FIND(cublas, cublasSetWorkspace_v2);
    TILEWRIGHT_FIND(cublas, cublasSetMathMode);
    TILEWRIGHT_FIND(cublas, cublasSgemm_v2);
    TILEWRIGHT_FIND(cublaslt, cublasLtCreate);
    TILEWRIGHT_FIND(cublaslt, cublasLtDestroy);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmul);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulDescCreate);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulDescDestroy);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatrixLayoutCreate);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatrixLayoutDestroy);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulPreferenceCreate);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulPreferenceDestroy);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulPreferenceSetAttribute);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulAlgoGetHeuristic);
    TILEWRIGHT_FIND(cublaslt, cublasLtMatmulAlgoConfigGetAttribute);
#undef TILEWRIGHT_FIND
  }
};

}  // namespace

// Libraries stay loaded to the program's end: they have threads and exit handlers of their own.
struct Cublas::State {
  Functions f;
  cudaStream_t stream = nullptr;
  cublasHandle_t handle = nullptr;
  cublasLtHandle_t lt = nullptr;
  void* workspace = nullptr;
  std::string unavailable;

  explicit State(cudaStream_t own_stream) : stream(own_stream) {
    if (!f.missing.empty()) {
      unavailable = f.missing + (f.cublas && f.cublaslt ? " is not in this cuBLAS" : " cannot be loaded");
      return;
    }
    if (const cublasStatus_t status = f.cublasCreate_v2(&handle); status != CUBLAS_STATUS_SUCCESS) {
      unavailable = "cublasCreate ended with status " + std::to_string(status);
      return;
    }
    check_cuda(cudaMalloc(&workspace, cublas_workspace_bytes), "allocating the workspace of cuBLAS");
    check_cublas(f.cublasSetStream_v2(handle, stream), "setting the stream");
    check_cublas(f.cublasSetWorkspace_v2(handle, workspace, cublas_workspace_bytes), "setting the workspace");
    check_cublas(f.cublasLtCreate(&lt), "creating a handle of cuBLASLt");
  }
  ~State() {
    if (lt) f.cublasLtDestroy(lt);
    if (handle) f.cublasDestroy_v2(handle);
    cudaFree(workspace);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

namespace {

class Sgemm : public Contender {
 public:
  Sgemm(std::string name, Cublas::State& state, Shape shape, cublasMath_t mode)
      : Contender(std::move(name)), state_(state), shape_(shape), mode_(mode) {}

  Json description() const override {
    return {{"call", "cublasSgemm"},
            {"math_mode", mode_ == CUBLAS_DEFAULT_MATH ? "CUBLAS_DEFAULT_MATH" : "CUBLAS_PEDANTIC_MATH"},
            {"workspace_bytes", cublas_workspace_bytes}};
  }
  void launch(const Buffers& buffers) override {
    const float one = 1.0F, zero = 0.0F;
    const int m = static_cast<int>(shape_.M), n = static_cast<int>(shape_.N), k = static_cast<int>(shape_.K);
    check_cublas(state_.f.cublasSetMathMode(state_.handle, mode_), "setting the math mode");
    check_cublas(state_.f.cublasSgemm_v2(state_.handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, buffers.B, n,
                                         buffers.A, k, &zero, buffers.C, n),
                 "calling cublasSgemm");
  }

 private:
  Cublas::State& state_;
  Shape shape_;
  cublasMath_t mode_;
};

// The descriptions that the algorithms of one compute type share.
struct LtProblem {
  Cublas::State& state;
  cublasComputeType_t compute;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;

  LtProblem(Cublas::State& own, Shape shape, cublasComputeType_t type) : state(own), compute(type) {
    const auto m = static_cast<std::uint64_t>(shape.M), n = static_cast<std::uint64_t>(shape.N),
               k = static_cast<std::uint64_t>(shape.K);
    check_cublas(state.f.cublasLtMatmulDescCreate(&operation, compute, CUDA_R_32F), "describing the product");
    const auto layout = [&](cublasLtMatrixLayout_t& made, std::uint64_t rows, std::uint64_t columns) {
      check_cublas(state.f.cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, rows, columns,
                                                      static_cast<std::int64_t>(rows)),
                   "describing a matrix");
    };
    layout(first, n, k);
    layout(second, k, m);
    layout(result, n, m);
  }
  ~LtProblem() {
    for (cublasLtMatrixLayout_t made : {first, second, result})
      if (made) state.f.cublasLtMatrixLayoutDestroy(made);
    if (operation) state.f.cublasLtMatmulDescDestroy(operation);
  }
  LtProblem(const LtProblem&) = delete;
  LtProblem& operator=(const LtProblem&) = delete;

  std::vector<cublasLtMatmulHeuristicResult_t> heuristics() const {
    cublasLtMatmulPreference_t preference = nullptr;
    check_cublas(state.f.cublasLtMatmulPreferenceCreate(&preference), "creating a preference");
    std::vector<cublasLtMatmulHeuristicResult_t> results(cublaslt_algorithms_asked);
    int found = 0;
    cublasStatus_t status =
        state.f.cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                     &cublas_workspace_bytes, sizeof cublas_workspace_bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = state.f.cublasLtMatmulAlgoGetHeuristic(state.lt, operation, first, second, result, result,
                                                      preference, cublaslt_algorithms_asked, results.data(),
                                                      &found);
    state.f.cublasLtMatmulPreferenceDestroy(preference);
    results.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(found) : 0);
    return results;
  }
};

class LtAlgorithm : public Contender {
 public:
  LtAlgorithm(std::shared_ptr<LtProblem> problem, const cublasLtMatmulHeuristicResult_t& found, int place)
      : Contender("cublaslt"), problem_(std::move(problem)), found_(found), place_(place) {}

  Json description() const override {
    Json json{{"call", "cublasLtMatmul"},
              {"compute_type", problem_->compute == CUBLAS_COMPUTE_32F ? "CUBLAS_COMPUTE_32F"
                                                                       : "CUBLAS_COMPUTE_32F_PEDANTIC"},
              {"place_in_heuristic_list", place_},
              {"workspace_bytes", found_.workspaceSize}};
    for (const auto& [name, attribute] : {std::pair{"algorithm", CUBLASLT_ALGO_CONFIG_ID},
                                          {"tile", CUBLASLT_ALGO_CONFIG_TILE_ID},
                                          {"split_k", CUBLASLT_ALGO_CONFIG_SPLITK_NUM},
                                          {"stages", CUBLASLT_ALGO_CONFIG_STAGES_ID}}) {
      std::int32_t value = 0;
      std::size_t written = 0;
      if (problem_->state.f.cublasLtMatmulAlgoConfigGetAttribute(
              &found_.algo, attribute, &value, sizeof value, &written) == CUBLAS_STATUS_SUCCESS)
        json[name] = value;
    }
    return json;
  }
  void launch(const Buffers& buffers) override {
    const float one = 1.0F, zero = 0.0F;
    Cublas::State& state = problem_->state;
    check_cublas(state.f.cublasLtMatmul(state.lt, problem_->operation, &one, buffers.B, problem_->first,
                                        buffers.A, problem_->second, &zero, buffers.C, problem_->result,
                                        buffers.C, problem_->result, &found_.algo, state.workspace,
                                        cublas_workspace_bytes, state.stream),
                 "calling cublasLtMatmul");
  }

 private:
  std::shared_ptr<LtProblem> problem_;
  cublasLtMatmulHeuristicResult_t found_;
  int place_;
};

Rival lt_rival(Cublas::State& state, Shape shape) {
  Rival rival{"cublaslt", {}, {}};
  for (const cublasComputeType_t type : {CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_PEDANTIC}) {
    const auto problem = std::make_shared<LtProblem>(state, shape, type);
    int place = 0;
    for (const cublasLtMatmulHeuristicResult_t& found : problem->heuristics())
      if (found.state == CUBLAS_STATUS_SUCCESS)
        rival.candidates.push_back(std::make_unique<LtAlgorithm>(problem, found, place++));
  }
  if (rival.candidates.empty()) rival.unavailable = "its heuristic list is empty at this shape";
  return rival;
}

}  // namespace

Cublas::Cublas(cudaStream_t stream) : state_(std::make_unique<State>(stream)) {}
Cublas::~Cublas() = default;

std::string Cublas::version() const {
  if (!state_->unavailable.empty()) return "UNAVAILABLE(" + state_->unavailable + ")";
  int version = 0;
  check_cublas(state_->f.cublasGetVersion_v2(state_->handle, &version), "asking for the version");
  // 13.1.2 is 130102; up to 12 the minor number had two digits as well.
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::vector<Rival> Cublas::rivals(Shape shape) {
  std::vector<Rival> rivals;
  if (!state_->unavailable.empty()) {
    for (const char* name : {"cublas_default", "cublas_pedantic", "cublaslt"})
      rivals.push_back({name, {}, state_->unavailable});
    return rivals;
  }
  for (const auto& [name, mode] :
       {std::pair{"cublas_default", CUBLAS_DEFAULT_MATH}, {"cublas_pedantic", CUBLAS_PEDANTIC_MATH}}) {
    Rival& rival = rivals.emplace_back(Rival{name, {}, {}});
    rival.candidates.push_back(std::make_unique<Sgemm>(name, *state_, shape, mode));
  }
  rivals.push_back(lt_rival(*state_, shape));
  return rivals;
}

}  // namespace tilewright
