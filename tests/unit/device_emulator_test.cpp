// SPDX-License-Identifier: MIT
//
// The emulator as a device: what it says of a kernel depends on the kernel, the operands, seed and orders,
// and never on how many cores ran it.
#include "device/emulator_device.h"
#include "judge/record.h"
#include "tests/unit/emulated_source.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

// Everything that a product says.
Json json_of(const Product& product) {
  Json json{{"total", product.findings_total}, {"counts", to_json(*product.counts)}};
  for (const Finding& finding : product.findings) json["findings"].push_back(to_json(finding));
  for (const LineCount& line : product.lines) json["lines"].push_back(to_json(line));
  for (const float value : product.C) json["C"].push_back(std::bit_cast<std::uint32_t>(value));
  return json;
}

// Empty where they say the same, else the first place where they do not.
std::string difference(const Product& one, const Product& other) {
  const Json patch = Json::diff(json_of(one), json_of(other));
  return patch.empty() ? "" : patch[0].dump();
}

// A shared tile without barriers: it races, reads what is not written, and leaves column 0 of C unwritten.
const std::string kBroken =
    "template <int T>\n__global__ void tiled" + kSignature +
    " {\n"
    "  __shared__ float a[T][T], b[T][T];\n"
    "  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;\n"
    "  float sum = 0;\n"
    "  for (int k0 = 0; k0 < K; k0 += T) {\n"
    "    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.f;\n"
    "    b[y][x] = k0 + y < K && column < N ? B[(k0 + y) * N + column] : 0.f;\n"
    "    for (int k = 0; k < T; ++k) sum += a[y][k] * b[k][x];\n"
    "  }\n"
    "  if (row < M && column < N && column > 0) C[row * N + column] = sum;\n"
    "}\n";

class DeviceEmulator : public EmulatedSource {
 protected:
  Product product_of(const Rung& rung, Shape shape, EmulatorSettings settings) {
    EmulatorDevice device(catalog_, settings);
    const Operands operands = make_inputs(find_family("uniform"), shape, 1);
    return multiply(device, rung, operands.A, operands.B);
  }
};

TEST_F(DeviceEmulator, OneAndTwoWorkersSayTheSame) {
  catalog_.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  for (const char* name : {"direct_rows", "direct_8", "shared_tile_8"})
    for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
      const Rung rung = catalog_.find(name);
      EmulatorSettings one{.thread_order = order, .block_order = order, .workers = 1}, two = one;
      two.workers = 2;
      const Product by_one = product_of(rung, {33, 35, 17}, one);
      EXPECT_EQ(difference(by_one, product_of(rung, {33, 35, 17}, two)), "") << name;
      EXPECT_TRUE(by_one.findings.empty()) << name;
    }
}

// Large enough that both workers get blocks, and every block has more findings than are kept of a line.
TEST_F(DeviceEmulator, OneAndTwoWorkersFindTheSame) {
  const Rung rung = catalog_.add(
      compile(put(kBroken), {.name = "tiled<16>", .block = {16, 16}, .tile_x = 16, .tile_y = 16}));
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    const EmulatorSettings one{.thread_order = order, .block_order = order, .workers = 1};
    EmulatorSettings two = one;
    two.workers = 2;
    const Product by_one = product_of(rung, {128, 100, 40}, one);
    EXPECT_GT(by_one.findings.size(), 8U);
    EXPECT_EQ(difference(by_one, product_of(rung, {128, 100, 40}, two)), "")
        << "order " << static_cast<int>(order);
  }
}

TEST_F(DeviceEmulator, TheSameSeedShufflesTheSameWay) {
  const Rung rung = catalog_.add(compile(put(kBroken), {.name = "tiled<4>"}));
  const auto shuffled = [&](std::uint64_t seed) {
    return product_of(rung, {17, 19, 8}, {.thread_order = Order::shuffled, .seed = seed, .workers = 1});
  };
  EXPECT_EQ(difference(shuffled(1), shuffled(1)), "");
  EXPECT_NE(difference(shuffled(1), shuffled(2)), "");
}

