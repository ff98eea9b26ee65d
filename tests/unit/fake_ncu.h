// SPDX-License-Identifier: MIT
//
// A script in the place of ncu, and what it prints in tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/process.h"

namespace tilewright {

inline const std::string kNcuFixtures = TILEWRIGHT_SOURCE_DIR "/tests/data/ncu/";

inline std::string ncu_fixture(const std::string& name) {
  std::ifstream file(kNcuFixtures + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FakeNcu {
 public:
  // An ncu that notes its arguments and runs `body`; $log is the file it was told to write, $metrics what it was asked.
  std::string path(const std::string& body) const {
    std::string script = folder_.file("ncu");
    std::ofstream(script)
        << "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" << folder_.file("arguments") << "'\n"
        << "while [ $# -gt 0 ]; do\n"
        << "  case $1 in --log-file) log=$2 ;; --metrics) metrics=$2 ;; esac\n  shift\ndone\n"
        << body << "\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
  }
  // Of its last run: " --csv --page raw …".
  std::string asked() const {
    std::ifstream stream(folder_.file("arguments"));
    std::string words;
    for (std::string line; std::getline(stream, line);) words += " " + line;
    return words;
  }

 private:
  TemporaryFolder folder_;
};

// Bodies: the child's record, then a table in the log.
inline std::string launch_with_verdict(const std::string& verdict) {
  return "echo 'a line of its own'; echo '{\"verdict\":\"" + verdict + "\"}'\n";
}
inline std::string prints(const std::string& fixture) {
  return "cat " + kNcuFixtures + fixture + " >\"$log\"\n";
}

}  // namespace tilewright
