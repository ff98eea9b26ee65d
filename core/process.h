// SPDX-License-Identifier: MIT
//
// Running another program to its end (a compiler, a checker, ourselves in a child process) and temporary
// folders.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tilewright {

struct ProcessResult {
  int exit_status = 0;  // 128 + signal when a signal ended it
  std::string out, err;
  bool timed_out = false;
};

// Runs `arguments` (the first is looked up in PATH), without a shell and with an empty standard input. Each
// complete line of standard output is also handed to `on_line` as it comes, when one is given. A program that
// prints nothing for `silence_limit_seconds` (0: no limit) is killed. Throws Error(unavailable) when it
// cannot be started.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::function<void(const std::string&)>& on_line = {},
                          int silence_limit_seconds = 0);

// The first entry of PATH that holds this program, or empty.
std::string find_program(const std::string& name);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace tilewright
