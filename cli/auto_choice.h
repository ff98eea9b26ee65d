// SPDX-License-Identifier: MIT
//
// Where `auto` gets its tables from: those of the installation, or one that the user names.
#pragma once

#include <string>
#include <vector>

#include "cli/installation.h"
#include "device/catalog.h"
#include "gemm/auto.h"

namespace CLI {
class App;
}

namespace tilewright {

struct AutoChoice {
  std::string tuned;  // a file; empty: the installation's tables

  void add_options(CLI::App& command);
  // The catalog must hold the rungs there are. Throws bad_input on a table that is none.
  std::vector<TunedTable> tables(const Installation& installation, const Catalog& catalog) const;
  Chooser chooser(const Installation& installation, const Catalog& catalog,
                  const Environment& environment) const;
};

// What tables and plans may name.
std::vector<std::string> names_of(const Catalog& catalog);

}  // namespace tilewright
