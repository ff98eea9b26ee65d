#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Collects the correctness evidence on a machine with an NVIDIA GPU: ./evidence.sh OUT, from the folder that
# `./dev gpu` makes. Every file it leaves in OUT is JSON Lines, written by the program; nothing is typed by hand. It goes
# on after a failure, which is in the records, and ends with the worst status it saw.
set -u
mkdir -p "${1:?usage: evidence.sh OUT}"
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
tilewright=bin/tilewright
mutants=bin/tilewright-mutants
A=examples/digits/digits.npy
B=examples/digits/digits_t.npy
worst=0

# run STATUS COMMAND…: the command must end with this status.
run() {
  local expected=$1 status=0
  shift
  printf '\n$ %s\n' "$*"
  "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "ended with status $status instead of $expected"
    worst=1
  fi
}

run 0 "$tilewright" check --device gpu --shapes all --operands "$A" "$B" --out "$out/check.jsonl"
run 0 "$tilewright" multiply "$A" "$B" -o digits_product.npy --device gpu --verify --record "$out/multiply.jsonl"
rm -f digits_product.npy

# Ones: the sum is K, and any k left out or taken twice shows; at every residue of K, with splits, beside cuBLAS itself,
# whose outcome is published as it is. (Ones alone could not tell every wrong kernel: uniform numbers go with them.)
residues=$(seq -s, -f '33x35x%.0f' 4032 4095)
run 0 "$tilewright" check --device gpu --shapes "$residues" --inputs ones,uniform --out "$out/ones.jsonl"
"$tilewright" check --device cublas --shapes "$residues" --inputs ones,uniform --out "$out/ones_cublas.jsonl"

# The same bits every time: all rungs but the one that adds atomically, in no order, which must be told.
mapfile -t steady < <("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p' | grep -v atomic)
run 0 "$tilewright" check "${steady[@]}" --device gpu --shapes 33x35x4095,500x333x1025 --inputs uniform --launches 100 \
  --out "$out/launches.jsonl"
run 1 "$tilewright" check split_k_atomic --device gpu --shapes 33x35x4095 --inputs uniform --launches 100 \
  --out "$out/launches_atomic.jsonl"

# Memory and race checkers run apart from everything else, on exact allocations at ragged shapes.
ragged=17x19x23,33x31x40,65x64x63,1x1x1
for tool in memcheck racecheck initcheck synccheck; do
  run 0 "$tilewright" check --device gpu --sanitizer "$tool" --shapes "$ragged" --inputs uniform \
    --out "$out/sanitizer_$tool.jsonl"
done

# The checker must also say no.
run 1 "$mutants" check no_first_barrier no_second_barrier --device gpu --sanitizer racecheck --shapes 33x31x40 \
  --inputs uniform --out "$out/mutants_racecheck.jsonl"
# One that faults or never ends costs its own cell; the honest kernel after it is judged as ever.
run 1 "$mutants" check wild_write endless_loop_with_loads honest_float4 --device gpu --hang-limit 20 \
  --shapes 17x19x23 --inputs uniform --out "$out/mutants_fault.jsonl"

# A kernel whose compiled form cannot be launched is refused before the launch, with the limit and both numbers.
run 3 "$mutants" check honest_launch_bounds --device gpu --shapes 17x19x23 --inputs uniform \
  --out "$out/mutants_refused.jsonl"

exit "$worst"
