#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Times rungs, and the kernel that chooses among them, on a machine with an NVIDIA GPU: ./bench_evidence.sh OUT, from the
# folder that `./dev gpu` makes. Every file it leaves in OUT is JSON Lines, written by the program, which puts each record
# on the disk as it comes (FILE.part-PID until the file is whole). It goes on after a failure, which is in the records, and
# ends with the worst status it saw. cuBLAS is found where the loader looks: set LD_LIBRARY_PATH if it is elsewhere; without
# it those rows say so.
#
#   PARTS    of "control ladder auto_warm auto_rotate boundaries": what to measure; by default all, in this order
#   RUNGS    these rungs alone, such as "column_tile warp_tile"; by default every rung of the program
#   KERNEL   the kernel that chooses, beside cuBLAS over bench/shapes.json; by default auto, empty for none
#   PROGRAM  by default bin/tilewright; with bin/tilewright-candidates its files begin with bench_candidates_, and no KERNEL
#
# The ladder takes most of the time, and of that direct_rows and the other early rungs at 8192. A cell has few samples: --seconds below is what its slowest contender may spend on them. A rung of which the
# fewest launches would take more than five times that is launched a few times, left out, and said to be.
set -u
mkdir -p "${1:?usage: bench_evidence.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
tilewright=${PROGRAM:-bin/tilewright}
prefix=bench
kernel=${KERNEL-auto}
if [ "${tilewright##*/}" != tilewright ]; then
  prefix=bench_${tilewright##*/tilewright-}
  kernel=${KERNEL-}
fi
read -r -a rungs <<<"${RUNGS:-}"
worst=0
measured=0

# bench FILE ARGUMENT…
bench() {
  local file=${prefix}_$1.jsonl status=0
  shift
  printf '\n$ tilewright bench %s\n' "$*"
  "$tilewright" bench "$@" --out "$out/$file" || status=$?
  if [ "$status" -ne 3 ]; then
    measured=1
  elif [ "$measured" -eq 0 ]; then
    exit 3
  fi
  [ "$status" -le "$worst" ] || worst=$status
}

# The referee first: a rung against itself must not differ, in either mode; held against its own like it is not slower.
control() {
  local one=${rungs[0]:-$("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p' | tail -n 1)}
  bench control_boost "$one" ${kernel:+"$kernel"} --shapes 512x512x512,1024x1024x1024,2048x2048x2048 --control aa \
    --seconds 0.2
  bench control_sustained "$one" --shapes 2048x2048x2048 --control aa --mode sustained --seconds 0.5
  bench control_gate "$one" --shapes 1024x1024x1024 --seconds 0.2 --gate "$out/${prefix}_control_boost.jsonl"
}

# Every rung beside cuBLAS.
ladder() {
  bench ladder_512 "${rungs[@]}" --shapes 512x512x512 --seconds 0.1
  bench ladder_1024 "${rungs[@]}" --shapes 1024x1024x1024 --seconds 0.1
  bench ladder_2048 "${rungs[@]}" --shapes 2048x2048x2048 --seconds 0.2
  bench ladder_4096 "${rungs[@]}" --shapes 4096x4096x4096 --seconds 0.5
  bench ladder_8192 "${rungs[@]}" --shapes 8192x8192x8192 --seconds 4
}

# The kernel that chooses, beside cuBLAS, over the declared shapes. The sets with the largest get more time: a cell whose fewest
# launches take five times what --seconds allows is left out.
auto() {
  local set seconds
  [ -n "$kernel" ] || return 0
  for set in square odd skinny llm; do
    seconds=0.15
    case $set in square | llm) seconds=0.35 ;; esac
    bench "${kernel}_$1_$set" "$kernel" --shapes "$set" --cache "$1" --seconds "$seconds"
  done
}
auto_warm() { auto warm; }
auto_rotate() { auto rotate; }

# What a caller sees who starts with cold caches, or on the host.
boundaries() {
  local one=${kernel:-${rungs[0]:-}}
  [ -n "$one" ] || return 0
  bench cold "$one" --shapes 128x128x128,1024x1024x1024 --cache cold --seconds 0.2
  bench end_to_end "$one" --shapes 1024x1024x1024 --boundary end-to-end --seconds 0.2
}

for part in ${PARTS:-control ladder auto_warm auto_rotate boundaries}; do
  case $part in
    control) control ;;
    ladder) ladder ;;
    auto_warm) auto_warm ;;
    auto_rotate) auto_rotate ;;
    boundaries) boundaries ;;
    *)
      printf 'bench_evidence.sh: PARTS: there is no part %s\n' "$part" >&2
      exit 2
      ;;
  esac
done
exit "$worst"
