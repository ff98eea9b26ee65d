// SPDX-License-Identifier: MIT
//
// What the .npy tests share: files made byte by byte in a folder of their own, and the one line that a
// refusal must be.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/npy.h"
#include "core/error.h"

namespace tilewright {

namespace fs = std::filesystem;

inline std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

inline std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// A .npy file by hand: `major`.0, the header as it is, then the data.
inline std::string npy(int major, const std::string& header, const std::string& data) {
  std::string file = "\x93NUMPY" + std::string{static_cast<char>(major), '\0'};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>((header.size() >> (8 * i)) & 255);
  return file + header + data;
}

inline const std::vector<float> kSix{1, 2, 3, 4, 5, 6};
inline const std::string kDict = dict("'<f4'", "False", "(2, 3)");
inline const std::string kGood = npy(1, kDict, bytes_of(kSix));

class Npy : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "npy_test_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& bytes, const std::string& name = "a.npy") const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string get(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // The one line that `action` is refused with; it must name `file` and hold each of `parts`.
  template <class Action>
  void expect_refused(Action action, const std::string& file, const std::vector<std::string>& parts) const {
    try {
      action();
      ADD_FAILURE() << "accepted: " << file;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.code, Code::bad_input);
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_NE(message.find(file), std::string::npos) << message;
      for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << part << "\n in " << message;
    }
  }

  void expect_bytes_refused(const std::string& bytes, const std::vector<std::string>& parts) const {
    const std::string file = put(bytes);
    expect_refused([&] { read_npy(file); }, file, parts);
  }

  void expect_header_refused(const std::string& header, const std::vector<std::string>& parts) const {
    expect_bytes_refused(npy(1, header, bytes_of(kSix)), parts);
  }

  fs::path folder_;
};

}  // namespace tilewright
