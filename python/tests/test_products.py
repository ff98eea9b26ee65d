# SPDX-License-Identifier: MIT
"""Products executed and counted: right, as the closed forms say, and only of arrays that are what they must be."""

import sys
import threading
import time

import numpy as np
import pytest

import tilewright


def matrices(M, N, K):
    random = np.random.default_rng(1)
    return random.uniform(-1, 1, (M, K)).astype(np.float32), random.uniform(-1, 1, (K, N)).astype(np.float32)


@pytest.mark.parametrize("M, N, K", [(17, 19, 23), (1, 1, 1), (32, 16, 64), (3, 40, 5)])
@pytest.mark.parametrize("b, t", [(1, 1), (8, 2), (16, 4), (64, 64)])
def test_product_and_counts(M, N, K, b, t):
    A, B = matrices(M, N, K)
    C, counts = tilewright.tiled_matmul(A, B, b)
    assert C.dtype == np.float32 and C.shape == (M, N) and C.flags.c_contiguous
    # K roundings of at most half a unit in the last place of a sum of |a|·|b|.
    exact = A.astype(np.float64) @ B.astype(np.float64)
    bound = K * 2.0**-24 * (np.abs(A).astype(np.float64) @ np.abs(B).astype(np.float64))
    assert (np.abs(C - exact) <= bound).all()
    traffic = tilewright.matmul_traffic(M, N, K, b)
    assert counts == {"global_reads": traffic["tiled"], "shared_reads": 2 * M * N * K}

    C2, counts2 = tilewright.two_level_matmul(A, B, b, t)
    assert C2.tobytes() == C.tobytes()
    assert counts2 == {
        "global_reads": traffic["tiled"],
        "shared_reads": M * K * -(-N // t) + K * N * -(-M // t),
    }


def test_small_integers_are_exact():
    A = np.arange(12, dtype=np.float32).reshape(3, 4)
    B = np.arange(8, dtype=np.float32).reshape(4, 2)
    assert (tilewright.tiled_matmul(A, B, 2)[0] == A @ B).all()


def test_operands_stay_as_they_are():
    A, B = matrices(9, 9, 9)
    A.flags.writeable = B.flags.writeable = False
    before = A.tobytes(), B.tobytes()
    tilewright.tiled_matmul(A, B, 4)
    assert (A.tobytes(), B.tobytes()) == before


F32 = np.float32
ONES = np.ones((4, 4), F32)
UNALIGNED = np.frombuffer(b"\0" * 65, F32, 16, offset=1).reshape(4, 4)
REFUSED = [
    ([[1.0, 2.0]], TypeError, "must be a NumPy array"),
    (None, TypeError, "must be a NumPy array"),
    (np.ones((4, 4)), TypeError, "dtype float64': must be float32"),
    (np.ones((4, 4), np.int32), TypeError, "dtype int32': must be float32"),
    (np.ones((4, 4), np.float16), TypeError, "dtype float16': must be float32"),
    (np.ones((4, 4), ">f4"), TypeError, "dtype >f4': must be float32"),
    (np.ma.masked_array(ONES, mask=ONES > 0), TypeError, "mask"),
    (np.ones(4, F32), ValueError, r"shape \(4,\)': must have 2 dimensions, not 1"),
    (np.ones((4, 4, 1), F32), ValueError, "must have 2 dimensions, not 3"),
    (np.array(1, F32), ValueError, "must have 2 dimensions, not 0"),
    (np.ones((4, 4), F32, order="F"), ValueError, "Fortran order': must be row-major"),
    (np.ones((8, 8), F32)[::2, ::2], ValueError, r"strides \(64, 8\)': must be row-major"),
    (np.ones((4, 4), F32)[::-1], ValueError, "must be row-major"),
    (np.broadcast_to(np.ones(4, F32), (4, 4)), ValueError, "must be row-major"),
    (np.ones((0, 4), F32), ValueError, "must have at least one row and one column"),
    (np.ones((4, 0), F32), ValueError, "must have at least one row and one column"),
    (UNALIGNED, ValueError, "must be aligned"),
]


@pytest.mark.parametrize("value, kind, rule", REFUSED)
@pytest.mark.parametrize("multiply", [tilewright.tiled_matmul, lambda A, B, b: tilewright.two_level_matmul(A, B, b, 1)])
def test_other_arrays_are_refused_by_name(multiply, value, kind, rule):
    for name, A, B in (("A", value, ONES), ("B", ONES, value)):
        with pytest.raises(kind, match=f"^{name} '.*{rule}") as refused:
            multiply(A, B, 2)
        assert type(refused.value) is kind
        assert "\n" not in str(refused.value)


def test_what_does_not_fit_together():
    with pytest.raises(ValueError, match=r"^B 'shape \(5, 4\)': must have as many rows as A has columns, 4"):
        tilewright.tiled_matmul(ONES, np.ones((5, 4), F32), 2)


@pytest.mark.parametrize(
    "value, kind",
    [(0, ValueError), (-3, ValueError), (2**64, ValueError), (2.0, TypeError), (True, TypeError)],
)
def test_tiles(value, kind):
    with pytest.raises(kind, match="^b "):
        tilewright.tiled_matmul(ONES, ONES, value)
    with pytest.raises(kind, match="^b "):
        tilewright.two_level_matmul(ONES, ONES, value, 1)
    with pytest.raises(kind, match="^t "):
        tilewright.two_level_matmul(ONES, ONES, 4, value)


def test_register_tile_divides_the_shared_tile():
    with pytest.raises(ValueError, match="^t '3': must divide the block tile, which is 4"):
        tilewright.two_level_matmul(ONES, ONES, 4, 3)


def test_other_threads_run_meanwhile():
    A, B = matrices(384, 384, 384)
    times = []

    def multiply():
        tilewright.tiled_matmul(A, B, 16)
        times.append(time.perf_counter())

    worker = threading.Thread(target=multiply)
    # So rarely does Python itself take the GIL from a thread that this one only runs if the call lets go of it.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        worker.start()
        ticked = time.perf_counter()
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticked < times[0]
