// SPDX-License-Identifier: MIT
//
// Launched again, a kernel must give the same bits; within the tolerance is not enough.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/cpu_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"
#include "judge/record.h"

namespace tilewright {
namespace {

// The CPU's product, of which the last element is one rounding off in every `odd`-th launch.
class UnsteadyDevice : public CpuDevice {
 public:
  explicit UnsteadyDevice(int odd) : odd_(odd) {}

  std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) override {
    return std::make_unique<Unsteady>(CpuDevice::place(A, B), odd_);
  }

 private:
  class Unsteady : public Placement {
   public:
    Unsteady(std::unique_ptr<Placement> steady, int odd) : steady_(std::move(steady)), odd_(odd) {}
    void launch(const Rung& rung) override {
      steady_->launch(rung);
      ++launches_;
    }
    void synchronise() override { steady_->synchronise(); }
    Product collect() override {
      Product product = steady_->collect();
      if (odd_ > 0 && launches_ % odd_ == 0)
        product.C.back() = std::nextafter(product.C.back(), std::numeric_limits<float>::infinity());
      return product;
    }

   private:
    std::unique_ptr<Placement> steady_;
    int odd_, launches_ = 0;
  };

  int odd_;
};

Outcome run(int odd, int launches) {
  UnsteadyDevice device(odd);
  const Operands in = make_inputs(find_family("uniform"), {17, 19, 23}, 1);
  return run_and_judge(device, openblas_kernel(), in.A, in.B, make_reference(in.A, in.B, false), launches);
}

TEST(JudgeLaunches, PassesWhatIsTheSameEveryTime) {
  const Outcome outcome = run(0, 10);
  EXPECT_EQ(outcome.verdict.text(), "PASS");
  EXPECT_EQ(outcome.launches, 10);
  EXPECT_EQ(outcome.differing_launches, 0);
}

TEST(JudgeLaunches, FailsWhatDiffersByOneRounding) {
  const Outcome outcome = run(4, 10);
  EXPECT_TRUE(outcome.judgement->pass);
  EXPECT_EQ(outcome.differing_launches, 2);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(differs_between_launches)");
}

TEST(JudgeLaunches, OneLaunchHasNothingToDifferFrom) { EXPECT_EQ(run(2, 1).verdict.text(), "PASS"); }

}  // namespace
}  // namespace tilewright
