// SPDX-License-Identifier: MIT
//
// What the Python package calls: the model, the simulators and the emulator, as they are. Arguments come checked, by
// python/tilewright/_arguments.py, so that what is refused is refused in Python's words; whatever else C++ refuses
// becomes ValueError (a bad argument) or RuntimeError (not offered or not available here, or the kernel's own fault).
#include <dlfcn.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>

#include "cli/trace.h"
#include "core/error.h"
#include "model/bound.h"
#include "model/mma.h"
#include "model/roofline.h"
#include "model/simulate.h"
#include "model/traffic.h"

namespace py = pybind11;
using namespace py::literals;

namespace tilewright {
namespace {

using Array = py::array_t<float, py::array::c_style>;

std::span<const float> values_of(const Array& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

// What C++ calls an argument, as a caller from Python knows it. Options of the command line, whose code this shares, come
// alone or as a list; anything else, such as a path, stays.
std::string python_name(std::string text) {
  static constexpr std::pair<std::string_view, std::string_view> options[] = {
      {"--dynamic-shared", "dynamic_shared_bytes"}, {"--kernel", "function"}, {"--", ""}};
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"MxNxK", "M, N, K"},
      {"bandwidth and compute", "bandwidth_gb_per_s, compute_tflop_per_s"},
      {"host compiler", "compiler"},
      {"input family", "inputs"},
      {"kernel file", "kernel"}};
  if (text.rfind("--", 0) == 0)
    for (const auto& [option, name] : options)
      for (std::size_t at = 0; (at = text.find(option, at)) != std::string::npos; at += name.size())
        text.replace(at, option.size(), name);
  for (const auto& [cpp, python] : names)
    if (text == cpp) return std::string(python);
  return text;
}

void raise(const Error& error) {
  const Error named(error.code, python_name(error.argument), error.value, error.rule);
  const py::object type = py::reinterpret_borrow<py::object>(
      error.code == Code::bad_input ? PyExc_ValueError : PyExc_RuntimeError);
  const py::object exception = type(named.what());
  if (!error.details.empty()) exception.attr("add_note")(error.details);
  PyErr_SetObject(type.ptr(), exception.ptr());
}

py::tuple multiplied(const Array& A, const Array& B, std::int64_t b, std::int64_t t) {
  const ProductSize product{A.shape(0), B.shape(1), A.shape(1)};
  TiledProduct result;
  {
    const py::gil_scoped_release others_run;
    result = t == 0 ? tiled_matmul(values_of(A), values_of(B), product, b)
                    : two_level_matmul(values_of(A), values_of(B), product, b, t);
  }
  Array C({product.M, product.N});
  std::copy(result.C.begin(), result.C.end(), C.mutable_data());
  return py::make_tuple(
      C, py::dict("global_reads"_a = result.global_reads, "shared_reads"_a = result.shared_reads));
}

// This library's own path: its folder is the package.
std::string own_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_path), &info) == 0) throw std::runtime_error("dladdr failed");
  return std::filesystem::absolute(info.dli_fname).string();
}

// The JSON text of `tilewright trace --json`.
std::string trace_json(const TraceRequest& request) {
  const std::string self = own_path();
  const Installation installation{
      .root = std::filesystem::path(self).parent_path().string(), .rung_folder = "rungs", .callbacks = self};
  const py::gil_scoped_release others_run;
  const Trace trace = run_trace(installation, request);
  return to_json(trace).dump();
}

void bind_models(py::module_& module) {
  module.def("matmul_traffic", [](std::int64_t M, std::int64_t N, std::int64_t K, std::int64_t b) {
    const Traffic traffic = matmul_traffic({M, N, K}, {b, b});
    return py::dict("naive"_a = traffic.naive, "tiled"_a = traffic.tiled, "minimum"_a = traffic.minimum);
  });
  module.def("mma_count", [](std::int64_t M, std::int64_t N, std::int64_t K, std::int64_t m, std::int64_t n,
                             std::int64_t k) {
    const MmaCount count = mma_count({M, N, K}, {m, n, k});
    return py::dict("instructions"_a = count.instructions, "utilization"_a = count.utilization);
  });
  module.def("roofline", [](std::int64_t M, std::int64_t N, std::int64_t K, std::int64_t T, double bandwidth,
                            double compute, std::int64_t element_bytes) {
    const Roofline result = roofline({M, N, K}, T, {bandwidth, compute}, element_bytes);
    return py::dict("flop"_a = result.flop, "intensity"_a = result.intensity, "ridge"_a = result.ridge,
                    "traffic_bytes"_a = result.traffic_bytes, "shared_bytes"_a = result.shared_bytes,
                    "memory_ms"_a = result.memory_ms, "compute_ms"_a = result.compute_ms,
                    "bound_ms"_a = result.bound_ms,
                    "attainable_tflop_per_s"_a = result.attainable_tflop_per_s);
  });
  module.def("lower_bound", [](std::int64_t M, std::int64_t N, std::int64_t K, std::int64_t S) {
    const Bound bound = traffic_bound({M, N, K}, S);
    return py::dict("lower_bound"_a = bound.lower_bound, "tiling"_a = bound.tiling,
                    "minimum"_a = bound.minimum, "at_least"_a = bound.at_least,
                    "tile_side"_a = bound.tile_side, "tiled"_a = bound.tiled);
  });
}

void bind_trace(py::module_& module) {
  module.def(
      "trace_json",
      [](const std::string& kernel, const std::string& shape, const std::string& function,
         const std::string& block, const std::string& tile, const std::string& compiler,
         std::int64_t dynamic_shared_bytes, const std::string& signature, const std::string& order,
         std::int64_t max_accesses, const std::string& inputs, std::uint64_t seed, bool sample_blocks) {
        TraceRequest request;
        request.kernel.names = {kernel};
        request.kernel.kernel = function;
        request.kernel.block = block;
        request.kernel.tile = tile;
        request.kernel.compiler = compiler;
        request.kernel.dynamic_shared_bytes = dynamic_shared_bytes;
        request.kernel.signature = signature;
        request.emulator.order = order;
        request.emulator.max_accesses = max_accesses;
        request.shape = shape;
        request.inputs = inputs;
        request.seed = seed;
        request.sample_blocks = sample_blocks;
        return trace_json(request);
      });
}

}  // namespace
}  // namespace tilewright

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator([](std::exception_ptr failure) {  // NOLINT: pybind11 wants it by value
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const tilewright::Error& error) {
      tilewright::raise(error);
    }
  });
  module.attr("version") = TILEWRIGHT_VERSION;
  tilewright::bind_models(module);
  module.def("tiled_matmul", [](const tilewright::Array& A, const tilewright::Array& B, std::int64_t b) {
    return tilewright::multiplied(A, B, b, 0);
  });
  module.def("two_level_matmul", &tilewright::multiplied);
  tilewright::bind_trace(module);
}
