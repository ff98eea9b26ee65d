// SPDX-License-Identifier: MIT
#include "model/roofline.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace tilewright {

Roofline roofline(ProductSize product, std::int64_t T, Machine machine, std::int64_t element_bytes) {
  require_product(product);
  require_positive("tile T", T);
  require_positive("element bytes", element_bytes);
  require_positive_finite("bandwidth in GB/s", machine.bandwidth_gb_per_s);
  require_positive_finite("compute in TFLOP/s", machine.compute_tflop_per_s);
  const auto [M, N, K] = product;
  Roofline result{};
  result.flop = (Exact(2) * M * N * K).count("2MNK FLOP", product);
  // Refused where the direct load's bytes do not fit either, so that T alone never makes a shape valid.
  (Exact(element_bytes) * (Exact(2) * M * N * K + Exact(M) * N)).count("bytes of the direct load", product);
  result.shared_bytes =
      T == 1 ? 0 : (Exact(2) * element_bytes * T * T).count("shared bytes", "tile T", std::to_string(T));
  const double flop = static_cast<double>(result.flop);
  result.traffic_bytes = static_cast<double>(element_bytes) *
                         (flop / static_cast<double>(T) + static_cast<double>(M) * static_cast<double>(N));
  result.intensity = flop / result.traffic_bytes;
  // 1 TFLOP/s over 1 GB/s is 1000 FLOP per byte; N bytes over 1 GB/s take N·1e-6 ms.
  result.ridge = machine.compute_tflop_per_s / machine.bandwidth_gb_per_s * 1e3;
  result.memory_ms = result.traffic_bytes / machine.bandwidth_gb_per_s * 1e-6;
  result.compute_ms = flop / machine.compute_tflop_per_s * 1e-9;
  result.bound_ms = std::max(result.memory_ms, result.compute_ms);
  result.memory_bound = result.memory_ms >= result.compute_ms;
  result.attainable_tflop_per_s = flop / result.bound_ms * 1e-9;
  for (const double value : {result.ridge, result.bound_ms, result.attainable_tflop_per_s})
    if (!std::isfinite(value) || value <= 0.0)
      throw bad_input("bandwidth and compute",
                      std::to_string(machine.bandwidth_gb_per_s) + " GB/s, " +
                          std::to_string(machine.compute_tflop_per_s) + " TFLOP/s",
                      "the times they give are beyond a float64");
  return result;
}

}  // namespace tilewright
