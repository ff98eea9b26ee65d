// SPDX-License-Identifier: MIT
//
// A rung of two kernels, by the honest one and its mutants of this folder: one launch is both, in order; what the first one
// left in scratch in an earlier launch is not there in this one; and what follows a wrong first kernel is not run.
#include <gtest/gtest.h>

#include "core/error.h"
#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"

namespace tilewright {
namespace {

constexpr Shape shape{17, 19, 23};

class FirstKernel : public testing::Test {
 protected:
  FirstKernel() { catalog_.load_folder(TILEWRIGHT_LIB_DIR "/mutants"); }
  const Rung& rung(const char* name) const { return catalog_.find(name); }

  Catalog catalog_;
  Operands in_ = make_inputs(find_family("uniform"), shape, 1);
};

Counts emulated(const Catalog& catalog, const Rung& rung, const Operands& in) {
  EmulatorDevice device(catalog);
  const Product product = multiply(device, rung, in.A, in.B);
  return *product.counts;
}

TEST_F(FirstKernel, CountsWithTheOtherOne) {
  const Rung& both = rung("honest_first_kernel");
  Rung own = both;
  own.first = {};
  const Counts of_both = emulated(catalog_, both, in_), of_own = emulated(catalog_, own, in_);
  EXPECT_EQ(of_both.global_reads.elements - of_own.global_reads.elements, shape.M * shape.K);
  EXPECT_EQ(of_both.global_writes.elements - of_own.global_writes.elements, 32 * shape.K);
  EXPECT_EQ(of_own.shared_reads.elements, 0);
  EXPECT_EQ(of_both.shared_reads.elements, 32 * shape.K);
}

TEST_F(FirstKernel, WithoutABlockIsNotLaunched) {
  Rung never = rung("honest_first_kernel");
  never.first.grid = [](const Problem&) -> Grid { return {0, 1}; };
  EmulatorDevice device(catalog_);
  const Product product = multiply(device, never, in_.A, in_.B);
  ASSERT_GT(product.findings_total, 0);
  EXPECT_EQ(product.findings.front().kind, FindingKind::uninitialized_scratch_read);
  EXPECT_EQ(product.counts->shared_writes.elements, 0);
}

TEST_F(FirstKernel, OfAnEarlierLaunchWroteNothingForThisOne) {
  EmulatorDevice device(catalog_);
  const std::unique_ptr<Placement> placement = device.place(in_.A, in_.B);
  std::vector<float> first;
  for (int launch = 0; launch < 3; ++launch) {
    placement->launch(rung("honest_first_kernel"));
    const Product product = placement->collect();
    EXPECT_EQ(product.findings_total, 0) << launch;
    if (launch == 0) first = product.C;
    EXPECT_EQ(product.C, first) << launch;
  }
  placement->launch(rung("first_kernel_skips_padding"));  // the padding is still in the memory
  ASSERT_GT(placement->collect().findings_total, 0);
  EXPECT_EQ(placement->collect().findings.front().kind, FindingKind::uninitialized_scratch_read);
}

TEST_F(FirstKernel, ThatIsWrongIsTheLast) {
  EmulatorDevice device(catalog_);
  const Product product = multiply(device, rung("first_kernel_without_barrier"), in_.A, in_.B);
  ASSERT_GT(product.findings_total, 0);
  for (const Finding& finding : product.findings) EXPECT_EQ(finding.buffer, "tile") << finding.message;
  EXPECT_EQ(product.counts->global_reads.elements, shape.M * shape.K);  // B was not read
}

TEST_F(FirstKernel, CannotBeStoodForByAFewBlocks) {
  EmulatorSettings settings;
  settings.sample_blocks = true;
  EmulatorDevice device(catalog_, settings);
  EXPECT_THROW(multiply(device, rung("honest_first_kernel"), in_.A, in_.B), Error);
}

}  // namespace
}  // namespace tilewright
