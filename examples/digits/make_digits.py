#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make digits.npy (1797 x 64) and digits_t.npy (64 x 1797) from scikit-learn's digits.csv.gz.

Each pixel is centred on its mean over the 1797 images and divided by 16, the largest pixel value:

    x[i, p] = (pixel[i, p] - mean[p]) / 16,    mean[p] = sum over i of pixel[i, p] / 1797

so that |x| <= 1 and every column sums to about zero. The raw sixteenths would have sums of products that are
exact in float32 and would show nothing of rounding; the centred values fill the mantissa. The numerator is an
integer, 1797 * pixel - sum: one float64 division by 1797 * 16 makes the value and one rounding makes it
float32, so the bytes are the same on every machine.

Python 3 and its standard library only. The labels, the 65th column, are checked and left out.
"""

import argparse
import csv
import gzip
import os
import struct
import sys
import zlib

DEBIAN_PATH = "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
SAMPLES, PIXELS, LARGEST = 1797, 64, 16


class BadInput(Exception):
    """One line for the user: what, where, the value, the rule."""


def read_pixels(path):
    """The images in the gzipped CSV file `path`: SAMPLES lists of PIXELS integers from 0 to LARGEST."""
    images = []
    try:
        with gzip.open(path, "rt", encoding="ascii", newline="") as text:
            for number, line in enumerate(csv.reader(text), start=1):
                where = f"{path}: line {number}"
                if len(line) != PIXELS + 1:
                    raise BadInput(f"{where}: {len(line)} columns; expected {PIXELS} pixels and a label")
                for field, most in zip(line, [LARGEST] * PIXELS + [9]):
                    if not field.isdecimal() or int(field) > most:
                        raise BadInput(f"{where}: {field!r}; expected an integer from 0 to {most}")
                images.append([int(field) for field in line[:PIXELS]])
    except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(images) != SAMPLES:
        raise BadInput(f"{path}: {len(images)} rows; expected {SAMPLES}")
    return images


def centre(images):
    """The images centred per pixel and scaled into [-1, 1], as float64; see the formula at the top."""
    sums = [sum(column) for column in zip(*images)]
    scale = SAMPLES * LARGEST
    return [[(SAMPLES * pixel - total) / scale for pixel, total in zip(image, sums)] for image in images]


def npy_bytes(rows):
    """`rows` as a .npy file, as numpy.save writes it: version 1.0, '<f4', C order, 64-byte aligned."""
    shape = (len(rows), len(rows[0]))
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode("ascii")
    prefix = 10  # magic 6, version 2, header length 2
    padding = -(prefix + len(header) + 1) % 64
    header += b" " * padding + b"\n"
    data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    return b"\x93NUMPY" + struct.pack("<BBH", 1, 0, len(header)) + header + data


def write_file(path, content):
    """Writes `content` beside `path` first, so that `path` is never half a file."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(content)
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.remove(temporary)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog=f"example: python3 make_digits.py {DEBIAN_PATH} .",
    )
    parser.add_argument("csv", nargs="?", default=DEBIAN_PATH, help="digits.csv.gz (default: %(default)s)")
    parser.add_argument("output", nargs="?", default=".", help="an existing folder (default: this one)")
    arguments = parser.parse_args()
    try:
        if not os.path.isdir(arguments.output):
            raise BadInput(f"{arguments.output}: not a folder; expected an existing one for the .npy files")
        digits = centre(read_pixels(arguments.csv))
        for name, rows in [("digits.npy", digits), ("digits_t.npy", list(zip(*digits)))]:
            write_file(os.path.join(arguments.output, name), npy_bytes(rows))
            print(f"{os.path.join(arguments.output, name)}: {len(rows)} x {len(rows[0])} float32")
    except BadInput as error:
        print(f"make_digits.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
