// SPDX-License-Identifier: MIT
#include "bench/cublas_device.h"

#include "bench/cublas.h"
#include "bench/gpu_tools.h"
#include "core/error.h"
#include "device/cuda_check.h"
#include "device/gpu_device.h"
#include "device/sentinel.h"

namespace tilewright {
namespace {

using gpu::Memory;

class CublasPlacement : public Placement {
 public:
  CublasPlacement(Cublas& library, const Matrix& A, const Matrix& B)
      : library_(library),
        shape_{A.rows, B.columns, A.columns},
        A_(A.rows * A.columns, "A"),
        B_(B.rows * B.columns, "B"),
        C_(shape_.M * shape_.N, "C"),
        host_(static_cast<std::size_t>(C_.count())) {
    upload(A.values, A_);
    upload(B.values, B_);
  }

  void launch(const Rung& rung) override {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = sentinel(i, 0);
    upload(host_, C_);
    for (Rival& rival : library_.rivals(shape_)) {
      if (rival.name != rung.name) continue;
      if (rival.candidates.empty())
        throw Error(Code::unsupported, rival.name, to_string(shape_), rival.unavailable);
      rival.candidates.front()->launch({A_.data(), B_.data(), C_.data()});
      return;
    }
    throw Error(Code::unsupported, "kernel", rung.name, "is none of cuBLAS's");
  }
  void synchronise() override { check_cuda(cudaDeviceSynchronize(), "waiting for cuBLAS"); }
  Product collect() override {
    check_cuda(cudaMemcpy(host_.data(), C_.data(), C_.bytes(), cudaMemcpyDeviceToHost), "fetching C");
    Product product;
    product.C = host_;
    return product;
  }

 private:
  static void upload(const std::vector<float>& from, Memory<float>& to) {
    check_cuda(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice), "copying a matrix");
  }

  Cublas& library_;
  Shape shape_;
  Memory<float> A_, B_, C_;
  std::vector<float> host_;
};

class CublasDevice : public Device {
 public:
  CublasDevice() : gpu_(make_gpu_device({})) {}

  std::string name() const override { return "cublas"; }
  Environment environment() const override {
    Environment environment = gpu_->environment();
    environment.emplace_back("cublas", library_.version());
    return environment;
  }
  void require_launchable(const Rung& rung, Shape) const override { require_kernel_of_library(rung); }
  std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) override {
    return std::make_unique<CublasPlacement>(library_, A, B);
  }
  int multiprocessors() const override { return 0; }

 private:
  std::unique_ptr<Device> gpu_;  // first: it says why there is none
  gpu::Stream stream_;
  Cublas library_{stream_};
};

}  // namespace

std::unique_ptr<Device> make_cublas_device() { return std::make_unique<CublasDevice>(); }

}  // namespace tilewright
