#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Profiles every rung at a large shape on a machine with an NVIDIA GPU and Nsight Compute: ./profile_evidence.sh OUT, from
# the folder that `./dev gpu` makes. OUT/profiles.jsonl has one record for each rung, written by the program and added as
# it comes, so that a run that is stopped keeps what it has. RUNGS="column_tile warp_tile" measures these alone;
# PROGRAM=bin/tilewright-candidates is the program whose rungs are measured. The emulator runs a few blocks of each class
# (BLOCKS=none: no block), and no counter is asked for that would instrument the kernel. It goes on after a failure, and
# ends with the worst status it saw; where counters cannot be read at all it stops, and leaves the file as it was.
set -u
mkdir -p "${1:?usage: profile_evidence.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
records_file=$out/profiles.jsonl
. ./profile_records.sh

for rung in $rungs; do profile "$rung" 4096x4096x4096 --blocks "${BLOCKS:-sample}"; done
exit "$worst"
