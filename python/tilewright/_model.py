# SPDX-License-Identifier: MIT
"""Closed forms: predictions, never measurements."""

from . import _native
from ._arguments import integer, rate


def _product(M: int, N: int, K: int) -> tuple[int, int, int]:
    return integer("M", M), integer("N", N), integer("K", K)


def matmul_traffic(M: int, N: int, K: int, b: int) -> dict[str, int]:
    """Count the elements of A and B that a product loads.

    Nothing is kept between blocks: no cache hit is assumed. Zeros written for what lies outside are not loads. Stores of
    C, M·N more, are not counted.

    Parameters
    ----------
    M, N, K : int
        A is (M, K), B is (K, N); each at least 1.
    b : int
        Side of the tile of C that one block computes, at least 1.

    Returns
    -------
    dict
        In elements, exact: `naive` = 2MNK, two loads a multiply-add; `tiled` = MK⌈N/b⌉ + KN⌈M/b⌉;
        `minimum` = MK + KN, every element once.

    Raises
    ------
    TypeError
        An argument is not an int.
    ValueError
        An argument is below 1, or a count does not fit in 64 bits.

    Examples
    --------
    >>> matmul_traffic(80, 80, 80, 16)
    {'naive': 1024000, 'tiled': 64000, 'minimum': 12800}
    """
    return _native.matmul_traffic(*_product(M, N, K), integer("b", b))


def mma_count(M: int, N: int, K: int, m: int = 16, n: int = 8, k: int = 16) -> dict[str, int | float]:
    """Count the matrix instructions of a product, and how much of their work is the product's.

    A fragment that holds any of the product is one whole instruction, padded with zeros. Issue rate and latency are not
    modelled.

    Parameters
    ----------
    M, N, K : int
        A is (M, K), B is (K, N); each at least 1.
    m, n, k : int
        One instruction multiplies (m, k) by (k, n); each at least 1.

    Returns
    -------
    dict
        `instructions` = ⌈M/m⌉⌈N/n⌉⌈K/k⌉; `utilization`, in (0, 1]: MNK over the multiply-adds they do.

    Raises
    ------
    TypeError
        An argument is not an int.
    ValueError
        An argument is below 1, or a count does not fit in 64 bits.

    Examples
    --------
    >>> mma_count(17, 8, 16)
    {'instructions': 2, 'utilization': 0.53125}
    """
    return _native.mma_count(*_product(M, N, K), integer("m", m), integer("n", n), integer("k", k))


def roofline(
    M: int,
    N: int,
    K: int,
    *,
    tile: int,
    bandwidth_gb_per_s: float,
    compute_tflop_per_s: float,
    element_bytes: int = 4,
) -> dict[str, int | float]:
    """Bound the time of a tiled product from below, by its bytes and by its FLOP.

    Optimistic: compute and memory overlap perfectly, both at their full rate. Every tile load goes to memory, and C is
    stored once.

    Parameters
    ----------
    M, N, K : int
        A is (M, K), B is (K, N); each at least 1.
    tile : int
        T, the side of the tiles; 1 is the direct load, which keeps nothing in shared memory.
    bandwidth_gb_per_s : float
        Of memory, in 10⁹ bytes a second.
    compute_tflop_per_s : float
        Of the unit that the kernel uses, in 10¹² FLOP a second.
    element_bytes : int
        Of A, B and C.

    Returns
    -------
    dict
        `flop` = 2MNK; `traffic_bytes` = s·(2MNK/T + MN); `intensity` and `ridge`, in FLOP per byte; `shared_bytes` of a
        block; `memory_ms`, `compute_ms` and `bound_ms`, the larger of both; `attainable_tflop_per_s`.

    Raises
    ------
    TypeError
        A size is not an int, or a rate not a number.
    ValueError
        A size is below 1, a rate not finite and above 0, or a count does not fit in 64 bits.

    Examples
    --------
    >>> r = roofline(1024, 1024, 1024, tile=16, bandwidth_gb_per_s=1000, compute_tflop_per_s=60)
    >>> r["traffic_bytes"], r["shared_bytes"]
    (541065216.0, 2048)
    """
    return _native.roofline(
        *_product(M, N, K),
        integer("tile", tile),
        rate("bandwidth_gb_per_s", bandwidth_gb_per_s),
        rate("compute_tflop_per_s", compute_tflop_per_s),
        integer("element_bytes", element_bytes),
    )


def lower_bound(M: int, N: int, K: int, S: int) -> dict[str, int | float]:
    """Bound from below what any order of the MNK multiply-adds must move, with S elements on chip.

    Hong and Kung (1981), with the constant of Irony, Toledo and Tiskin (2004). For the classical algorithm on one
    processor; Strassen's moves less.

    Parameters
    ----------
    M, N, K : int
        A is (M, K), B is (K, N); each at least 1.
    S : int
        Elements that fit on chip, at least 3: one of each matrix.

    Returns
    -------
    dict
        In elements: `lower_bound` = MNK/(2√2·√S) − S, which says nothing when negative; `minimum` = MK + KN, every
        element once; `at_least`, the larger of both; `tiling` = 2√3·MNK/√S, what tiles of side √(S/3) load;
        `tile_side` = ⌊√(S/3)⌋, and `tiled`, what tiles of that side load exactly.

    Raises
    ------
    TypeError
        An argument is not an int.
    ValueError
        An argument is too small, or a count does not fit in 64 bits.

    Examples
    --------
    >>> lower_bound(64, 64, 64, 768)["minimum"], lower_bound(64, 64, 64, 768)["tile_side"]
    (8192, 16)
    """
    return _native.lower_bound(*_product(M, N, K), integer("S", S, least=3))
