// SPDX-License-Identifier: MIT
//
// The C++ program, as the golden source of every number: TILEWRIGHT names it.
import { execFileSync } from 'node:child_process';

export type Answer = Record<string, unknown>;

const program = process.env['TILEWRIGHT'];

// The object that `tilewright ARGUMENTS --json` prints.
export function tilewright(...args: (string | number)[]): Answer {
  if (!program)
    throw new Error('TILEWRIGHT: must name the tilewright program, such as build/ci/bin/tilewright');
  const text = execFileSync(program, [...args.map(String), '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(text) as Answer;
}

// Numbers that are the same each time and look like none in particular.
export function random(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return least + Math.floor((state / 2 ** 32) * (most - least + 1));
  };
}
