// SPDX-License-Identifier: MIT
//
// ladder_table PAGE.md: writes docs/ladder.md from the records, the rungs and their pages, all of this repository;
// `./dev docs` runs it.
#include <cstdio>
#include <fstream>

#include "bench/ladder_sources.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ladder_table PAGE.md\n");
    return 2;
  }
  try {
    const std::string page = tilewright::ladder_page(
        tilewright::read_ladder_sources(TILEWRIGHT_SOURCE_DIR, TILEWRIGHT_LIB_DIR, "results/h200"));
    std::ofstream file(argv[1], std::ios::binary);
    file << page;
    file.close();
    if (file) return 0;
    std::fprintf(stderr, "ladder_table: %s cannot be written\n", argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ladder_table: %s\n", error.what());
  }
  return 2;
}
