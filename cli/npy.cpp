// SPDX-License-Identifier: MIT
//
// The .npy format, read strictly and written atomically. A file is, with its numbers little-endian,
//
//   \x93NUMPY | major, minor | header length: 2 bytes in version 1, 4 in 2 and 3 | header | data
//
// and the header is a Python dict literal (npy_header.h), padded with spaces and a newline to a multiple of
// 64 bytes. Not done here: conversion, byte swapping, mapping, .npz.
#include "cli/npy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>

#include "cli/npy_header.h"
#include "core/error.h"

namespace tilewright {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes go between file and memory as they are");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kInput = "cannot read";
constexpr const char* kOutput = "cannot write";

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// A file that the system does not give us, and why.
Error unusable(const char* use, const std::string& path, std::string reason) {
  return bad_input(use, npy_path_text(path), std::move(reason));
}

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

// "<f8" is "float64", ">f4" is "big-endian float32": the name that a NumPy user knows the dtype by.
std::string dtype_name(std::string_view descr) {
  constexpr std::string_view letters = "fiucbMmUSVO";
  constexpr std::array names{"float",       "int",  "uint",  "complex", "bool",  "datetime64",
                             "timedelta64", "text", "bytes", "void",    "object"};
  const std::size_t kind = descr.size() < 2 ? letters.npos : letters.find(descr[1]);
  unsigned bytes = 0;
  if (kind < 4) std::from_chars(descr.data() + 2, descr.data() + descr.size(), bytes);
  if (kind == letters.npos || (kind < 4 && bytes == 0)) return "an unknown dtype";
  return (descr[0] == '>' ? "big-endian " : "") + std::string(names[kind]) +
         (kind < 4 ? std::to_string(8 * bytes) : "");
}

// An open file that knows how many of its bytes are left: nothing is allocated that they cannot fill.
struct Reader {
  const std::string& path;
  File file;
  std::uint64_t left = 0;

  explicit Reader(const std::string& file_path) : path(file_path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) throw unusable(kInput, path, system_reason(errno));
    if (S_ISDIR(info.st_mode)) throw unusable(kInput, path, system_reason(EISDIR));
    if (!S_ISREG(info.st_mode)) throw unusable(kInput, path, "not a regular file");
    left = static_cast<std::uint64_t>(info.st_size);
    file.reset(std::fopen(path.c_str(), "rb"));
    if (!file) throw unusable(kInput, path, system_reason(errno));
  }

  void take(void* destination, std::uint64_t bytes) {
    if (std::fread(destination, 1, bytes, file.get()) != bytes)
      throw unusable(kInput, path,
                     std::ferror(file.get()) != 0 ? system_reason(errno) : "it shrank meanwhile");
    left -= bytes;
  }

  std::string take(std::uint64_t bytes, const char* what) {
    if (bytes > left)
      throw npy_refusal(path, what, std::to_string(bytes) + " bytes",
                        "truncated: the file has only " + std::to_string(left) + " more");
    std::string taken(bytes, '\0');
    take(taken.data(), bytes);
    return taken;
  }
};

// The header's text; the data are next.
std::string read_header(Reader& reader) {
  const std::string magic = reader.take(std::min(reader.left, kMagic.size()), "magic");
  if (magic != kMagic)
    throw npy_refusal(reader.path, "magic", magic, "not a .npy file; one starts \\x93NUMPY");
  const std::string version = reader.take(2, "version");
  const int major = version[0] & 255, minor = version[1] & 255;
  if (major < 1 || major > 3 || minor != 0)
    throw npy_refusal(reader.path, "version", std::to_string(major) + "." + std::to_string(minor),
                      "unknown; 1.0, 2.0 and 3.0 are read");
  const std::string field = reader.take(major == 1 ? 2 : 4, "header length");
  std::uint64_t length = 0;
  std::memcpy(&length, field.data(), field.size());
  return reader.take(length, "header");
}

