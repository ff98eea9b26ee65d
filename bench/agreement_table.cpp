// SPDX-License-Identifier: MIT
//
// agreement_table RECORDS.jsonl PAGE.md: writes docs/agreement.md from the records; `./dev docs` runs it.
#include <cstdio>
#include <fstream>

#include "bench/agreement_page.h"
#include "core/error.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: agreement_table RECORDS.jsonl PAGE.md\n");
    return 2;
  }
  try {
    const std::string page = tilewright::agreement_page(tilewright::read_records(argv[1]));
    std::ofstream file(argv[2], std::ios::binary);
    file << page;
    file.close();
    if (file) return 0;
    std::fprintf(stderr, "agreement_table: %s cannot be written\n", argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "agreement_table: %s\n", error.what());
  }
  return 2;
}
