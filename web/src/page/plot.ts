// SPDX-License-Identifier: MIT
//
// A plot with two logarithmic axes, drawn at the width it has: decades as grid lines, points and lines by the caller.
import { short } from './format';
import { tree, type Tree } from './tree';

// How large a drawing is, and how large a pixel of it: on a wall drawings grow with the text.
export interface Frame {
  width: number;
  size: number;
}

export interface Axis {
  least: number;
  most: number;
  label: string;
}

export interface Plot {
  tree: Tree;
  marks: (Tree | string)[]; // what the caller draws
  size: number;
  x(value: number): number;
  y(value: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Point = [number, number];

function decades({ least, most }: Axis): number[] {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(most) + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

export function logScale(
  { least, most }: { least: number; most: number },
  from: number,
  to: number,
): (value: number) => number {
  const span = Math.log(most / least);
  return value => from + ((to - from) * Math.log(value / least)) / span;
}

// A drawing of a size; `label` says what a reader who does not see it must know.
export function drawing(width: number, height: number, label: string, ...children: Tree[]): Tree {
  const attributes = { class: 'plot', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' };
  return tree('svg', { ...attributes, 'aria-label': label }, ...children);
}

// The height that suits a plot of a width.
export function heightFor({ width, size }: Frame): number {
  return Math.round(Math.min(440 * size, Math.max(280, width * 0.6)));
}

// `above` is room for what the caller writes over the plot.
export function logPlot(frame: Frame, horizontal: Axis, vertical: Axis, label: string, above = 0): Plot {
  const { width, size } = frame;
  const height = heightFor(frame) + above;
  const [left, right, top, bottom] = [56 * size, width - 12 * size, 12 * size + above, height - 44 * size];
  const x = logScale(horizontal, left, right);
  const y = logScale(vertical, bottom, top);
  const grid: Tree[] = [];
  for (const value of decades(horizontal))
    grid.push(
      tree('line', { x1: x(value), x2: x(value), y1: top, y2: bottom }),
      tree('text', { x: x(value), y: bottom + 16 * size, 'text-anchor': 'middle' }, short(value)),
    );
  for (const value of decades(vertical))
    grid.push(
      tree('line', { x1: left, x2: right, y1: y(value), y2: y(value) }),
      tree('text', { x: left - 6 * size, y: y(value) + 4 * size, 'text-anchor': 'end' }, short(value)),
    );
  const middle = { class: 'axis', 'text-anchor': 'middle' };
  const turned = `translate(${13 * size} ${(top + bottom) / 2}) rotate(-90)`;
  grid.push(
    tree('text', { ...middle, x: (left + right) / 2, y: height - 8 * size }, horizontal.label),
    tree('text', { ...middle, transform: turned }, vertical.label),
  );
  const marks = tree('g');
  const whole = drawing(width, height, label, tree('g', { class: 'grid' }, ...grid), marks);
  return { tree: whole, marks: marks.children, size, x, y, left, right, top, bottom };
}

// A line through points, which may leave the plot: the caller clips by the axes' ends.
export function line(plot: Plot, name: string, points: Point[]): Tree {
  const text = points.map(([x, y]) => `${plot.x(x).toFixed(1)},${plot.y(y).toFixed(1)}`).join(' ');
  return tree('polyline', { class: `line ${name}`, points: text });
}

export type Side = 'left above' | 'right above' | 'left below' | 'right below';

// Text beside a point, on the side that is asked for unless the plot ends there. A rising line leaves the left above and
// the right below free, a falling one the other two.
export function caption(plot: Plot, name: string, [x, y]: Point, text: string, side: Side): Tree {
  const [across, length] = [plot.x(x), (8 * text.length + 12) * plot.size];
  const right = side.startsWith('right') ? across + length < plot.right : across - length < plot.left;
  const attributes = {
    x: across + (right ? 9 : -9) * plot.size,
    y: plot.y(y) + (side.endsWith('below') ? 18 : -8) * plot.size,
    'text-anchor': right ? 'start' : 'end',
  };
  return tree('text', { class: `caption ${name}`, ...attributes }, text);
}
