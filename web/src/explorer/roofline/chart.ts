// SPDX-License-Identifier: MIT
//
// The roofline on two logarithmic axes: the roof with its ridge, the direct and the tiled point, the point of the
// sequence that plays, and measured points as open diamonds.
import { unit } from '../../page/dom';
import { caption, line, logPlot, type Axis, type Plot, type Point, type Side } from '../../page/plot';
import { tree, type Tree } from '../../page/tree';
import { ridge, roofAt } from '../../model';
import type { Measured } from '../measured';
import { modelOf, type Settings } from './settings';

interface ChartState {
  settings: Settings;
  hidden: boolean; // the points, while a prediction is asked for
  playedTile: number | undefined;
  measured: Measured[];
}

function axes(state: ChartState): [Axis, Axis] {
  const { settings, measured } = state;
  const corner = ridge(settings);
  const tiled = modelOf(settings);
  const direct = modelOf(settings, 1);
  const across = [direct.intensity, tiled.intensity, corner, ...measured.map(point => point.intensity)];
  const up = [direct.attainable, settings.compute, ...measured.map(point => point.tflops)];
  return [
    { least: Math.min(...across) / 3, most: Math.max(...across) * 6, label: 'intensity, FLOP per byte' },
    { least: Math.min(...up) / 3, most: Math.max(...up) * 3, label: 'TFLOP/s' },
  ];
}

const dot = (plot: Plot, name: string, [x, y]: Point) =>
  tree('circle', { class: `point ${name}`, cx: plot.x(x), cy: plot.y(y), r: 6 });

function diamond(plot: Plot, point: Measured): Tree {
  const [x, y] = [plot.x(point.intensity), plot.y(point.tflops)];
  const title = tree('title', {}, `${point.name}: measured ${point.tflops.toPrecision(3)} TFLOP/s`);
  const d = `M${x} ${y - 6}l6 6l-6 6l-6 -6z`;
  return tree('path', { class: `measured above-${point.above}`, d }, title);
}

function roof(plot: Plot, settings: Settings, across: Axis): Tree[] {
  const corner = ridge(settings);
  const start = across.least;
  return [
    line(plot, 'roof', [
      [start, roofAt(start, settings)],
      [corner, settings.compute],
      [across.most, settings.compute],
    ]),
    tree('circle', { class: 'ridge', cx: plot.x(corner), cy: plot.y(settings.compute), r: 4 }),
    caption(plot, 'ridge', [corner, settings.compute], `ridge ${corner.toPrecision(3)}`, 'left above'),
  ];
}

export function drawChart(state: ChartState, width: number): Tree {
  const { settings, hidden, playedTile } = state;
  const [across, up] = axes(state);
  const tiled = modelOf(settings);
  const direct = modelOf(settings, 1);
  const label =
    `Roofline: ridge at ${tiled.ridge.toPrecision(3)} FLOP per byte. ` +
    (hidden
      ? 'The points are hidden until you have guessed.'
      : `Direct at ${direct.intensity.toPrecision(3)}, tiled at ${tiled.intensity.toPrecision(3)} FLOP per byte. ` +
        `${state.measured.length} measured points.`);
  const plot = logPlot({ width, size: unit() }, across, up, label);
  plot.marks.push(...roof(plot, settings, across));
  plot.marks.push(...state.measured.map(point => diamond(plot, point)));
  if (!hidden) {
    const points: [string, string, Point, Side][] = [
      ['direct', 'direct', [direct.intensity, direct.attainable], 'right below'],
      ['tiled', `T = ${settings.T}`, [tiled.intensity, tiled.attainable], 'left above'],
    ];
    for (const [name, text, point, side] of points)
      plot.marks.push(dot(plot, name, point), caption(plot, name, point, text, side));
  }
  if (playedTile !== undefined) {
    const played = modelOf(settings, playedTile);
    plot.marks.push(dot(plot, 'played', [played.intensity, played.attainable]));
  }
  return plot.tree;
}