TEST_F(DeviceEmulator, UnwrittenOutputsKeepTheSentinel) {
  const Rung rung = catalog_.add(compile(put("__global__ void k" + kSignature + " { C[0] = A[0]; }\n"),
                                         {.block = {1, 1}, .tile_x = 100, .tile_y = 100}));
  const Product product = product_of(rung, {3, 4, 2}, {});
  EXPECT_FALSE(std::isnan(product.C[0]));
  for (std::size_t i = 1; i < 12; ++i) EXPECT_TRUE(std::isnan(product.C[i])) << i;
  EXPECT_EQ(product.findings_total, 11);
  ASSERT_EQ(product.findings.size(), 8U);  // the cap; all are counted
  EXPECT_EQ(product.findings[0].kind, FindingKind::unwritten_output);
  EXPECT_EQ(product.findings[0].index, 1);
  EXPECT_EQ(product.findings[0].total, 11);
  EXPECT_NE(product.findings[0].message.find("C[1] (row 0, column 1)"), std::string::npos);
}

TEST_F(DeviceEmulator, InputsAreNotChangedByAKernelThatWritesThem) {
  const Rung rung = catalog_.add(compile(put(direct_kernel("const_cast<float*>(A)[row * K] = 7;"))));
  EmulatorDevice device(catalog_);
  const Operands operands = make_inputs(find_family("ones"), {4, 4, 4}, 1);
  const Product product = multiply(device, rung, operands.A, operands.B);
  EXPECT_EQ(operands.A.values, std::vector<float>(16, 1.0F));
  ASSERT_FALSE(product.findings.empty());
  EXPECT_EQ(product.findings.front().kind, FindingKind::input_modified);
  EXPECT_EQ(product.findings.front().line, 6);
  EXPECT_EQ(product.findings.front().buffer, "A");
}

TEST_F(DeviceEmulator, ARunawayIsStoppedByTheLimit) {
  const Rung rung =
      catalog_.add(compile(put(direct_kernel("for (volatile int i = 0; i >= 0; i = 0) sum += 1;"))));
  const Product product = product_of(rung, {4, 4, 4}, {.max_accesses = 10000});
  ASSERT_FALSE(product.findings.empty());
  EXPECT_EQ(product.findings.front().kind, FindingKind::access_limit);
  EXPECT_EQ(product.findings.front().line, 6);
  EXPECT_NE(product.findings.front().message.find("--max-accesses"), std::string::npos);
}

TEST_F(DeviceEmulator, RefusesWhatCudaRefuses) {
  const Rung rung = catalog_.add(compile(put(direct_kernel()), {.block = {64, 32}}));
  EmulatorDevice device(catalog_);
  expect_error([&] { device.require_launchable(rung, {4, 4, 4}); }, Code::unsupported, {"2048", "1024"});
  const Operands operands = make_inputs(find_family("ones"), {4, 4, 4}, 1);
  const Outcome outcome =
      run_and_judge(device, rung, operands.A, operands.B, make_reference(operands.A, operands.B, false));
  EXPECT_EQ(outcome.verdict.kind, Verdict::Kind::unsupported);
  EXPECT_NE(outcome.verdict.detail.find("threads per block: it asks for 2048, CUDA allows 1024"),
            std::string::npos)
      << outcome.verdict.text();
}

// A block has at most 48 KiB of static shared memory: nvcc refuses more, so the emulator must not pass it.
TEST_F(DeviceEmulator, RefusesMoreSharedMemoryThanABlockHas) {
  const std::string text = "__global__ void k" + kSignature +
                           " {\n  __shared__ float s[12289];\n"
                           "  s[threadIdx.x] = 1;\n  C[threadIdx.x] = s[threadIdx.x];\n}\n";
  const Outcome outcome = run(text, {1, 4, 1}, {.block = {4, 1}, .tile_x = 4, .tile_y = 1});
  EXPECT_EQ(outcome.verdict.kind, Verdict::Kind::unsupported) << summary(outcome);
}

}  // namespace
}  // namespace tilewright
