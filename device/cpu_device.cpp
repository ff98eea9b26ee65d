// SPDX-License-Identifier: MIT
#include "device/cpu_device.h"

#include <cblas.h>

#include <limits>

#include "core/error.h"
#include "core/parallel.h"
#include "device/sentinel.h"

namespace tilewright {
namespace {

class CpuPlacement : public Placement {
 public:
  CpuPlacement(const Matrix& A, const Matrix& B) : A_(A), B_(B), C_(A.rows, B.columns) {}

  void launch(const Rung& rung) override {
    CpuDevice().require_launchable(rung, {A_.rows, B_.columns, A_.columns});
    for (std::size_t i = 0; i < C_.values.size(); ++i) C_.values[i] = sentinel(i, 0);
    const auto as_int = [](std::int64_t extent) { return static_cast<blasint>(extent); };
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(A_.rows), as_int(B_.columns),
                as_int(A_.columns), 1.0F, A_.values.data(), as_int(A_.columns), B_.values.data(),
                as_int(B_.columns), 0.0F, C_.values.data(), as_int(B_.columns));
  }
  void synchronise() override {}
  Product collect() override {
    Product product;
    product.C = C_.values;
    return product;
  }

 private:
  const Matrix& A_;
  const Matrix& B_;
  Matrix C_;
};

}  // namespace

const Rung& openblas_kernel() {
  static const Rung kernel = kernel_of_library("openblas", "the CPU's BLAS library");
  return kernel;
}

Environment CpuDevice::environment() const {
  return {{"device", "cpu"}, {"library", openblas_get_config()}, {"cores", std::to_string(core_count())}};
}

void CpuDevice::require_launchable(const Rung& rung, Shape shape) const {
  require_kernel_of_library(rung);
  for (const std::int64_t extent : {shape.M, shape.N, shape.K})
    if (extent > std::numeric_limits<blasint>::max())
      throw Error(Code::unsupported, "openblas", to_string(shape), "a dimension does not fit its integers");
}

std::unique_ptr<Placement> CpuDevice::place(const Matrix& A, const Matrix& B) {
  return std::make_unique<CpuPlacement>(A, B);
}

}  // namespace tilewright
