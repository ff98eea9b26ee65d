# SPDX-License-Identifier: MIT
#
# What agreement.sh and profile_evidence.sh share; they source it, beside it, with $records_file set. It gives them
# $tilewright, the program (PROGRAM=…), $rungs, those to measure (RUNGS=…, else every rung of the program), `profile`, and
# $worst, the worst status that `profile` saw.
# shellcheck shell=bash disable=SC2034,SC2154  # variables that pass between the files

tilewright=${PROGRAM:-bin/tilewright}
rungs=${RUNGS:-$("$tilewright" ladder --json | sed -n 's/^ *"name": "\([^"]*\)",$/\1/p')}
[ -n "$rungs" ] || exit 2
part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
worst=0
records=0

# profile RUNG SHAPE OPTION…: one record, added to the file as it comes, so that a run that is stopped keeps what it has. The
# first takes the place of an earlier run's file. Where counters cannot be read at all this ends the script, and leaves
# the file as it was.
profile() {
  local status=0 rung=$1 shape=$2
  shift 2
  printf '\n$ tilewright profile %s --shape %s\n' "$rung" "$shape"
  "$tilewright" profile "$rung" --shape "$shape" "$@" --out "$part/record" || status=$?
  [ "$status" -ne 3 ] || [ "$records" -gt 0 ] || exit 3
  [ "$status" -le "$worst" ] || worst=$status
  [ -f "$part/record" ] || return 0
  [ "$records" -gt 0 ] || : >"$records_file"
  cat "$part/record" >>"$records_file"
  rm "$part/record"
  records=$((records + 1))
}
