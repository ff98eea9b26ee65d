// SPDX-License-Identifier: MIT
//
// cuBLAS and cuBLASLt as rivals, found when the program runs: nothing is linked, and a machine without them has rows
// that say so. Row-major C = A B is their column-major C^T = B^T A^T: the operands exchanged, nothing transposed.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/stand.h"

namespace tilewright {

inline constexpr std::size_t cublas_workspace_bytes = std::size_t{64} << 20;
inline constexpr int cublaslt_algorithms_asked = 24;  // for each compute type

class Cublas {
 public:
  // Work goes to `stream`. Never throws for a library that is absent.
  explicit Cublas(cudaStream_t stream);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  std::string version() const;  // "13.1.0", or why there is none
  // cublas_default, cublas_pedantic and cublaslt (whose candidates are its heuristic list), each with candidates or
  // the reason why there are none.
  std::vector<Rival> rivals(Shape shape);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
