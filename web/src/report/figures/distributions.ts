// SPDX-License-Identifier: MIT
//
// The times of one group: every sample of every kernel, on an axis of their own.
import { digits, plural } from '../../page/format';
import type { Frame } from '../../page/plot';
import type { Tree } from '../../page/tree';
import { verdictMark } from '../cells';
import type { DistributionGroup, Sampled } from '../document';
import { evenScale, logarithmicScale, rangeOf, widened, type Range } from './scale';
import { drawStrips, type Strip } from './strips';

const wideRange = 4; // between medians, from which on the axis is logarithmic

function* valuesOf(rows: Sampled[]): Iterable<number> {
  for (const { low, high, samples } of rows) {
    yield low;
    yield high;
    yield* samples;
  }
}

function padded({ least, most }: Range): Range {
  const room = (most - least) * 0.03 || least * 0.05;
  return { least: Math.max(0, least - room), most: most + room };
}

function stripOf(row: DistributionGroup['rows'][number]): Strip {
  const { verdict, samples, role } = row;
  const [median, low, high] = [row.median, row.low, row.high].map(value => digits(value, 5));
  const { mark } = verdictMark(verdict);
  const said = verdict === 'PASS' ? '' : ` ${mark} ${verdict}`;
  return {
    sampled: row,
    tone: `role-${role}`,
    numbers: `${median} (${low} … ${high}) n ${samples.length}${said}`,
    brief: `${median} n ${samples.length}${said}`,
  };
}

export function drawDistributions({ title, rows }: DistributionGroup, unit: string, frame: Frame): Tree {
  const medians = rangeOf(rows.map(({ median }) => median));
  const all = rangeOf(valuesOf(rows));
  const logarithmic = medians.most > wideRange * medians.least;
  const samples = rows.reduce((sum, row) => sum + row.samples.length, 0);
  return drawStrips(
    {
      label: `${title}: ${plural(samples, 'sample')} of ${plural(rows.length, 'kernel')}. The numbers are in a table of this report.`,
      axis: `${unit}${logarithmic ? ', logarithmic' : ''}`,
      strips: rows.map(stripOf),
      scale: (from, to, leastGap) =>
        logarithmic
          ? logarithmicScale(widened(all, 1.03), from, to, leastGap)
          : evenScale(padded(all), from, to, leastGap),
    },
    frame,
  );
}
