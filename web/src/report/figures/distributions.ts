// SPDX-License-Identifier: MIT
//
// The times of one group: every sample of every kernel, over the kernel's own median, which shows how they spread, or on
// one axis, which shows the kernels beside each other.
import { digits, plural } from '../../page/format';
import type { Frame } from '../../page/plot';
import type { Tree } from '../../page/tree';
import { verdictMark } from '../cells';
import type { DistributionGroup } from '../document';
import { evenScale, logarithmicScale, rangeOf, widened, type Range } from './scale';
import { drawnValues, drawStrips, type Strip } from './strips';

const wideRange = 4; // between medians, from which on the axis is logarithmic

function padded({ least, most }: Range): Range {
  const room = (most - least) * 0.03 || least * 0.05;
  return { least: Math.max(0, least - room), most: most + room };
}

function stripOf(row: DistributionGroup['rows'][number], axis: DistributionAxis): Strip {
  const { verdict, samples, role } = row;
  const [median, low, high] = [row.median, row.low, row.high].map(value => digits(value, 5));
  const { mark } = verdictMark(verdict);
  const said = verdict === 'PASS' ? '' : ` ${mark} ${verdict}`;
  return {
    sampled: row,
    over: axis === 'own' ? row.median : 1,
    tone: `role-${role}`,
    numbers: `${median} (${low} … ${high}) n ${samples.length}${said}`,
    brief: `${median} n ${samples.length}${said}`,
  };
}

export type DistributionAxis = 'own' | 'common';

export function drawDistributions(
  { title, rows }: DistributionGroup,
  unit: string,
  frame: Frame,
  axis: DistributionAxis,
): Tree {
  const medians = rangeOf(rows.map(({ median }) => median));
  const strips = rows.map(row => stripOf(row, axis));
  const all = rangeOf(drawnValues(strips));
  const logarithmic = axis === 'common' && medians.most > wideRange * medians.least;
  const samples = rows.reduce((sum, row) => sum + row.samples.length, 0);
  const names = {
    own: `time over the kernel’s own median; the numbers are ${unit}`,
    common: `${unit}${logarithmic ? ', logarithmic' : ''}`,
  };
  return drawStrips(
    {
      label: `${title}: ${plural(samples, 'sample')} of ${plural(rows.length, 'kernel')}. The numbers are in a table of this report.`,
      axis: names[axis],
      strips,
      scale: (from, to, leastGap) =>
        logarithmic
          ? logarithmicScale(widened(all, 1.03), from, to, leastGap)
          : evenScale(padded(all), from, to, leastGap),
      ...(axis === 'own' ? { line: { value: 1, least: 1, most: 1 } } : {}),
    },
    frame,
  );
}
