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
tilewright=${PROGRAM:-bin/tilewright}
shape=4096x4096x4096
part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
worst=0
records=0

# profile RUNG: one record. The first takes the place of an earlier run's file.
profile() {
  local status=0
  printf '\n$ tilewright profile %s --shape %s\n' "$1" "$shape"
  "$tilewright" profile "$1" --shape "$shape" --blocks "${BLOCKS:-sample}" --out "$part/record" || status=$?
  [ "$status" -ne 3 ] || [ "$records" -gt 0 ] || exit 3
  [ "$status" -le "$worst" ] || worst=$status
  [ -f "$part/record" ] || return 0
  [ "$records" -gt 0 ] || : >"$out/profiles.jsonl"
  cat "$part/record" >>"$out/profiles.jsonl"
  rm "$part/record"
  records=$((records + 1))
}

rungs=${RUNGS:-$("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p')}
[ -n "$rungs" ] || exit 2
for rung in $rungs; do profile "$rung"; done
exit "$worst"
