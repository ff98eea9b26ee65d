// SPDX-License-Identifier: MIT
//
// emulator/run/kernel_module.h: a module knows its lines and its shared variables by the user's names, and
// shares its memory with no other module.
#include <set>

#include "tests/unit/emulated_source.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class EmulatorModule : public EmulatedSource {};

// C[i] = i-th element of a shared array, which is first filled with `value` unless that is empty.
std::string shared_kernel(const std::string& value) {
  return "template <int T>\n"
         "__global__ void tiled" +
         kSignature +
         " {\n"
         "  __shared__ float tile[T][T];\n" +
         (value.empty() ? "" : "  tile[threadIdx.y][threadIdx.x] = " + value + ";\n  __syncthreads();\n") +
         "  C[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
         "}\n";
}

const KernelAs kTiled{.name = "tiled<4>"};

TEST_F(EmulatorModule, KnowsTheLineWhereAKernelBegins) {
  const std::string path = put("\n\n" + direct_kernel());
  const std::unique_ptr<KernelModule> module = compile(path);
  const auto kernel = reinterpret_cast<std::uintptr_t>(module->rungs().front().kernel);
  EXPECT_EQ(module->line_at(kernel).file, path);
  EXPECT_EQ(module->line_at(kernel).line, 3);
  EXPECT_TRUE(module->code().holds(kernel));
  EXPECT_EQ(module->line_at(0).file, "");
  EXPECT_EQ(module->line_at(0).line, 0);
}

TEST_F(EmulatorModule, KnowsItsSharedVariables) {
  const std::string text =
      "__global__ void k" + kSignature +
      " {\n"
      "  __shared__ float As[16][16];\n  __shared__ float4 Bs[8];\n  __shared__ int count;\n"
      "  As[threadIdx.y][threadIdx.x] = 1; Bs[0].x = 1; count = 1; C[0] = As[0][0] + Bs[0].x + count;\n}\n";
  const std::unique_ptr<KernelModule> module = compile(put(text));
  std::set<std::pair<std::string, std::uint64_t>> variables;
  for (const SharedVariable& variable : module->shared_variables()) {
    variables.emplace(variable.name, variable.bytes);
    EXPECT_EQ(module->shared_variable_at(variable.offset), &variable);
    EXPECT_EQ(module->shared_variable_at(variable.offset + variable.bytes - 1), &variable);
  }
  EXPECT_EQ(variables,
            (std::set<std::pair<std::string, std::uint64_t>>{{"As", 1024}, {"Bs", 128}, {"count", 4}}));
  EXPECT_GE(module->shared_memory().bytes, 1024U + 128 + 4);
  EXPECT_EQ(module->shared_variable_at(module->shared_memory().bytes), nullptr);
}

TEST_F(EmulatorModule, AKernelWithoutSharedMemoryHasNone) {
  const std::unique_ptr<KernelModule> module = compile(put(direct_kernel()));
  EXPECT_EQ(module->shared_memory().bytes, 0U);
  EXPECT_TRUE(module->shared_variables().empty());
}

TEST_F(EmulatorModule, EachOsThreadHasItsOwnSharedMemory) {
  const std::unique_ptr<KernelModule> module = compile(put(shared_kernel("1.0f")), kTiled);
  const AddressRange here = module->shared_memory();
  AddressRange there;
  std::thread([&] { there = module->shared_memory(); }).join();
  EXPECT_EQ(here.bytes, 64U);
  EXPECT_EQ(there.bytes, 64U);
  EXPECT_NE(here.base, there.base);
}

TEST_F(EmulatorModule, TwoModulesOfOneKernelNameAreTwoKernels) {
  EXPECT_EQ(run_file(put(shared_kernel("1.0f"), "one.cu"), {4, 4, 4}, kTiled).product.C,
            std::vector<float>(16, 1.0F));
  EXPECT_EQ(run_file(put(shared_kernel("2.0f"), "two.cu"), {4, 4, 4}, kTiled).product.C,
            std::vector<float>(16, 2.0F));
  ASSERT_EQ(catalog_.rungs().size(), 2U);
  const KernelModule& one = catalog_.module_of(catalog_.rungs()[0]);
  const KernelModule& two = catalog_.module_of(catalog_.rungs()[1]);
  EXPECT_NE(&one, &two);
  EXPECT_NE(one.shared_memory().base, two.shared_memory().base);
}

// What the first kernel left in shared memory must not look written to the second.
TEST_F(EmulatorModule, SharedMemoryIsNotHandedFromModuleToModule) {
  EXPECT_TRUE(run_file(put(shared_kernel("1.0f"), "writer.cu"), {4, 4, 4}, kTiled).product.findings.empty());
  const Outcome outcome = run_file(put(shared_kernel(""), "reader.cu"), {4, 4, 4}, kTiled);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(uninitialized_shared_read)");
  EXPECT_EQ(outcome.judgement->non_finite, 16);
}

TEST_F(EmulatorModule, NorFromLaunchToLaunchOrBlockToBlock) {
  // Only block 0 of the four writes its tile; the others must not find it there.
  const std::string text = "template <int T>\n__global__ void tiled" + kSignature +
                           " {\n"
                           "  __shared__ float tile[T];\n"
                           "  if (blockIdx.x == 0) tile[threadIdx.x] = 1;\n"
                           "  C[blockIdx.x * T + threadIdx.x] = tile[threadIdx.x];\n"
                           "}\n";
  const KernelAs row{.name = "tiled<4>", .block = {4, 1}, .tile_x = 4, .tile_y = 1};
  const Rung rung = catalog_.add(compile(put(text), row));
  const Operands operands = make_inputs(find_family("ones"), {1, 16, 1}, 1);
  for (const int workers : {1, 2}) {
    EmulatorDevice device(catalog_, {.workers = workers});
    for (int launch = 0; launch < 2; ++launch) {
      const Product product = multiply(device, rung, operands.A, operands.B);
      EXPECT_EQ(product.findings_total, 12) << workers << " workers, launch " << launch;
      EXPECT_FALSE(product.findings.empty());
      EXPECT_TRUE(std::isnan(product.C[4]));
    }
  }
}

TEST_F(EmulatorModule, FindingsNameTheUsersVariableAndLine) {
  const std::string path = put(shared_kernel(""));
  const Outcome outcome = run_file(path, {4, 4, 4}, kTiled);
  ASSERT_FALSE(outcome.product.findings.empty());
  const Finding& finding = outcome.product.findings.front();
  EXPECT_EQ(finding.kind, FindingKind::uninitialized_shared_read);
  EXPECT_EQ(finding.buffer, "tile");
  EXPECT_EQ(finding.index, 0);
  EXPECT_EQ(finding.file, path);
  EXPECT_EQ(finding.line, 4);
  EXPECT_EQ(finding.kernel, "tiled<4>");
  EXPECT_EQ(finding.total, 16);
  EXPECT_EQ(finding.thread, (Index3{0, 0, 0}));
  EXPECT_NE(finding.message.find("reads tile[0]"), std::string::npos) << finding.message;
}

TEST_F(EmulatorModule, AFileThatIsNoModuleIsRefused) {
  expect_error([&] { KernelModule(folder_.file("none.so")); }, Code::bad_input, {"kernel module", "none.so"});
  const std::string text = put("no ELF", "text.so");
  expect_error([&] { KernelModule{text}; }, Code::bad_input, {"kernel module", text});
}

}  // namespace
}  // namespace tilewright
