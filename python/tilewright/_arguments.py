# SPDX-License-Identifier: MIT
"""What an argument must be. Each function returns it as the native module takes it, or raises TypeError (of a wrong type
or dtype) or ValueError (of a wrong value), in one form: NAME 'VALUE': RULE."""

import math
import numbers
import operator

import numpy as np

LARGEST = 2**63 - 1


def refusal(kind: type[Exception], name: str, value: object, rule: str) -> Exception:
    if isinstance(value, int) and value.bit_length() > 1000:
        value = f"an int of {value.bit_length()} bits"  # Python does not spell out the longest ones
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    shown = text if len(text) <= 60 else text[:57] + "..."
    return kind(f"{name} '{shown}': {rule}")


def integer(name: str, value: object, least: int = 1, most: int = LARGEST) -> int:
    # True is an int to Python, and never what a caller means by an extent.
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise refusal(TypeError, name, value, f"must be an int, not {type(value).__name__}")
    if not least <= number <= most:
        limit = f"at least {least}" if number < least else f"at most {most}"
        raise refusal(ValueError, name, number, f"must be {limit}")
    return number


def rate(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise refusal(TypeError, name, value, f"must be a number, not {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise refusal(ValueError, name, value, "must be finite and above 0")
    return number


def word(name: str, value: object, known: tuple[str, ...] = ()) -> str:
    if not isinstance(value, str):
        raise refusal(TypeError, name, value, f"must be a str, not {type(value).__name__}")
    if known and value not in known:
        raise refusal(ValueError, name, value, f"must be one of {', '.join(known)}")
    return value


def flag(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise refusal(TypeError, name, value, f"must be a bool, not {type(value).__name__}")
    return bool(value)


def pair(name: str, value: object) -> str:
    """(16, 8) -> "16x8", as the command line writes it."""
    if not isinstance(value, tuple):
        raise refusal(TypeError, name, value, f"must be a tuple of two ints, not {type(value).__name__}")
    if len(value) != 2:
        raise refusal(ValueError, name, value, f"must have two extents, x and y, not {len(value)}")
    return "x".join(str(integer(f"{name}[{i}]", extent)) for i, extent in enumerate(value))


def matrix(name: str, value: object) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise refusal(TypeError, name, type(value).__name__, "must be a NumPy array")
    if isinstance(value, np.ma.MaskedArray):
        raise refusal(TypeError, name, "masked array", "must be a plain NumPy array: a product has no use for the mask")
    if value.dtype != np.float32:
        raise refusal(TypeError, name, f"dtype {value.dtype}", "must be float32")
    if value.ndim != 2:
        raise refusal(ValueError, name, f"shape {value.shape}", f"must have 2 dimensions, not {value.ndim}")
    if value.size == 0:
        raise refusal(ValueError, name, f"shape {value.shape}", "must have at least one row and one column")
    if not value.flags.c_contiguous:
        order = "Fortran order" if value.flags.f_contiguous else f"strides {value.strides}"
        raise refusal(ValueError, name, order, "must be row-major and contiguous; numpy.ascontiguousarray makes it so")
    if not value.flags.aligned:
        raise refusal(ValueError, name, "unaligned memory", "must be aligned to 4 bytes; a copy is")
    return value


def operands(A: object, B: object) -> tuple[np.ndarray, np.ndarray]:
    a, b = matrix("A", A), matrix("B", B)
    if a.shape[1] != b.shape[0]:
        raise refusal(ValueError, "B", f"shape {b.shape}", f"must have as many rows as A has columns, {a.shape[1]}")
    return a, b
