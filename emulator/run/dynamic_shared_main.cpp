// SPDX-License-Identifier: MIT
//
// Used by CMake to build the ladder's modules: dynamic_shared OBJECT ASSEMBLY writes what defines the object's dynamic
// shared memory, to be linked last.
#include <fstream>

#include "emulator/run/dynamic_shared.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ofstream assembly(argv[2]);
  assembly << tilewright::dynamic_shared_assembly(tilewright::undefined_thread_locals(argv[1]),
                                                  tilewright::most_shared_bytes);
  assembly.close();
  return assembly.good() ? 0 : 1;
}
