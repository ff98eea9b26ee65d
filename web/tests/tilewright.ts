// SPDX-License-Identifier: MIT
//
// The C++ program, as the golden source of every number: TILEWRIGHT names it.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Answer = Record<string, unknown>;

const program = process.env['TILEWRIGHT'];

const repository = fileURLToPath(new URL('../..', import.meta.url));

// What `tilewright ARGUMENTS`, run where the repository begins, prints.
export function printed(...args: (string | number)[]): string {
  if (!program)
    throw new Error('TILEWRIGHT: must name the tilewright program, such as build/ci/bin/tilewright');
  return execFileSync(resolve(program), args.map(String), {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}

// The object that `tilewright ARGUMENTS --json` prints.
export function tilewright(...args: (string | number)[]): Answer {
  return JSON.parse(printed(...args, '--json')) as Answer;
}

// Numbers that are the same each time and look like none in particular.
export function random(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return least + Math.floor((state / 2 ** 32) * (most - least + 1));
  };
}
