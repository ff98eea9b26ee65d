// SPDX-License-Identifier: MIT
//
// The CPU device computes the product, and runs no rung.
#include <gtest/gtest.h>

#include "device/cpu_device.h"
#include "device/gpu_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(DeviceCpu, MultipliesExactIntegersExactly) {
  CpuDevice device;
  for (const Shape shape : {Shape{1, 1, 1}, {17, 19, 23}, {1, 40, 64}, {64, 1, 3}, {130, 7, 257}}) {
    const Operands operands = make_inputs(find_family("coded"), shape, 3);
    const Product product = multiply(device, openblas_kernel(), operands.A, operands.B);
    ASSERT_EQ(product.C.size(), static_cast<std::size_t>(shape.M * shape.N));
    for (std::int64_t row = 0; row < shape.M; ++row)
      for (std::int64_t column = 0; column < shape.N; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < shape.K; ++k)
          sum += double{operands.A.at(row, k)} * operands.B.at(k, column);
        ASSERT_EQ(product.C[static_cast<std::size_t>(row * shape.N + column)], sum) << to_string(shape);
      }
    EXPECT_TRUE(product.findings.empty());
    EXPECT_FALSE(product.counts.has_value());
  }
}

TEST(DeviceCpu, PassesTheJudgeOnRealNumbers) {
  CpuDevice device;
  const Operands operands = make_inputs(find_family("uniform"), {65, 33, 129}, 1);
  const Outcome outcome = run_and_judge(device, openblas_kernel(), operands.A, operands.B,
                                        make_reference(operands.A, operands.B, false));
  EXPECT_EQ(outcome.verdict.text(), "PASS");
  EXPECT_FALSE(outcome.judgement->bitwise);
  EXPECT_FALSE(outcome.predicted.has_value());
}

TEST(DeviceCpu, RunsNoCudaKernel) {
  const CpuDevice device;
  Rung rung = openblas_kernel();
  rung.name = "direct";
  rung.kernel = [](const float*, const float*, float*, int, int, int) {};
  expect_error(
      [&] {
        device.require_launchable(rung, {4, 4, 4});
      },
      Code::unsupported, {"kernel 'direct'", "is a CUDA kernel", "gpu or emulator"});
  EXPECT_NO_THROW(device.require_launchable(openblas_kernel(), {4096, 4096, 4096}));
  expect_error(
      [&] {
        device.require_launchable(openblas_kernel(), {4096, 1LL << 31, 1});
      },
      Code::unsupported, {"openblas", "4096x2147483648x1"});
}

// run_and_judge is where a wrong device and kernel meet; it must not run the BLAS and call it a rung.
TEST(DeviceCpu, DoesNotComputeInPlaceOfARung) {
  CpuDevice device;
  Rung rung = openblas_kernel();
  rung.name = "direct";
  rung.kernel = [](const float*, const float*, float*, int, int, int) {};
  const Operands operands = make_inputs(find_family("ones"), {4, 4, 4}, 1);
  const Outcome outcome =
      run_and_judge(device, rung, operands.A, operands.B, make_reference(operands.A, operands.B, false));
  EXPECT_EQ(outcome.verdict.kind, Verdict::Kind::unsupported) << outcome.verdict.text();
}

TEST(DeviceCpu, SaysWhatItIs) {
  const CpuDevice device;
  EXPECT_EQ(device.name(), "cpu");
  std::string library;
  for (const auto& [key, value] : device.environment())
    if (key == "library") library = value;
  EXPECT_NE(library.find("OpenBLAS"), std::string::npos) << library;
}

TEST(DeviceGpu, IsThereOrSaysWhyNot) {
  if (gpu_unavailable().empty()) {
    EXPECT_EQ(make_gpu_device({})->name(), "gpu");
    return;
  }
  expect_error([] { make_gpu_device({}); }, Code::unavailable, {"gpu", gpu_unavailable()});
}

}  // namespace
}  // namespace tilewright
