# SPDX-License-Identifier: MIT
"""Tilewright from Python: exact models of a tiled matrix product, and real CUDA kernels under the emulator.

C = A·B with A of shape (M, K), B of shape (K, N) and C of shape (M, N).

- `matmul_traffic`, `mma_count`, `roofline`, `lower_bound`: closed forms, exact in 64 bits or refused.
- `tiled_matmul`, `two_level_matmul`: the product executed tile by tile, every read counted.
- `trace`: a rung of the ladder, or a kernel of your own `.cu` file, run unmodified on the CPU with every access watched.

A wrong type or dtype raises TypeError; a value, rank, order or size outside the contract raises ValueError. Either names
the argument, what it was, and the rule.
"""

from ._model import lower_bound, matmul_traffic, mma_count, roofline
from ._native import version as __version__
from ._product import tiled_matmul, two_level_matmul
from ._trace import trace

__all__ = [
    "lower_bound",
    "matmul_traffic",
    "mma_count",
    "roofline",
    "tiled_matmul",
    "trace",
    "two_level_matmul",
]
