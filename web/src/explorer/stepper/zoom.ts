// SPDX-License-Identifier: MIT
//
// One block in its phase, element by element: the tile of A, the tile of B and the tile of C, who loads what, and the
// register tile of the selected thread with the elements it reads in each k.
import { colours, fill, hatch, outline, prepare, ruled, type Box } from '../../page/canvas';
import { threadsOf } from '../../model';
import { part } from './layout';
import { loadedBy, threadPart } from './texts';
import type { Place, Walk } from './walk';

export interface Zoom {
  unit: number;
  width: number;
  height: number;
  cell: number;
  a: Box;
  b: Box;
  c: Box;
}

export function zoomLayout(walk: Walk, space: number, unit: number): Zoom {
  const { BM, BN, BK } = walk.shape;
  const [gap, edge, width] = [22 * unit, 18 * unit, Math.min(space, 620 * unit)];
  const cell = Math.min(16 * unit, (width - gap - 2) / (BK + BN));
  const left = 1 + BK * cell + gap;
  const top = edge + BK * cell + gap;
  return {
    unit,
    width,
    height: top + BM * cell + 2,
    cell,
    a: { x: 1, y: top, w: BK * cell, h: BM * cell },
    b: { x: left, y: edge, w: BN * cell, h: BK * cell },
    c: { x: left, y: top, w: BN * cell, h: BM * cell },
  };
}

// The thread that loads or computes what lies at a point.
export function threadAt(zoom: Zoom, walk: Walk, x: number, y: number): number | undefined {
  const { BK, BN, TM, TN } = walk.shape;
  const inside = (box: Box) => x >= box.x && y >= box.y && x < box.x + box.w && y < box.y + box.h;
  const cellOf = (box: Box) =>
    [Math.floor((y - box.y) / zoom.cell), Math.floor((x - box.x) / zoom.cell)] as const;
  const threads = threadsOf(walk.shape);
  for (const [box, columns] of [
    [zoom.a, BK],
    [zoom.b, BN],
  ] as const)
    if (inside(box)) {
      const [row, column] = cellOf(box);
      return (row * columns + column) % threads;
    }
  if (!inside(zoom.c)) return undefined;
  const [row, column] = cellOf(zoom.c);
  return Math.floor(row / TM) * (BN / TN) + Math.floor(column / TN);
}

interface Grid {
  name: string;
  box: Box;
  rows: number;
  columns: number;
  validRows: number;
  validColumns: number;
  colour: string;
}

// Cells in bands by the warp that loads them; those that do not exist are hatched.
function drawGrid(
  context: CanvasRenderingContext2D,
  grid: Grid,
  { cell, unit }: Zoom,
  warpOf: (row: number, column: number) => number,
): void {
  const { box, rows, columns, validRows, validColumns, colour } = grid;
  const { rule, edge, quiet, ink } = colours();
  for (let row = 0; row < validRows; ++row)
    for (let column = 0; column < validColumns; ++column) {
      const square = part(box, cell, cell, [row, 1], [column, 1]);
      fill(context, square, colour, warpOf(row, column) % 2 === 0 ? 0.2 : 0.38);
    }
  hatch(context, part(box, cell, cell, [0, rows], [validColumns, columns - validColumns]), quiet);
  hatch(context, part(box, cell, cell, [validRows, rows - validRows], [0, validColumns]), quiet);
  ruled(context, box, cell, cell, rule, 5);
  outline(context, box, edge);
  context.fillStyle = ink;
  context.font = `${13 * unit}px system-ui, sans-serif`;
  context.fillText(grid.name, box.x, box.y - 5);
}

function gridsOf(zoom: Zoom, walk: Walk, place: Place): Grid[] {
  const { BM, BN, BK } = walk.shape;
  const { a, b, c } = colours();
  const { validK, validRows, validColumns } = walk.phaseAt(place);
  return [
    { name: 'a, tile of A', box: zoom.a, rows: BM, columns: BK, validRows, validColumns: validK, colour: a },
    { name: 'b, tile of B', box: zoom.b, rows: BK, columns: BN, validRows: validK, validColumns, colour: b },
    { name: 'tile of C', box: zoom.c, rows: BM, columns: BN, validRows, validColumns, colour: c },
  ];
}

export function drawZoom(
  canvas: HTMLCanvasElement,
  zoom: Zoom,
  walk: Walk,
  place: Place,
  thread: number,
): void {
  const context = prepare(canvas, zoom.width, zoom.height);
  const { BM, BN, BK, TM, TN } = walk.shape;
  const { ink, a, b } = colours();
  const threads = threadsOf(walk.shape);
  const across = BN / TN;
  const [gridA, gridB, gridC] = gridsOf(zoom, walk, place) as [Grid, Grid, Grid];
  const warpOfLoad = (columns: number) => (row: number, column: number) =>
    Math.floor(((row * columns + column) % threads) / 32);
  drawGrid(context, gridA, zoom, warpOfLoad(BK));
  drawGrid(context, gridB, zoom, warpOfLoad(BN));
  drawGrid(context, gridC, zoom, (row, column) =>
    Math.floor((Math.floor(row / TM) * across + Math.floor(column / TN)) / 32),
  );
  const { x, y } = threadPart(walk, thread);
  const mark = (box: Box, columns: number, elements: number[], colour: string) => {
    for (const element of elements)
      fill(
        context,
        part(box, zoom.cell, zoom.cell, [Math.floor(element / columns), 1], [element % columns, 1]),
        colour,
      );
  };
  mark(zoom.a, BK, loadedBy(thread, threads, BM * BK), a);
  mark(zoom.b, BN, loadedBy(thread, threads, BK * BN), b);
  const reads = [4, 3];
  outline(context, part(zoom.a, zoom.cell, zoom.cell, [y * TM, TM], [0, BK]), ink, 1.5, reads);
  outline(context, part(zoom.b, zoom.cell, zoom.cell, [0, BK], [x * TN, TN]), ink, 1.5, reads);
  outline(context, part(zoom.c, zoom.cell, zoom.cell, [y * TM, TM], [x * TN, TN]), ink, 2.5);
}