// Refuses every array but a C-order, rank-2, '<f4' one that fills the rest of the file exactly.
void check(const NpyHeader& header, std::uint64_t data_bytes, const std::string& path) {
  if (header.descr != "<f4")
    throw npy_refusal(path, "dtype", header.descr, "this is " + dtype_name(header.descr) + npy_dtype_rule);
  if (header.rank != 2)
    throw npy_refusal(path, "shape", header.shape,
                      "has rank " + std::to_string(header.rank) + "; a matrix has rank 2, (rows, columns)");
  if (header.fortran_order)
    throw npy_refusal(path, "fortran_order", "True",
                      "only C order (row-major) is read, even where both orders are the same bytes; save "
                      "numpy.ascontiguousarray(array)");
  const auto [rows, columns] = header.extents;
  if (rows == 0 || columns == 0)
    throw npy_refusal(path, "shape", header.shape, "each dimension must be at least 1");
  if (rows > std::numeric_limits<std::int64_t>::max() / sizeof(float) / columns)
    throw npy_refusal(path, "shape", header.shape, "its size in bytes overflows 64 bits");
  const std::uint64_t needed = rows * columns * sizeof(float);
  if (needed != data_bytes)
    throw npy_refusal(path, "data", std::to_string(data_bytes) + " bytes",
                      std::string(data_bytes < needed ? "truncated" : "trailing bytes") + "; shape " +
                          printable(header.shape) + " takes exactly " + std::to_string(needed));
}

}  // namespace

Matrix read_npy(const std::string& path) {
  Reader reader(path);
  const std::string text = read_header(reader);
  const NpyHeader header = parse_npy_header(path, text);
  check(header, reader.left, path);
  Matrix matrix(static_cast<std::int64_t>(header.extents[0]), static_cast<std::int64_t>(header.extents[1]));
  reader.take(matrix.values.data(), reader.left);
  return matrix;
}

void write_npy(const std::string& path, const Matrix& matrix) {
  const std::string shape = "(" + std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) + ")";
  const auto rows = static_cast<std::size_t>(matrix.rows), columns = static_cast<std::size_t>(matrix.columns);
  if (matrix.rows < 1 || matrix.columns < 1 || matrix.values.size() != rows * columns)
    throw npy_refusal(path, "shape", shape, "needs at least one row and column, and a value for each place");

  // Magic, version and length take 10 bytes, the dict 57 and 2 to 38 digits, the newline 1: always more than
  // 64 and less than 128, so numpy.save always pads to 128, and the length after the first 10 is 118 = 0x76.
  std::string head = std::string(kMagic) + std::string("\x01\x00\x76\x00", 4);
  head += "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  head.resize(127, ' ');
  head += '\n';

  std::error_code error;
  std::filesystem::path target = std::filesystem::canonical(path, error);  // where a symbolic link leads
  if (error) target = path;                                                // nothing is there yet
  const auto type = std::filesystem::status(target, error).type();
  if (type == std::filesystem::file_type::directory) throw unusable(kOutput, path, system_reason(EISDIR));
  if (!error && type != std::filesystem::file_type::regular)
    throw unusable(kOutput, path, "not a regular file");

  static std::atomic<unsigned> serial{0};
  File file;
  std::string temporary;
  do {
    const std::string name = ".tilewright-" + std::to_string(getpid()) + "-" + std::to_string(serial++);
    temporary = target.parent_path() / name;
    file.reset(std::fopen(temporary.c_str(), "wbx"));  // x: never a file that exists
  } while (!file && errno == EEXIST);
  if (!file) throw unusable(kOutput, path, system_reason(errno));

  // Nothing throws between the creation of the temporary file and its renaming or removal.
  if (std::fwrite(head.data(), 1, head.size(), file.get()) == head.size() &&
      std::fwrite(matrix.values.data(), sizeof(float) * columns, rows, file.get()) == rows &&
      std::fclose(file.release()) == 0 && std::rename(temporary.c_str(), target.c_str()) == 0)
    return;
  const int reason = errno;
  std::remove(temporary.c_str());
  throw unusable(kOutput, path, system_reason(reason));
}

}  // namespace tilewright
