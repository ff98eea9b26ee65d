// SPDX-License-Identifier: MIT
//
// Sampled quantities one below the other on a common axis: each sample is a tick, the interval of the median a bar, the
// median a dot, and beside them what they are in numbers. In a narrow window the words stand above their row.
import { drawing, type Frame } from '../../page/plot';
import { at, tree, type Tree } from '../../page/tree';
import type { Sampled } from '../document';
import type { Scale } from './scale';
import { lengthOf, words, wrapped } from './words';

export interface Strip {
  sampled: Sampled;
  over: number; // its values are divided by this where they are drawn
  tone: string; // the class of its marks
  numbers: string; // what stands beside it
  brief: string; // the same in a narrow window
  heading?: string; // over it, where a group begins
}

export interface Strips {
  label: string; // for a reader who does not see it
  axis: string;
  strips: Strip[];
  scale(from: number, to: number, leastGap: number): Scale;
  line?: { value: number; least: number; most: number }; // a value to compare with, and the band around it
}

// All that is drawn of the rows.
export function* drawnValues(strips: Strip[]): Iterable<number> {
  for (const { sampled, over } of strips) {
    yield sampled.low / over;
    yield sampled.high / over;
    for (const sample of sampled.samples) yield sample / over;
  }
}

const narrowest = 620; // of a window that has the words beside their rows

interface Layout {
  size: number;
  wide: boolean;
  left: number;
  right: number;
  width: number;
  rowHeight: number;
  headingHeight: number;
}

function layOut({ strips }: Strips, { width, size }: Frame): Layout {
  const wide = width >= narrowest * size;
  const longest = (texts: string[]) => Math.max(0, ...texts.map(text => lengthOf(text, size))) + 14 * size;
  const left = wide ? Math.min(longest(strips.map(({ sampled }) => sampled.label)), width * 0.3) : 8 * size;
  const beside = wide ? Math.min(longest(strips.map(({ numbers }) => numbers)), width * 0.36) : 8 * size;
  const rowHeight = (wide ? 20 : 40) * size;
  return { size, wide, left, right: width - beside, width, rowHeight, headingHeight: 26 * size };
}

// One path for all samples; those that fall on the same tenth of a pixel are one mark.
function ticks(
  samples: number[],
  place: (value: number) => number,
  y: number,
  half: number,
): Tree | undefined {
  if (samples.length === 0) return undefined;
  const places = new Set<number>();
  for (const sample of samples) places.add(Math.round(place(sample) * 10));
  const [top, length] = [at(y - half), at(2 * half)];
  let d = '';
  for (const tenth of places) d += `M${tenth / 10} ${top}v${length}`;
  return tree('path', { class: 'samples', d });
}

function marks({ sampled, tone, numbers, over }: Strip, scale: Scale, y: number, size: number): Tree {
  const { label, median, low, high, samples } = sampled;
  const place = (value: number) => scale.place(value / over);
  const [x, to] = [place(low), place(high)];
  return tree(
    'g',
    { class: `strip ${tone}` },
    tree('title', {}, `${label}: ${numbers}`),
    ticks(samples, place, y, 6 * size),
    tree('rect', { class: 'interval', x, y: y - 2.5 * size, width: Math.max(0.5, to - x), height: 5 * size }),
    tree('circle', { class: 'median', cx: place(median), cy: y, r: 3 * size }),
  );
}

function row(strip: Strip, layout: Layout, scale: Scale, y: number): Tree[] {
  const { size, wide, left, right, width } = layout;
  const { label } = strip.sampled;
  const middle = wide ? y + layout.rowHeight / 2 : y + 28 * size;
  const text = wide ? middle + 4 * size : y + 14 * size;
  const beside = wide
    ? words(strip.numbers, width - right - 8 * size, size, { class: 'numbers', x: right + 8 * size, y: text })
    : words(strip.brief, width * 0.6, size, { class: 'numbers', x: width, y: text, 'text-anchor': 'end' });
  const room = wide
    ? left - 10 * size
    : width - Math.min(lengthOf(strip.brief, size), width * 0.6) - 8 * size;
  return [words(label, room, size, { x: 0, y: text }), beside, marks(strip, scale, middle, size)];
}

// The axis, its words at both ends of a long figure.
function axis(scale: Scale, layout: Layout, top: number, bottom: number, axisLines: string[]): Tree {
  const { size, left, right } = layout;
  const middle = (left + right) / 2;
  const lines = scale.ticks.map(({ at: x }) => tree('line', { x1: x, x2: x, y1: top, y2: bottom }));
  const ends = bottom - top > 400 * size ? [top - 6 * size, bottom + 16 * size] : [bottom + 16 * size];
  const texts = ends.flatMap(y =>
    scale.ticks.map(({ at: x, text }) => tree('text', { x, y, 'text-anchor': 'middle' }, text)),
  );
  const label = axisLines.map((text, index) =>
    tree('text', { x: middle, y: bottom + (34 + 16 * index) * size, 'text-anchor': 'middle' }, text),
  );
  return tree('g', { class: 'grid' }, ...lines, ...texts, ...label);
}

function band({ line }: Strips, { place }: Scale, top: number, bottom: number): Tree[] {
  if (!line) return [];
  const [x, from, to] = [line.value, line.least, line.most].map(place) as [number, number, number];
  return [
    tree('rect', { class: 'band', x: from, y: top, width: Math.max(1, to - from), height: bottom - top }),
    tree('line', { class: 'even', x1: x, x2: x, y1: top, y2: bottom }),
  ];
}

export function drawStrips(figure: Strips, frame: Frame): Tree {
  const layout = layOut(figure, frame);
  const { size, rowHeight, headingHeight } = layout;
  const scale = figure.scale(layout.left, layout.right, 46 * size);
  const top = 20 * size;
  let y = top;
  const rows: Tree[] = [];
  for (const strip of figure.strips) {
    if (strip.heading !== undefined) {
      y += headingHeight;
      rows.push(words(strip.heading, frame.width, size, { class: 'heading', x: 0, y: y - 6 * size }));
    }
    rows.push(...row(strip, layout, scale, y));
    y += rowHeight;
  }
  const bottom = y + 4 * size;
  const axisLines = wrapped(figure.axis, layout.right - layout.left, size);
  return drawing(
    frame.width,
    Math.ceil(bottom + (26 + 16 * axisLines.length) * size),
    figure.label,
    ...band(figure, scale, top, bottom),
    axis(scale, layout, top, bottom, axisLines),
    tree('g', { class: 'rows' }, ...rows),
  );
}
