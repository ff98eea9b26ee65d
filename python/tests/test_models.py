# SPDX-License-Identifier: MIT
"""The closed forms: the numbers of their definitions, exact, and who is refused."""

import math
import sys

import numpy as np
import pytest

import tilewright


def ceil_div(a, b):
    return -(-a // b)


@pytest.mark.parametrize("M, N, K, b", [(17, 19, 23, 16), (1, 1, 1, 1), (5, 7, 3, 64), (2**20, 2**20, 2**20, 1)])
def test_traffic(M, N, K, b):
    traffic = tilewright.matmul_traffic(M, N, K, b)
    assert traffic == {
        "naive": 2 * M * N * K,
        "tiled": M * K * ceil_div(N, b) + K * N * ceil_div(M, b),
        "minimum": M * K + K * N,
    }
    assert all(type(count) is int for count in traffic.values())


def test_largest_count_that_fits():
    assert tilewright.matmul_traffic(2**62 - 1, 1, 1, 2**62 - 1)["naive"] == 2**63 - 2


def test_mma():
    assert tilewright.mma_count(17, 8, 16) == {"instructions": 2, "utilization": 17 / 32}
    assert tilewright.mma_count(64, 256, 16, m=64, n=256, k=16) == {"instructions": 1, "utilization": 1.0}


def test_roofline():
    r = tilewright.roofline(1024, 1024, 1024, tile=16, bandwidth_gb_per_s=1000, compute_tflop_per_s=60)
    assert r["flop"] == 2 * 1024**3
    assert r["traffic_bytes"] == 4 * (2 * 1024**3 / 16 + 1024**2)
    assert r["intensity"] == r["flop"] / r["traffic_bytes"]
    assert r["shared_bytes"] == 8 * 16**2
    assert math.isclose(r["memory_ms"], r["traffic_bytes"] / 1e9)
    assert math.isclose(r["compute_ms"], r["flop"] / 60e9)
    assert r["bound_ms"] == max(r["memory_ms"], r["compute_ms"])


def test_lower_bound():
    bound = tilewright.lower_bound(64, 32, 16, 768)
    assert math.isclose(bound["lower_bound"], 64 * 32 * 16 / (2 * math.sqrt(2) * math.sqrt(768)) - 768)
    assert math.isclose(bound["tiling"], 2 * math.sqrt(3) * 64 * 32 * 16 / math.sqrt(768))
    assert bound["minimum"] == 64 * 16 + 16 * 32
    assert bound["tiled"] == tilewright.matmul_traffic(64, 32, 16, 16)["tiled"]


def test_numpy_integers_are_integers():
    assert tilewright.matmul_traffic(*np.array([17, 19, 23, 16])) == tilewright.matmul_traffic(17, 19, 23, 16)


CALLS = {
    "matmul_traffic": (tilewright.matmul_traffic, {"M": 17, "N": 19, "K": 23, "b": 16}),
    "mma_count": (tilewright.mma_count, {"M": 17, "N": 19, "K": 23, "m": 16, "n": 8, "k": 16}),
    "roofline": (
        tilewright.roofline,
        {"M": 17, "N": 19, "K": 23, "tile": 16, "bandwidth_gb_per_s": 10.0, "compute_tflop_per_s": 1.0, "element_bytes": 4},
    ),
    "lower_bound": (tilewright.lower_bound, {"M": 17, "N": 19, "K": 23, "S": 768}),
}
RATES = ("bandwidth_gb_per_s", "compute_tflop_per_s")
INTEGERS = [(f, name) for f, (_, arguments) in CALLS.items() for name in arguments if name not in RATES]


@pytest.mark.parametrize("f, name", INTEGERS)
@pytest.mark.parametrize("value", [True, 16.0, "16", None, np.float32(16), np.ones((16, 16))])
def test_integers_only(f, name, value):
    call, arguments = CALLS[f]
    with pytest.raises(TypeError, match=f"^{name} '.*': must be an int") as refused:
        call(**arguments | {name: value})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("f, name", INTEGERS)
@pytest.mark.parametrize("value", [0, -1, 2**63, 10**40, -(2**70)])
def test_integers_in_range_only(f, name, value):
    call, arguments = CALLS[f]
    with pytest.raises(ValueError, match=f"^{name} '{value}': must be at (least|most)"):
        call(**arguments | {name: value})


def test_ints_too_long_to_print():
    with pytest.raises(ValueError, match="^M 'an int of 16610 bits': must be at most"):
        tilewright.matmul_traffic(10**5000, 1, 1, 1)


@pytest.mark.parametrize("name", RATES)
def test_rates(name):
    call, arguments = CALLS["roofline"]
    for value in (True, "fast", None, 1j, np.ones(2)):
        with pytest.raises(TypeError, match=f"^{name} "):
            call(**arguments | {name: value})
    for value in (0, -1.0, math.nan, math.inf, 10**400):
        with pytest.raises(ValueError, match=f"^{name} "):
            call(**arguments | {name: value})
    with pytest.raises(ValueError, match="^bandwidth_gb_per_s, compute_tflop_per_s '.*beyond a float64"):
        call(**arguments | {name: 5e-324})
    assert call(**arguments | {name: np.float32(2)}) == call(**arguments | {name: 2})


@pytest.mark.parametrize(
    "call",
    [
        lambda: tilewright.matmul_traffic(2**40, 2**40, 2**40, 1),
        lambda: tilewright.mma_count(2**40, 2**40, 2**40),
        lambda: tilewright.lower_bound(2**40, 2**40, 2**40, 3),
    ],
)
def test_what_does_not_fit_in_64_bits_is_refused(call):
    with pytest.raises(ValueError, match="^M, N, K '.*': .*do not fit in 64 bits"):
        call()


def test_too_little_on_chip():
    with pytest.raises(ValueError, match="^S '2': must be at least 3"):
        tilewright.lower_bound(8, 8, 8, 2)


def test_docstrings_hold():
    import doctest

    for name in ("_model", "_product", "_trace"):
        module = sys.modules[f"tilewright.{name}"]
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0


def test_every_public_function_documents_itself():
    import inspect

    for name in tilewright.__all__:
        function = getattr(tilewright, name)
        for section in ("Parameters\n", "Returns\n", "Raises\n", "Examples\n"):
            assert section in function.__doc__, name
        for parameter in inspect.signature(function).parameters:
            assert f"{parameter}" in function.__doc__.split("Returns\n")[0], (name, parameter)
