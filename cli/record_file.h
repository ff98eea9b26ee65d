// SPDX-License-Identifier: MIT
//
// A JSON Lines file of records that appears only when it is whole: a reader never sees half of one. Until then what has
// come lies beside it, in FILE.part-PID, a line for each record as soon as it is known: a run that is killed loses none.
#pragma once

#include <fstream>
#include <string>

#include "judge/record.h"

namespace tilewright {

class RecordFile {
 public:
  // An empty path is a file that keeps nothing. Throws bad_input when the path cannot be written.
  explicit RecordFile(std::string path);
  ~RecordFile();  // what was not finished stays in the part, unless it is no more than the head of a run
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void add(const Json& record);
  void finish();

 private:
  std::string path_, part_;
  std::ofstream stream_;
  bool worth_keeping_ = false;
};

// The whole text, or the file as it was. Throws bad_input when it cannot be written.
void write_whole_file(const std::string& path, const std::string& text);

}  // namespace tilewright
