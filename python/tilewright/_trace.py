# SPDX-License-Identifier: MIT
"""Real kernels under the emulator."""

import json
import os
from typing import Any

from . import _native
from ._arguments import flag, integer, pair, refusal, word

MOST_SHARED_BYTES = 227 << 10  # the most that any GPU gives a block: compute capability 9.0


def trace(
    kernel: str | os.PathLike[str],
    M: int,
    N: int,
    K: int,
    *,
    function: str | None = None,
    block: tuple[int, int] | None = None,
    tile: tuple[int, int] | None = None,
    signature: str = "matmul",
    dynamic_shared_bytes: int = 0,
    inputs: str = "uniform",
    seed: int = 1,
    order: str = "forward",
    max_accesses: int | None = None,
    sample_blocks: bool = False,
    compiler: str = "g++",
) -> dict[str, Any]:
    """Run one CUDA kernel on the emulator, watch every memory access, and judge its product.

    The kernel runs unmodified, on all cores of the CPU; no GPU and no CUDA toolkit is needed. The GIL is released while
    it runs.

    Parameters
    ----------
    kernel : str or os.PathLike
        A rung of the ladder, such as "shared_tile_16", or the path of a `.cu` file.
    M, N, K : int
        A is (M, K), B is (K, N), made from `inputs` and `seed`; each from 1 to 4096.
    function : str
        A file's kernel as C++ spells it, such as "tiled<16>". This and the next four are for a file only.
    block : (int, int)
        Threads of a block, x and y.
    tile : (int, int)
        Columns and rows of C that one block computes; the grid is ⌈N/columns⌉ x ⌈M/rows⌉.
    signature : {"matmul", "sgemm"}
        matmul: (A, B, C, M, N, K); sgemm: (M, N, K, alpha, A, B, beta, C) with alpha 1 and beta 0.
    dynamic_shared_bytes : int
        Dynamic shared memory of a block, in bytes.
    compiler : str
        The host compiler of a file, g++ 12 or later.
    inputs : str
        The family of inputs, such as "uniform", "ones" or "coded".
    seed : int
        Of the inputs and of the shuffled order, from 0.
    order : {"forward", "reversed", "shuffled"}
        In which threads and blocks run.
    max_accesses : int
        Stop a kernel one of whose blocks makes more accesses and branches; by default 10⁷ + 64·MNK.
    sample_blocks : bool
        Run only a few blocks of each class that access alike, and count for all; they must agree.

    Returns
    -------
    dict
        What `tilewright trace --json` prints: among others `global_reads`, `global_writes`, `shared_reads` and
        `shared_writes`, in elements; `lines`, the counts of each source line; `findings`, each with `kind`, `line` and
        `thread`; `verdict`, "PASS" or why not. A broken kernel is a verdict, not an exception.

    Raises
    ------
    TypeError
        An argument has the wrong type.
    ValueError
        An argument is out of range or unknown; a file is missing, does not compile (the compiler's words are a note of
        the exception) or uses what the emulator does not offer.
    RuntimeError
        The compiler is not installed, the kernel cannot be launched with that shape, or sampled blocks differ.

    Examples
    --------
    >>> report = trace("shared_tile_16", 17, 19, 23)
    >>> report["global_reads"], report["shared_reads"], report["verdict"]
    (1656, 65536, 'PASS')
    """
    if not isinstance(kernel, (str, os.PathLike)):
        raise refusal(TypeError, "kernel", kernel, f"must be a str or a path, not {type(kernel).__name__}")
    path = os.fsdecode(kernel)
    shape = "x".join(str(integer(name, extent)) for name, extent in (("M", M), ("N", N), ("K", K)))
    if "/" in path or path.endswith(".cu"):
        for name, value in (("function", function), ("block", block), ("tile", tile)):
            if value is None:
                raise refusal(ValueError, name, value, "is needed with a kernel file")
    return json.loads(
        _native.trace_json(
            os.fsencode(path),
            shape,
            "" if function is None else word("function", function),
            "" if block is None else pair("block", block),
            "" if tile is None else pair("tile", tile),
            word("compiler", compiler),
            integer("dynamic_shared_bytes", dynamic_shared_bytes, least=0, most=MOST_SHARED_BYTES),
            word("signature", signature, ("matmul", "sgemm")),
            word("order", order, ("forward", "reversed", "shuffled")),
            0 if max_accesses is None else integer("max_accesses", max_accesses),
            word("inputs", inputs),
            integer("seed", seed, least=0, most=2**64 - 1),
            flag("sample_blocks", sample_blocks),
        )
    )
