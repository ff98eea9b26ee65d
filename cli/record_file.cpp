// SPDX-License-Identifier: MIT
#include "cli/record_file.h"

#include <unistd.h>

#include <filesystem>

#include "core/error.h"

namespace tilewright {

namespace {

// Beside the target, so that it can take its place.
std::string part_of(const std::string& path) { return path + ".part-" + std::to_string(getpid()); }

}  // namespace

void write_whole_file(const std::string& path, const std::string& text) {
  const std::string part = part_of(path);
  std::error_code failure;
  std::ofstream stream(part, std::ios::binary);
  stream << text << std::flush;
  if (stream) std::filesystem::rename(part, path, failure);
  if (stream && !failure) return;
  std::filesystem::remove(part, failure);
  throw bad_input("file", path, "cannot be written");
}

RecordFile::RecordFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  part_ = part_of(path_);
  if (!std::filesystem::is_directory(path_)) stream_.open(part_);
  if (!stream_.is_open()) throw bad_input("record file", path_, "cannot be written");
}

RecordFile::~RecordFile() {
  std::error_code ignored;
  if (!part_.empty() && !worth_keeping_) std::filesystem::remove(part_, ignored);
}

void RecordFile::add(const Json& record) {
  if (path_.empty()) return;
  worth_keeping_ = worth_keeping_ || record.value("record", "") != "run";
  stream_ << record.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

void RecordFile::finish() {
  if (path_.empty()) return;
  stream_.close();
  std::error_code failure;
  if (stream_) std::filesystem::rename(part_, path_, failure);
  if (!stream_ || failure) throw bad_input("record file", path_, "cannot be written");
  part_.clear();
}

}  // namespace tilewright
