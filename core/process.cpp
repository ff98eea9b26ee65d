// SPDX-License-Identifier: MIT
#include "core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/error.h"

namespace tilewright {
namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error(Code::unavailable, "a pipe", "", std::strerror(errno));
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write_end() {
    close(ends[1]);
    ends[1] = -1;
  }
};

pid_t start(const std::vector<std::string>& arguments, int out, int err) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t child = -1;
  const int status = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw Error(Code::unavailable, arguments.front(), "", std::strerror(status));
  return child;
}

// Reads what is there; false at the end of the stream.
bool read_some(int from, std::string& into) {
  std::array<char, 65536> chunk;
  const ssize_t got = read(from, chunk.data(), chunk.size());
  if (got > 0) into.append(chunk.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::function<void(const std::string&)>& on_line, int silence_limit_seconds) {
  Pipe out, err;
  const pid_t child = start(arguments, out.ends[1], err.ends[1]);
  out.close_write_end();
  err.close_write_end();
  ProcessResult result;
  std::array<pollfd, 2> streams{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::size_t handed_on = 0;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const int ready =
        poll(streams.data(), streams.size(), silence_limit_seconds > 0 ? silence_limit_seconds * 1000 : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      result.timed_out = true;
      kill(child, SIGKILL);
      break;
    }
    if (streams[0].revents != 0 && !read_some(streams[0].fd, result.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !read_some(streams[1].fd, result.err)) streams[1].fd = -1;
    if (!on_line) continue;
    for (std::size_t end = result.out.find('\n', handed_on); end != std::string::npos;
         end = result.out.find('\n', handed_on)) {
      on_line(result.out.substr(handed_on, end - handed_on));
      handed_on = end + 1;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = folder.append("/").append(name);
    if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
  }
  return {};
}

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    throw Error(Code::unavailable, "temporary folder", path_, std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tilewright
