// SPDX-License-Identifier: MIT
//
// Axes that begin and end where their values do: where the marks of an axis go, and what is written there.
import { logScale } from '../../page/plot';

export interface Range {
  least: number;
  most: number;
}

export interface Scale {
  place(value: number): number;
  ticks: { at: number; text: string }[];
}

// Without a copy of the list: it may be of any length, or empty.
export function rangeOf(values: Iterable<number>): Range {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? { least, most } : { least: 1, most: 2 };
}

// 1, 2 or 5 times a power of ten, so that there are at most so many steps.
function stepFor({ least, most }: Range, atMost: number): number {
  const rough = (most - least) / Math.max(1, atMost) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find(mantissa => mantissa * power >= rough) ?? 10) * power;
}

function evenValues(range: Range, atMost: number): number[] {
  const step = stepFor(range, atMost);
  const first = Math.ceil(range.least / step - 1e-9);
  const last = Math.floor(range.most / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

const mantissas = [[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];

function valuesOfDecades({ least, most }: Range, each: number[]): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const all = Array.from({ length: last - first + 1 }, (_, index) =>
    each.map(one => one * 10 ** (first + index)),
  );
  return all.flat().filter(value => value >= least * 0.999999 && value <= most * 1.000001);
}

const written = (value: number) => {
  const plain = Number(value.toPrecision(6));
  return plain >= 1e6 || (plain < 1e-4 && plain > 0)
    ? plain.toExponential()
    : plain.toLocaleString('en-US', { maximumFractionDigits: 6 });
};

export function evenScale(range: Range, from: number, to: number, leastGap: number): Scale {
  const place = (value: number) => from + ((to - from) * (value - range.least)) / (range.most - range.least);
  const values = evenValues(range, Math.abs(to - from) / leastGap);
  return { place, ticks: values.map(value => ({ at: place(value), text: written(value) })) };
}

// Where the range is less than a factor of two, even steps; else the finest choice of mantissas that leaves the gap.
export function logarithmicScale(range: Range, from: number, to: number, leastGap: number): Scale {
  const place = logScale(range, from, to);
  const gapped = (values: number[]) =>
    values.every(
      (value, index) => index === 0 || Math.abs(place(value) - place(values[index - 1]!)) >= leastGap,
    );
  const even = evenValues(range, Math.abs(to - from) / leastGap / 1.5);
  const choices = mantissas.map(each => valuesOfDecades(range, each));
  const decadesApart = valuesOfDecades(range, [1]).filter(
    (_, index, all) => index % Math.ceil((all.length * leastGap) / Math.abs(to - from)) === 0,
  );
  const values = range.most < 2 * range.least ? even : (choices.find(gapped) ?? decadesApart);
  return { place, ticks: values.map(value => ({ at: place(value), text: written(value) })) };
}

// A little more on both sides, so that no mark lies on the edge.
export function widened({ least, most }: Range, factor: number): Range {
  return { least: least / factor, most: most * factor };
}
