#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Why tiles: global reads fall by the tile size, shared reads by the register tile's share.

C = A·B with 96 x 96 matrices, from counting by hand to a real CUDA kernel. Each `# %%` begins a cell, for editors that run
them one by one; `python3 examples/traffic_falls.py` runs all. What a cell claims it also asserts.
"""

# %% A direct product loads two elements for each multiply-add, 2MNK in all
import time

import numpy as np

import tilewright

M = N = K = 96
random = np.random.default_rng(seed=1)
A = random.uniform(-1, 1, (M, K)).astype(np.float32)
B = random.uniform(-1, 1, (K, N)).astype(np.float32)

naive = tilewright.matmul_traffic(M, N, K, b=1)["naive"]
assert naive == 2 * M * N * K
print(f"C = A·B, {M} x {N} x {K}: {naive:,} loads without reuse\n")

# %% A b x b tile in shared memory is loaded once and used b times: global reads fall by b
print(" b   global reads   fall by   model")
for b in (1, 2, 4, 8, 16, 32):
    C, counts = tilewright.tiled_matmul(A, B, b)
    model = tilewright.matmul_traffic(M, N, K, b)["tiled"]
    print(f"{b:2}   {counts['global_reads']:12,}   {naive / counts['global_reads']:7.0f}   {model:,}")
    assert counts["global_reads"] == model == naive // b
    assert counts["shared_reads"] == naive  # the reads have not gone: they have moved to shared memory

# %% A t x t tile in registers takes (t + t)/(t·t) shared reads for each multiply-add instead of 2
print("\n t   shared reads   for each multiply-add   (b = 32)")
for t in (1, 2, 4, 8, 16):
    _, counts = tilewright.two_level_matmul(A, B, 32, t)
    share = counts["shared_reads"] / (M * N * K)
    print(f"{t:2}   {counts['shared_reads']:12,}   {share:21.4g}")
    assert share == (t + t) / (t * t)
    assert counts["global_reads"] == naive // 32  # registers change nothing for global memory

# %% It is the product: the same computation as the library call, timed
start = time.perf_counter()
tiled, _ = tilewright.tiled_matmul(A, B, 32)
middle = time.perf_counter()
library = A @ B
end = time.perf_counter()
# Both sums have K roundings; each is at most half a unit in the last place of the sum of |a|·|b|.
bound = 2 * K * 2.0**-24 * (np.abs(A).astype(np.float64) @ np.abs(B).astype(np.float64))
error = np.abs(tiled.astype(np.float64) - library.astype(np.float64))
assert (error <= bound).all()
print(f"\nlargest difference from NumPy's product: {error.max():.1e}, at most {bound.max():.1e} by rounding")
print(f"counting every read took {(middle - start) * 1e3:.1f} ms, NumPy {(end - middle) * 1e3:.1f} ms")

# %% A real kernel, kernels/fp32/02_shared_tile.cu, reads exactly as the model says, also at ragged edges
print("\nkernel           shape      global reads   shared reads   verdict")
for b in (8, 16, 32):
    for shape in ((96, 96, 96), (97, 61, 83)):
        report = tilewright.trace(f"shared_tile_{b}", *shape)
        size = "x".join(map(str, shape))
        print(f"shared_tile_{b:<2}   {size}   {report['global_reads']:12,}   {report['shared_reads']:12,}   {report['verdict']}")
        assert report["global_reads"] == tilewright.matmul_traffic(*shape, b)["tiled"]
        assert report["verdict"] == "PASS"
