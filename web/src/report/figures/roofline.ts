// SPDX-License-Identifier: MIT
//
// The roofline with measured ceilings: what was reached against the work that there is for each byte that must move. A
// point over the roof is impossible, and shown as that.
import { digits, plural } from '../../page/format';
import { line, logPlot, type Axis, type Frame, type Plot } from '../../page/plot';
import { at, tree, type Tree } from '../../page/tree';
import type { RooflineBlock, RooflinePoint } from '../document';
import { rangeOf } from './scale';
import { lengthOf, words } from './words';

const narrowest = 620; // of a window that has the ceilings' names on their lines
const memorySide = 12; // how far the axis goes on below the ridge
const kinds = 4; // of marks, by group: circle, diamond, triangle, square

function shape(kind: number, x: number, y: number, r: number): Tree {
  const box = { class: `mark mark-${kind}` };
  if (kind === 0) return tree('circle', { ...box, cx: x, cy: y, r });
  const [left, top] = [x.toFixed(1), (y - r).toFixed(1)];
  if (kind === 1) return tree('path', { ...box, d: `M${left} ${top}l${r} ${r}l-${r} ${r}l-${r} -${r}z` });
  if (kind === 2) return tree('path', { ...box, d: `M${left} ${top}l${r} ${2 * r}h-${2 * r}z` });
  return tree('rect', { ...box, x: x - r, y: y - r, width: 2 * r, height: 2 * r });
}

function axes({ compute, memory, points }: RooflineBlock): [Axis, Axis] {
  const ridge = (compute.tflops * 1000) / memory.gbps;
  const across = rangeOf([ridge, ...points.map(({ intensity }) => intensity)]);
  const up = rangeOf([compute.tflops, ...points.map(({ tflops }) => tflops)]);
  return [
    {
      least: Math.min(across.least / 2, ridge / memorySide),
      most: across.most * 3,
      label: 'FLOP per byte of compulsory traffic',
    },
    { least: up.least / 2, most: up.most * 2, label: 'TFLOP/s' },
  ];
}

const ceilings = ({ compute, memory }: RooflineBlock): [string, string] => [
  `${compute.label}: ${compute.tflops.toFixed(1)} TFLOP/s`,
  `${memory.label}: ${digits(memory.gbps, 4)} GB/s`,
];

function roof(plot: Plot, block: RooflineBlock, across: Axis, up: Axis, named: boolean): Tree[] {
  const slope = block.memory.gbps / 1000;
  const most = block.compute.tflops;
  const start = Math.max(across.least, up.least / slope);
  const ridge = most / slope;
  const roofline = line(plot, 'roof', [
    [start, start * slope],
    [ridge, most],
    [across.most, most],
  ]);
  if (!named) return [roofline];
  const { size } = plot;
  const [compute, memory] = ceilings(block);
  const [w, h] = [plot.x(ridge) - plot.x(start), plot.y(most) - plot.y(start * slope)];
  const [x, y] = [plot.x(start) + w / 2, plot.y(start * slope) + h / 2];
  const turned = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${((Math.atan2(h, w) * 180) / Math.PI).toFixed(1)})`;
  const along = { class: 'caption', transform: turned, y: -8 * size, 'text-anchor': 'middle' };
  const over = {
    class: 'caption',
    x: plot.right - 4 * size,
    y: plot.y(most) - 8 * size,
    'text-anchor': 'end',
  };
  return [
    roofline,
    words(memory, Math.hypot(w, h), size, along),
    words(compute, plot.right - plot.x(ridge), size, over),
  ];
}

function mark(plot: Plot, point: RooflinePoint, kind: number): Tree {
  const [x, y] = [plot.x(point.intensity), plot.y(point.tflops)];
  const said = `${point.label}: ${digits(point.tflops, 4)} TFLOP/s at ${digits(point.intensity)} FLOP per byte`;
  const impossible = point.above ? ', over the roof: impossible' : '';
  return tree(
    'g',
    {},
    tree('title', {}, `${said}${impossible}`),
    shape(kind, x, y, 5 * plot.size),
    point.above ? cross(x, y, 8 * plot.size) : undefined,
  );
}

const cross = (x: number, y: number, r: number) =>
  tree('path', {
    class: 'impossible',
    d: `M${at(x - r)} ${at(y - r)}l${2 * r} ${2 * r}m0 -${2 * r}l-${2 * r} ${2 * r}`,
  });

interface Entry {
  text: string;
  symbol?: (x: number, y: number) => Tree;
}

// What the marks are, over the plot, in as many lines as they need.
function legend(entries: Entry[], { width, size }: Frame): { marks: Tree[]; height: number } {
  const marks: Tree[] = [];
  let [x, y] = [8 * size, 10 * size];
  for (const { text, symbol } of entries) {
    const length = lengthOf(text, size) + 30 * size;
    if (x + length > width && x > 8 * size) [x, y] = [8 * size, y + 20 * size];
    if (symbol) marks.push(symbol(x, y));
    const attributes = { x: symbol ? x + 10 * size : x - 6 * size, y: y + 4 * size };
    marks.push(words(text, width - attributes.x, size, attributes));
    x += length;
  }
  return { marks, height: y + 10 * size };
}

export function drawRoofline(block: RooflineBlock, frame: Frame): Tree {
  const { size } = frame;
  const [across, up] = axes(block);
  const groups = [...new Set(block.points.map(({ group }) => group))];
  const above = block.points.filter(point => point.above).length;
  const named = frame.width >= narrowest * size;
  const entries: Entry[] = groups.map((text, index) => ({
    text,
    symbol: (x, y) => shape(index % kinds, x, y, 5 * size),
  }));
  if (above) entries.push({ text: 'over the roof: impossible', symbol: (x, y) => cross(x, y, 5 * size) });
  if (!named) entries.push(...ceilings(block).map(text => ({ text })));
  const key = legend(entries, frame);
  const label =
    `${block.caption}: ${plural(block.points.length, 'point')} of ${groups.join(', ')} under ${ceilings(block).join(', and ')}; ` +
    `${above} over the roof. The numbers are in a table of this report.`;
  const plot = logPlot(frame, across, up, label, key.height);
  plot.marks.push(
    ...key.marks,
    ...roof(plot, block, across, up, named),
    ...block.points.map(point => mark(plot, point, groups.indexOf(point.group) % kinds)),
  );
  return plot.tree;
}
