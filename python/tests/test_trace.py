# SPDX-License-Identifier: MIT
"""The emulator from Python: the command line's own answer, for rungs and for a user's file."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tilewright

SOURCE = Path(__file__).parents[2]
PROGRAM = Path(tilewright.__file__).parents[2] / "bin" / "tilewright"  # of the same build
MY_TILED = SOURCE / "examples" / "my_tiled.cu"
AS_A_FILE = {"function": "tiled<16>", "block": (16, 16), "tile": (16, 16)}
FILE_OPTIONS = ["--kernel", "tiled<16>", "--block", "16x16", "--tile", "16x16"]


def command_line(*arguments):
    command = [PROGRAM, "trace", *arguments, "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)


def test_a_rung():
    report = tilewright.trace("shared_tile_16", 17, 19, 23)
    assert (report["verdict"], report["global_reads"], report["shared_reads"]) == ("PASS", 1656, 65536)
    assert report == command_line("shared_tile_16", "--shape", "17x19x23")


def test_every_option_arrives():
    report = tilewright.trace("direct", 5, 7, 9, inputs="coded", seed=2**64 - 1, order="shuffled", max_accesses=10**6)
    options = ["--inputs", "coded", "--seed", str(2**64 - 1), "--order", "shuffled", "--max-accesses", str(10**6)]
    assert report == command_line("direct", "--shape", "5x7x9", *options)


def test_sampled_blocks():
    report = tilewright.trace("shared_tile_8", 64, 64, 16, sample_blocks=True)
    assert report == command_line("shared_tile_8", "--shape", "64x64x16", "--sample-blocks")
    assert report["sampled_blocks"]["blocks"] == 64
    everything = tilewright.trace("shared_tile_8", 64, 64, 16)
    assert "sampled_blocks" not in everything
    for count in ("global_reads", "global_writes", "shared_reads", "shared_writes"):
        assert report[count] == everything[count]


# One column of blocks reads more than the others.
UNEVEN = """
__global__ void uneven(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  if (blockIdx.x == 3) sum += 0 * A[row * K];
  C[row * N + column] = sum;
}
"""


def test_blocks_that_cannot_stand_for_all_are_refused(tmp_path):
    path = tmp_path / "uneven.cu"
    path.write_text(UNEVEN)
    arguments = {"function": "uneven", "block": (8, 8), "tile": (8, 8)}
    assert tilewright.trace(path, 64, 64, 16, **arguments)["verdict"] == "PASS"
    with pytest.raises(RuntimeError, match="should access alike, but differ at"):
        tilewright.trace(path, 64, 64, 16, **arguments, sample_blocks=True)


@pytest.mark.parametrize("path", [MY_TILED, str(MY_TILED)])
def test_a_file(path):
    report = tilewright.trace(path, 17, 19, 23, **AS_A_FILE)
    assert report["verdict"] == "FAIL(race)"
    assert report["findings"][0]["line"] == 18
    assert report == command_line(MY_TILED, "--shape", "17x19x23", *FILE_OPTIONS)


def test_a_file_below_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.cu").write_text(MY_TILED.read_text())
    assert tilewright.trace("mine.cu", 17, 19, 23, **AS_A_FILE)["verdict"] == "FAIL(race)"


# One kernel of the signature sgemm, which adds up in dynamic shared memory: all that is only for files.
SGEMM = """
extern __shared__ float sums[];
__global__ void mine(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float& sum = sums[threadIdx.y * blockDim.x + threadIdx.x];
  sum = 0;
  if (row >= M || column >= N) return;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = alpha * sum + (beta == 0 ? 0 : beta * C[row * N + column]);
}
"""


def test_a_file_with_everything(tmp_path):
    path = tmp_path / "sgemm.cu"
    path.write_text(SGEMM)
    arguments = {"function": "mine", "block": (8, 4), "tile": (8, 4), "signature": "sgemm"}
    report = tilewright.trace(path, 9, 10, 11, **arguments, dynamic_shared_bytes=128)
    assert report["verdict"] == "PASS"
    assert report["global_reads"] == 2 * 9 * 10 * 11
    assert report == command_line(
        path, "--shape", "9x10x11", "--kernel", "mine", "--block", "8x4", "--tile", "8x4",
        "--signature", "sgemm", "--dynamic-shared", "128",
    )  # fmt: skip
    assert tilewright.trace(path, 9, 10, 11, **arguments, dynamic_shared_bytes=4)["verdict"] == "FAIL(out_of_bounds)"


def test_what_the_compiler_says_is_a_note(tmp_path):
    path = tmp_path / "so--broken.cu"
    path.write_text("__global__ void mine(const float* A, const float* B, float* C, int M, int N, int K) {\n  int x = y;\n}\n")
    with pytest.raises(ValueError, match=r"/so--broken\.cu: .*y. was not declared") as refused:
        tilewright.trace(path, 1, 1, 1, function="mine", block=(1, 1), tile=(1, 1))
    assert "\n" not in str(refused.value)
    assert "int x = y;" in refused.value.__notes__[0]


def test_threads_take_turns():
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(tilewright.trace("shared_tile_8", 17, 19, 23))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reports) == 4
    assert all(report == reports[0] for report in reports)


def test_nothing_of_it_is_visible_to_other_libraries():
    # A library loaded later must not find the emulator's __tsan_read4, or our OpenBLAS, instead of its own.
    script = """
