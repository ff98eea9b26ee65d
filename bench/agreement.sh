#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Holds the emulator's predictions against an NVIDIA GPU's counters: ./agreement.sh OUT, from the folder that `./dev gpu`
# makes, on a machine with Nsight Compute. OUT/agreement.jsonl has one record for each rung and shape, written by the
# program and added as it comes, so that a run that is stopped keeps what it has. RUNGS="column_tile warp_tile" measures
# these alone; PROGRAM=bin/tilewright-candidates is the program whose rungs are measured. It goes on after a disagreement,
# which is in the records, and ends with the worst status it saw; where counters cannot be read at all it stops, and
# leaves the file as it was.
set -u
mkdir -p "${1:?usage: agreement.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
tilewright=${PROGRAM:-bin/tilewright}
part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
worst=0
records=0

# profile RUNG SHAPE: one record. The first takes the place of an earlier run's file.
profile() {
  local status=0
  printf '\n$ tilewright profile %s --shape %s\n' "$1" "$2"
  "$tilewright" profile "$1" --shape "$2" --counts-only --out "$part/record" || status=$?
  [ "$status" -ne 3 ] || [ "$records" -gt 0 ] || exit 3
  [ "$status" -le "$worst" ] || worst=$status
  [ -f "$part/record" ] || return 0
  [ "$records" -gt 0 ] || : >"$out/agreement.jsonl"
  cat "$part/record" >>"$out/agreement.jsonl"
  rm "$part/record"
  records=$((records + 1))
}

rungs=${RUNGS:-$("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p')}
[ -n "$rungs" ] || exit 2
for rung in $rungs; do
  # Whole tiles, four times as many, and ragged in every dimension.
  for shape in 128x128x128 256x256x256 131x257x67; do profile "$rung" "$shape"; done
done
[ -n "${RUNGS:-}" ] || [ -n "${PROGRAM:-}" ] || profile shared_tile_32 1024x1024x1024
exit "$worst"
