// SPDX-License-Identifier: MIT
//
// tilewright explore: writes the explorer, a page that is part of this program, and opens it in a browser.
#include "cli/explore.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/app.h"
#include "cli/record_file.h"
#include "core/error.h"

namespace tilewright {
namespace {

struct ExploreOptions {
  std::string output;
};

// A folder of its own: whoever else uses the machine cannot have put another page there.
std::string folder_for_page() {
  std::string path = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    throw Error(Code::unavailable, "temporary folder", path, "cannot be made; -o FILE says where to write");
  return path;
}

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

// Whether a browser was started, which is not waited for.
bool open_in_browser(const std::string& path) {
  if (!has_display()) return false;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open", argument = path;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
  return failure == 0;
}

void explore(App& app, const ExploreOptions& options) {
  const std::string page = whole_page(explorer_page(), "explorer");
  const std::string path = options.output.empty() ? folder_for_page() + "/explorer.html" : options.output;
  write_whole_file(path, page);
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  const bool opened = options.output.empty() && open_in_browser(absolute);
  if (app.json)
    return print_json(
        {{"schema", record_schema}, {"file", absolute}, {"bytes", page.size()}, {"opened", opened}});
  fmt::print("{}: {}\n", absolute, opened ? "opened in your browser" : "open this file in a browser");
}

}  // namespace

std::string whole_page(const Page& page, const std::string& name) {
  if (page.pieces.empty())
    throw Error(Code::unavailable, name, "", fmt::format("this program has no page: {}", page.absent));
  std::string whole;
  for (const std::string_view piece : page.pieces) whole += piece;
  return whole;
}

void add_explore(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "explore", "open the explorer in a browser: roofline reader, tile stepper, ladder, lower bound");
  auto options = std::make_shared<ExploreOptions>();
  command->add_option("-o,--output", options->output, "write the page to this file and open nothing");
  command->footer(
      "The page is one file that asks nothing of the network; its address, after #, holds what it shows.\n\n"
      "Examples:\n"
      "  tilewright explore\n"
      "  tilewright explore -o explorer.html\n"
      "  tilewright explore --output explorer.html --json");
  command->callback([&app, options] { explore(app, *options); });
}

}  // namespace tilewright
