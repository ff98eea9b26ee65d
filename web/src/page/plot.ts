// SPDX-License-Identifier: MIT
//
// A plot with two logarithmic axes, drawn at the width it has: decades as grid lines, points and lines by the caller.
import { svg, unit } from './dom';
import { short } from './format';

export interface Axis {
  least: number;
  most: number;
  label: string;
}

export interface Plot {
  element: SVGSVGElement;
  marks: SVGGElement; // what the caller draws
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

function place(axis: Axis, from: number, to: number): (value: number) => number {
  const span = Math.log(axis.most / axis.least);
  return value => from + ((to - from) * Math.log(value / axis.least)) / span;
}

// `label` says what a reader who does not see it must know.
export function logPlot(
  width: number,
  height: number,
  horizontal: Axis,
  vertical: Axis,
  label: string,
): Plot {
  const size = unit();
  const [left, right, top, bottom] = [56 * size, width - 12 * size, 12 * size, height - 44 * size];
  const x = place(horizontal, left, right);
  const y = place(vertical, bottom, top);
  const grid = svg('g', { class: 'grid' });
  const marks = svg('g');
  for (const value of decades(horizontal))
    grid.append(
      svg('line', { x1: x(value), x2: x(value), y1: top, y2: bottom }),
      svg('text', { x: x(value), y: bottom + 16 * size, 'text-anchor': 'middle' }, short(value)),
    );
  for (const value of decades(vertical))
    grid.append(
      svg('line', { x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg('text', { x: left - 6 * size, y: y(value) + 4 * size, 'text-anchor': 'end' }, short(value)),
    );
  grid.append(
    svg(
      'text',
      { class: 'axis', x: (left + right) / 2, y: height - 8 * size, 'text-anchor': 'middle' },
      horizontal.label,
    ),
    svg(
      'text',
      {
        class: 'axis',
        transform: `translate(${13 * size} ${(top + bottom) / 2}) rotate(-90)`,
        'text-anchor': 'middle',
      },
      vertical.label,
    ),
  );
  const element = svg(
    'svg',
    { class: 'plot', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    grid,
    marks,
  );
  element.setAttribute('aria-label', label);
  return { element, marks, x, y, left, right, top, bottom };
}

// A line through points, which may leave the plot: the caller clips by the axes' ends.
export function line(plot: Plot, name: string, points: Point[]): SVGPolylineElement {
  const text = points.map(([x, y]) => `${plot.x(x).toFixed(1)},${plot.y(y).toFixed(1)}`).join(' ');
  return svg('polyline', { class: `line ${name}`, points: text });
}

export type Side = 'left above' | 'right above' | 'left below' | 'right below';

// Text beside a point, on the side that is asked for unless the plot ends there. A rising line leaves the left above and
// the right below free, a falling one the other two.
export function caption(plot: Plot, name: string, [x, y]: Point, text: string, side: Side): SVGTextElement {
  const [across, length] = [plot.x(x), (8 * text.length + 12) * unit()];
  const right = side.startsWith('right') ? across + length < plot.right : across - length < plot.left;
  const attributes = {
    x: across + (right ? 9 : -9) * unit(),
    y: plot.y(y) + (side.endsWith('below') ? 18 : -8) * unit(),
    'text-anchor': right ? 'start' : 'end',
  };
  return svg('text', { class: `caption ${name}`, ...attributes }, text);
}

// The height that suits a plot of a width.
export function heightFor(width: number): number {
  return Math.round(Math.min(440 * unit(), Math.max(280, width * 0.6)));
}

// Calls `draw` with the width of the element whenever that changes.
export function atWidth(element: Element, draw: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== last) draw((last = width));
  }).observe(element);
}
