#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Holds the emulator's predictions against an NVIDIA GPU's counters: ./agreement.sh OUT, from the folder that `./dev gpu`
# makes, on a machine with Nsight Compute. OUT/agreement.jsonl has one record for each rung and shape, written by the
# program. RUNGS="column_tile warp_tile" measures these alone. It goes on after a disagreement, which is in the records, and
# ends with the worst status it saw; where counters cannot be read at all it stops, and leaves no file.
set -u
mkdir -p "${1:?usage: agreement.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
tilewright=bin/tilewright
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
worst=0
count=0

# profile RUNG SHAPE: one record.
profile() {
  local status=0
  count=$((count + 1))
  printf '\n$ tilewright profile %s --shape %s\n' "$1" "$2"
  "$tilewright" profile "$1" --shape "$2" --out "$parts/$(printf %03d "$count").jsonl" || status=$?
  [ "$status" -ne 3 ] || exit 3
  [ "$status" -eq 0 ] || worst=$status
}

rungs=${RUNGS:-$("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p')}
[ -n "$rungs" ] || exit 2
for rung in $rungs; do
  # Whole tiles, four times as many, and ragged in every dimension.
  for shape in 128x128x128 256x256x256 131x257x67; do profile "$rung" "$shape"; done
done
[ -n "${RUNGS:-}" ] || profile shared_tile_32 1024x1024x1024
cat "$parts"/*.jsonl >"$out/agreement.jsonl"
exit "$worst"
