// SPDX-License-Identifier: MIT
//
// The walk of the stepper: counters that step by step add up to what the program answers, in any order and with any
// split, and settings that are made possible with a note.
import { describe, expect, test } from 'vitest';
import { phaseOf, threadsOf } from '../src/model';
import { defaults } from '../src/page/fields';
import { fields, settle } from '../src/explorer/stepper/settings';
import { Walk, type WalkShape } from '../src/explorer/stepper/walk';
import { loadedBy } from '../src/explorer/stepper/texts';
import { random, tilewright } from './tilewright';

const base: WalkShape = { ...defaults(fields) };
const draw = random(3);
const shapes: WalkShape[] = [
  base,
  { ...base, splits: 2 },
  { ...base, M: 1, N: 1, K: 1 },
  { ...base, M: 1024, N: 1024, K: 64, order: 'hilbert' },
  ...Array.from({ length: 12 }, (_, index) => {
    const [TM, TN] = [draw(1, 4), draw(1, 4)];
    return {
      ...{ M: draw(1, 200), N: draw(1, 200), K: draw(1, 200), TM, TN },
      ...{ BM: TM * draw(1, 8), BN: TN * draw(1, 8), BK: draw(1, 20) },
      ...{ splits: draw(1, 5), order: ['row', 'grouped', 'hilbert'][index % 3]!, group: draw(1, 4) },
    };
  }),
];

describe.each(shapes)('$M x $N x $K, tile $BM x $BN x $BK, $splits parts, $order', shape => {
  const walk = new Walk(shape);
  const end = walk.countersAfter(walk.steps);
  const size = `${shape.M}x${shape.N}x${shape.K}`;

  test('ends with the counts of the program', () => {
    const global = tilewright('model', 'traffic', size, '--tile', `${shape.BM}x${shape.BN}`);
    const shared = tilewright('model', 'traffic', size, '--tile', `${shape.TM}x${shape.TN}`);
    const split = ['--tile', `${shape.BM}x${shape.BN}`, '--step', shape.BK, '--splits', shape.splits];
    const { splits, workspace_elements: workspace } = tilewright('model', 'split-k', size, ...split);
    expect(end.globalReads).toBe(global['tiled']);
    expect(end.naiveReads).toBe(global['naive']);
    expect(end.sharedReads).toBe(shared['tiled']);
    expect(end.stores).toBe(splits === 1 ? shape.M * shape.N : workspace);
  });

  test('visits each phase of each tile once, and counts as it goes', () => {
    const seen = new Set<string>();
    const sums = { reads: 0, shared: 0, padded: 0, writes: 0, adds: 0 };
    const every = Math.max(1, Math.floor(walk.steps / 300));
    for (let step = 0; step < walk.steps; ++step) {
      if (step % every === 0) {
        const now = walk.countersAfter(step);
        expect(now.globalReads).toBe(sums.reads);
        expect(now.sharedReads).toBe(sums.shared);
        expect(now.paddedSharedReads).toBe(sums.padded);
        expect(now.sharedWrites).toBe(sums.writes);
        expect(now.multiplyAdds).toBe(sums.adds);
      }
      const place = walk.placeOf(step);
      seen.add(`${place.tile.row} ${place.tile.column} ${place.phase}`);
      const phase = phaseOf(shape, shape, place.tile.row, place.tile.column, place.phase);
      sums.reads += phase.loadedA + phase.loadedB;
      sums.shared += phase.sharedReads;
      sums.padded += phase.paddedSharedReads;
      sums.writes += phase.sharedWrites;
      sums.adds += phase.multiplyAdds;
    }
    expect(seen.size).toBe(walk.rows * walk.columns * walk.phases);
    expect(end.globalReads).toBe(sums.reads);
  });

  test('finds the first step of a tile', () => {
    for (let i = 0; i < 20; ++i) {
      const [row, column] = [draw(0, walk.rows - 1), draw(0, walk.columns - 1)];
      const split = draw(0, walk.split.splits - 1);
      const place = walk.placeOf(walk.firstStepOf(row, column, split));
      expect([place.tile.row, place.tile.column, place.split, place.phaseOfSplit]).toEqual([
        row,
        column,
        split,
        0,
      ]);
    }
  });

  test('every element of both tiles is loaded by one thread', () => {
    const threads = threadsOf(shape);
    for (const elements of [shape.BM * shape.BK, shape.BK * shape.BN]) {
      const all = Array.from({ length: threads }, (_, thread) => loadedBy(thread, threads, elements)).flat();
      expect(all.sort((one, other) => one - other)).toEqual(
        Array.from({ length: elements }, (_, index) => index),
      );
    }
  });
});

test('padded shared reads are those of the kernel', () => {
  const walk = new Walk(base);
  const answer = tilewright('model', 'tiled', '17x19x23', '--tile', 16);
  expect(walk.countersAfter(walk.steps).paddedSharedReads).toBe(answer['padded_shared_reads']);
});

describe('settings that cannot be', () => {
  test.each([
    [{ BM: 64, BN: 64 }, { TM: 2, TN: 2 }, 'at most 1024'],
    [{ BM: 10, TM: 4 }, { TM: 2 }, 'must divide'],
    [{ splits: 9 }, { splits: 2 }, 'phases'],
    [{ step: 100 }, { step: 8 }, 'steps of this walk'],
    [{ thread: 700 }, { thread: 255 }, 'last thread'],
    [{ M: 4096 }, { M: 2048 }, '128 tiles'],
  ])('%o', (given, changed, note) => {
    const { values, notes } = settle({ ...defaults(fields), ...given });
    expect(values).toMatchObject(changed);
    expect(notes.length).toBe(1);
    expect(notes[0]).toContain(note);
    expect(settle(values)).toEqual({ values, notes: [] });
  });
});
