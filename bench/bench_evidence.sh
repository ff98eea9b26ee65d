#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Times the ladder on a machine with an NVIDIA GPU: ./bench_evidence.sh OUT, from the folder that `./dev gpu` makes, in
# about three minutes. Every file it leaves in OUT is JSON Lines, written by the program. It goes on after a failure,
# which is in the records, and ends with the worst status it saw. cuBLAS is found where the loader looks: set
# LD_LIBRARY_PATH if it is elsewhere; without it those rows say so.
set -u
mkdir -p "${1:?usage: bench_evidence.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
tilewright=bin/tilewright
worst=0

# bench FILE ARGUMENT…
bench() {
  local file=$1 status=0
  shift
  printf '\n$ tilewright bench %s\n' "$*"
  "$tilewright" bench "$@" --out "$out/$file.jsonl" || status=$?
  [ "$status" -ne 3 ] || exit 3
  [ "$status" -eq 0 ] || worst=$status
}

# The referee first: a rung against itself must not differ, in either mode.
bench bench_control_boost shared_tile_32 direct --shapes 512x512x512,1024x1024x1024,2048x2048x2048 --control aa
bench bench_control_sustained shared_tile_32 --shapes 1024x1024x1024,2048x2048x2048 --control aa --mode sustained

# The ladder. Rungs of which eight launches would take seconds are left out, and said to be.
bench bench_warm --shapes 512x512x512,1024x1024x1024,2048x2048x2048 --seconds 0.5
bench bench_warm_4096 --shapes 4096x4096x4096 --seconds 0.25

# The three states of the caches, and what a caller sees who starts on the host.
bench bench_rotate shared_tile_32 --shapes 128x128x128,1024x1024x1024 --cache rotate --seconds 0.5
bench bench_cold shared_tile_32 --shapes 128x128x128,1024x1024x1024 --cache cold --seconds 0.5
bench bench_end_to_end shared_tile_32 --shapes 1024x1024x1024 --boundary end-to-end --seconds 0.5

# A run held against its own like finds nothing slower.
bench bench_gate shared_tile_32 --shapes 1024x1024x1024 --seconds 0.5 --gate "$out/bench_warm.jsonl"
exit "$worst"
