// SPDX-License-Identifier: MIT
//
// Running the program as a user does, and what each of its ends must look like: a refusal is one line on
// standard error, an object alone on standard output with --json, and no file left behind.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/process.h"
#include "core/shape.h"
#include "tests/unit/npy_files.h"

namespace tilewright {

using Arguments = std::vector<std::string>;
using SurfaceJson = nlohmann::ordered_json;

inline const std::string kProgram = TILEWRIGHT_BINARY_DIR "/bin/tilewright";
inline const std::string kData = TILEWRIGHT_SOURCE_DIR "/tests/surface/data";

inline std::string text_of(const Arguments& arguments) {
  std::string text = "tilewright";
  for (const std::string& argument : arguments) text += " '" + argument + "'";
  return text;
}

inline std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Command : public testing::Test {
 protected:
  static ProcessResult tilewright(Arguments arguments) {
    arguments.insert(arguments.begin(), kProgram);
    return run_process(arguments);
  }

  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string put(const std::string& bytes, const std::string& name) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string put_matrix(const Matrix& matrix, const std::string& name) const {
    const std::string shape = "(" + std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) + ")";
    return put(npy(1, dict("'<f4'", "False", shape), bytes_of(matrix.values)), name);
  }
  std::string copy_data(const std::string& name, const std::string& to) const {
    return put(whole_file(kData + "/" + name), to);
  }

  // Every file and folder below the test's own, with its contents.
  std::set<std::pair<std::string, std::string>> files() const {
    std::set<std::pair<std::string, std::string>> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("")))
      all.emplace(entry.path().string(), entry.is_regular_file() ? whole_file(entry.path().string()) : "");
    return all;
  }

  // Exactly one JSON object, and nothing else.
  static SurfaceJson object_of(const std::string& out) {
    SurfaceJson json = SurfaceJson::parse(out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << "not one JSON object: " << out;
    return json.is_object() ? json : SurfaceJson::object();
  }

  // Refused with `status`: one line that begins with the program's name and holds the parts, nothing on
  // standard output, no file made or changed.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& parts,
                      int status = 2) const {
    SCOPED_TRACE(text_of(arguments));
    const auto before = files();
    const ProcessResult result = tilewright(arguments);
    EXPECT_EQ(result.exit_status, status) << result.out << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.rfind("tilewright: ", 0), 0U) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.ends_with("\n"));
    EXPECT_LT(result.err.size(), 400U) << result.err;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos) << "no '" << part << "' in: " << result.err;
    EXPECT_TRUE(files() == before) << "a file was made or changed";
  }

  // The same with --json: the object says what the line says.
  void expect_refused_as_json(Arguments arguments, int status = 2) const {
    arguments.emplace_back("--json");
    SCOPED_TRACE(text_of(arguments));
    const auto before = files();
    const ProcessResult result = tilewright(arguments);
    EXPECT_EQ(result.exit_status, status) << result.out << result.err;
    const SurfaceJson json = object_of(result.out);
    if (json.empty()) return;
    EXPECT_EQ(json.value("schema", 0), 1);
    const SurfaceJson error = json.value("error", SurfaceJson::object());
    for (const char* key : {"argument", "value", "rule"})
      EXPECT_TRUE(error.contains(key)) << key << ": " << result.out;
    EXPECT_NE(result.err.find(error.value("rule", "?")), std::string::npos) << result.err;
    EXPECT_EQ(result.err.rfind("tilewright: ", 0), 0U) << result.err;
    EXPECT_TRUE(files() == before) << "a file was made or changed";
  }

  TemporaryFolder folder_;
};

}  // namespace tilewright
