// SPDX-License-Identifier: MIT
//
// The `tilewright` program. Everything it does is in the subcommands, one file each.
#include "cli/app.h"

int main(int argc, char** argv) { return tilewright::App(argc, argv, TILEWRIGHT_RUNG_FOLDER).run(); }
