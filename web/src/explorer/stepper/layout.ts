// SPDX-License-Identifier: MIT
//
// Where the three matrices stand: A left of C, B above it, so that a tile of C has its rows of A beside it and its
// columns of B above it. M, N and K have one scale each, equal where that leaves none of them too thin to see.
import type { Box } from '../../page/canvas';
import type { Walk } from './walk';

export interface Layout {
  unit: number; // pixels of the drawing's own sizes
  width: number;
  height: number;
  a: Box;
  b: Box;
  c: Box;
  perM: number; // pixels an element
  perN: number;
  perK: number;
}

export function layOut(walk: Walk, width: number, mostHeight: number, unit: number): Layout {
  const { BM, BN, BK } = walk.shape;
  const [m, n, k] = [walk.rows * BM, walk.columns * BN, walk.phases * BK];
  const [gap, edge, thinnest] = [26 * unit, 18 * unit, 44 * unit]; // the edge is for the names
  const across = width - gap - 2 * edge;
  const down = mostHeight - gap - 2 * edge;
  const scale = Math.min(across / (k + n), down / (k + m), 24 * unit);
  const length = (extent: number) => Math.max(thinnest, extent * scale);
  // What thin matrices were given is taken from the others.
  let [w, h, d] = [length(n), length(m), length(k)];
  const fit = (space: number, one: number) => Math.max(thinnest, Math.min(one, space));
  d = fit(Math.min(across, down) - thinnest, d);
  w = fit(across - d, w);
  h = fit(down - d, h);
  const left = edge;
  const top = edge;
  return {
    unit,
    width,
    height: 2 * edge + d + gap + h,
    a: { x: left, y: top + d + gap, w: d, h },
    b: { x: left + d + gap, y: top, w, h: d },
    c: { x: left + d + gap, y: top + d + gap, w, h },
    perM: h / m,
    perN: w / n,
    perK: d / k,
  };
}

// The tile of C at a point of the picture.
export function tileAt(
  layout: Layout,
  walk: Walk,
  x: number,
  y: number,
): { row: number; column: number } | undefined {
  const column = Math.floor((x - layout.c.x) / (layout.perN * walk.shape.BN));
  const row = Math.floor((y - layout.c.y) / (layout.perM * walk.shape.BM));
  const inside = column >= 0 && row >= 0 && column < walk.columns && row < walk.rows;
  return inside ? { row, column } : undefined;
}

// A part of a matrix in pixels: rows and columns from `first`, so many of them.
export function part(
  box: Box,
  perRow: number,
  perColumn: number,
  rows: [number, number],
  columns: [number, number],
): Box {
  return {
    x: box.x + columns[0] * perColumn,
    y: box.y + rows[0] * perRow,
    w: columns[1] * perColumn,
    h: rows[1] * perRow,
  };
}