import ctypes, tilewright
assert tilewright.trace("direct", 5, 5, 5)["global_reads"] == 250
everyone = ctypes.CDLL(None)
for name in ("__tsan_read4", "__syncthreads", "cblas_sgemm", "dwfl_begin"):
    assert not hasattr(everyone, name), name
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_after_a_fork():
    tilewright.trace("direct", 5, 5, 5)
    child = os.fork()
    if child == 0:
        os._exit(0 if tilewright.trace("direct", 5, 5, 5)["verdict"] == "PASS" else 1)
    assert os.waitpid(child, 0)[1] == 0


WRONG = [
    ({"kernel": 5}, TypeError, "^kernel '5': must be a str or a path, not int"),
    ({"kernel": b"direct"}, TypeError, "^kernel .*: must be a str or a path, not bytes"),
    ({"kernel": "shared_tile_61"}, ValueError, "^kernel 'shared_tile_61': there is no such rung; did you mean shared_tile_"),
    ({"kernel": "none.cu", **AS_A_FILE}, ValueError, "^kernel 'none.cu': is not a file"),
    ({"kernel": "a/b", "block": (1, 1), "tile": (1, 1)}, ValueError, "^function 'None': is needed with a kernel file"),
    ({"kernel": MY_TILED, **AS_A_FILE, "block": None}, ValueError, "^block 'None': is needed"),
    ({"kernel": MY_TILED, **AS_A_FILE, "tile": None}, ValueError, "^tile 'None': is needed"),
    ({"kernel": MY_TILED, **AS_A_FILE, "function": "tilde"}, ValueError, "^function 'tilde': .*has these kernels: tiled"),
    ({"kernel": MY_TILED, **AS_A_FILE, "block": (33, 32)}, ValueError, "^block '33x32': a block has at most 1024 threads"),
    ({"kernel": MY_TILED, **AS_A_FILE, "block": (16, 16, 1)}, ValueError, "^block .*must have two extents"),
    ({"kernel": MY_TILED, **AS_A_FILE, "block": "16x16"}, TypeError, "^block '16x16': must be a tuple of two ints, not str"),
    ({"kernel": MY_TILED, **AS_A_FILE, "tile": (16, 1.5)}, TypeError, r"^tile\[1\] '1.5': must be an int"),
    ({"kernel": MY_TILED, **AS_A_FILE, "tile": (0, 16)}, ValueError, r"^tile\[0\] '0': must be at least 1"),
    ({"kernel": MY_TILED, **AS_A_FILE, "compiler": "no-such-g++"}, RuntimeError, "^compiler 'no-such-g.*not installed"),
    ({"block": (16, 16)}, ValueError, "^function, block, tile, dynamic_shared_bytes, signature: belong to a kernel file"),
    ({"function": 5}, TypeError, "^function '5': must be a str"),
    ({"signature": "dgemm"}, ValueError, "^signature 'dgemm': must be one of matmul, sgemm"),
    ({"order": "sideways"}, ValueError, "^order 'sideways': must be one of forward, reversed, shuffled"),
    ({"inputs": "unifrom"}, ValueError, "^inputs 'unifrom': "),
    ({"inputs": 1}, TypeError, "^inputs '1': must be a str"),
    ({"seed": -1}, ValueError, "^seed '-1': must be at least 0"),
    ({"seed": 2**64}, ValueError, "^seed '.*': must be at most"),
    ({"seed": 1.0}, TypeError, "^seed '1.0': must be an int"),
    ({"dynamic_shared_bytes": (227 << 10) + 1}, ValueError, "^dynamic_shared_bytes '.*': must be at most 232448"),
    ({"sample_blocks": 1}, TypeError, "^sample_blocks '1': must be a bool, not int"),
    ({"max_accesses": 0}, ValueError, "^max_accesses '0': must be at least 1"),
    ({"M": 0}, ValueError, "^M '0': must be at least 1"),
    ({"N": 17.0}, TypeError, "^N '17.0': must be an int, not float"),
    ({"K": True}, TypeError, "^K 'True': must be an int, not bool"),
    ({"K": 4097}, ValueError, "^K '4097': must be an integer from 1 to 4096"),
]


@pytest.mark.parametrize("change, kind, text", WRONG)
def test_what_is_wrong_is_refused_by_name(change, kind, text):
    with pytest.raises(kind, match=text) as refused:
        tilewright.trace(**{"kernel": "direct", "M": 17, "N": 19, "K": 23} | change)
    assert type(refused.value) is kind
    assert "\n" not in str(refused.value)
