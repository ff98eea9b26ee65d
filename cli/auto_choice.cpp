// SPDX-License-Identifier: MIT
#include "cli/auto_choice.h"

#include <CLI/CLI.hpp>

namespace tilewright {

void AutoChoice::add_options(CLI::App& command) {
  command.add_option("--tuned", tuned,
                     "let auto choose by this tuned table instead of the installed ones (`tilewright tune`)");
}

std::vector<TunedTable> AutoChoice::tables(const Installation& installation, const Catalog& catalog) const {
  const std::vector<std::string> known = names_of(catalog);
  if (!tuned.empty()) return {read_tuned_table(tuned, known)};
  // The installed tables are of the ladder; a program of other kernels has none.
  if (installation.rung_folder != Installation().rung_folder) return {};
  return read_tuned_tables(installation.resources() + "/tuned", known);
}

Chooser AutoChoice::chooser(const Installation& installation, const Catalog& catalog,
                            const Environment& environment) const {
  return {catalog.rungs(), tables(installation, catalog), environment};
}

std::vector<std::string> names_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const Rung& rung : catalog.rungs()) names.emplace_back(rung.name);
  return names;
}

}  // namespace tilewright
