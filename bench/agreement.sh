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
records_file=$out/agreement.jsonl
. ./profile_records.sh

for rung in $rungs; do
  # Whole tiles, four times as many, and ragged in every dimension.
  for shape in 128x128x128 256x256x256 131x257x67; do profile "$rung" "$shape" --counts-only; done
done
[ -n "${RUNGS:-}" ] || [ -n "${PROGRAM:-}" ] || profile shared_tile_32 1024x1024x1024 --counts-only
exit "$worst"
