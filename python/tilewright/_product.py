# SPDX-License-Identifier: MIT
"""Products that are executed and counted as they go, so that the closed forms can be held against them."""

import numpy as np

from . import _native
from ._arguments import integer, operands


def tiled_matmul(A: np.ndarray, B: np.ndarray, b: int) -> tuple[np.ndarray, dict[str, int]]:
    """Multiply by the shared-tile algorithm, b x b x b, and count its reads.

    Every element of C is one sum in ascending k of fused multiply-adds in float32, so C does not depend on b, bit for
    bit. A simulator, not a fast product. The GIL is released while it runs.

    Parameters
    ----------
    A : numpy.ndarray
        float32, shape (M, K), row-major and contiguous.
    B : numpy.ndarray
        float32, shape (K, N), row-major and contiguous.
    b : int
        Side of the tiles, at least 1; b = 1 reuses nothing.

    Returns
    -------
    C : numpy.ndarray
        float32, shape (M, N).
    counts : dict
        In elements: `global_reads`, copies of what exists of A and B into tiles, MK⌈N/b⌉ + KN⌈M/b⌉;
        `shared_reads`, operands of the multiply-adds, 2MNK.

    Raises
    ------
    TypeError
        A or B is not a NumPy array or not float32; b is not an int.
    ValueError
        A or B has another rank or order or is empty; they do not fit together; b is below 1.

    Examples
    --------
    >>> C, counts = tiled_matmul(np.ones((4, 6), np.float32), np.ones((6, 8), np.float32), 2)
    >>> counts
    {'global_reads': 192, 'shared_reads': 384}
    """
    return _native.tiled_matmul(*operands(A, B), integer("b", b))


def two_level_matmul(A: np.ndarray, B: np.ndarray, b: int, t: int) -> tuple[np.ndarray, dict[str, int]]:
    """Multiply with register tiles t x t inside shared tiles b x b x b, and count the reads.

    In each k a register tile reads its column of A and its row of B from shared memory once: (t + t)/t² reads for each
    multiply-add. At the edges of C register tiles are clipped. C is that of `tiled_matmul`, bit for bit. The GIL is
    released while it runs.

    Parameters
    ----------
    A : numpy.ndarray
        float32, shape (M, K), row-major and contiguous.
    B : numpy.ndarray
        float32, shape (K, N), row-major and contiguous.
    b : int
        Side of the shared tiles, at least 1.
    t : int
        Side of the register tiles; divides b. t = 1 is `tiled_matmul`.

    Returns
    -------
    C : numpy.ndarray
        float32, shape (M, N).
    counts : dict
        In elements: `global_reads`, MK⌈N/b⌉ + KN⌈M/b⌉; `shared_reads`, 2MNK/t where t divides M and N.

    Raises
    ------
    TypeError
        A or B is not a NumPy array or not float32; b or t is not an int.
    ValueError
        A or B has another rank or order or is empty; they do not fit together; b or t is below 1; t does not divide b.

    Examples
    --------
    >>> C, counts = two_level_matmul(np.ones((4, 6), np.float32), np.ones((6, 8), np.float32), 4, 2)
    >>> counts
    {'global_reads': 96, 'shared_reads': 192}
    """
    return _native.two_level_matmul(*operands(A, B), integer("b", b), integer("t", t))
