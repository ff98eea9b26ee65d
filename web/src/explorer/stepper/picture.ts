// SPDX-License-Identifier: MIT
//
// The three matrices with the tiles of the step at hand. What does not change from step to step is drawn once, on a
// canvas of its own.
import { colours, fill, hatch, outline, prepare, ruled, type Box } from '../../page/canvas';
import { clipped } from '../../model';
import { part, type Layout } from './layout';
import type { Place, Walk } from './walk';

const leastTile = 3;
const leastElement = 7;

function drawMatrix(
  context: CanvasRenderingContext2D,
  name: string,
  box: Box,
  exists: Box,
  tile: [number, number],
  element: [number, number],
  unit: number,
): void {
  const { sheet, rule, edge, ink } = colours();
  fill(context, exists, sheet);
  ruled(context, exists, element[0], element[1], rule, leastElement);
  ruled(context, box, tile[0], tile[1], edge, leastTile);
  outline(context, box, rule, 1, [3, 3]);
  outline(context, exists, edge);
  context.fillStyle = ink;
  context.font = `bold ${14 * unit}px system-ui, sans-serif`;
  // A narrow matrix has room for its letter alone.
  context.fillText(context.measureText(name).width > box.w + 20 ? name.slice(0, 1) : name, box.x, box.y - 5);
}

export function drawStill(canvas: HTMLCanvasElement, layout: Layout, walk: Walk): void {
  const context = prepare(canvas, layout.width, layout.height);
  const { M, N, K, BM, BN, BK } = walk.shape;
  const { a, b, c, perM, perN, perK, unit } = layout;
  const all = (extent: number): [number, number] => [0, extent];
  drawMatrix(
    context,
    `A ${M} × ${K}`,
    a,
    part(a, perM, perK, all(M), all(K)),
    [BK * perK, BM * perM],
    [perK, perM],
    unit,
  );
  drawMatrix(
    context,
    `B ${K} × ${N}`,
    b,
    part(b, perK, perN, all(K), all(N)),
    [BN * perN, BK * perK],
    [perN, perK],
    unit,
  );
  drawMatrix(
    context,
    `C ${M} × ${N}`,
    c,
    part(c, perM, perN, all(M), all(N)),
    [BN * perN, BM * perM],
    [perN, perM],
    unit,
  );
}

// The tiles of C whose blocks have run, as far as the step.
function drawDone(
  context: CanvasRenderingContext2D,
  layout: Layout,
  walk: Walk,
  place: Place | undefined,
): void {
  const { BM, BN } = walk.shape;
  const { c, perM, perN } = layout;
  const colour = colours().c;
  const alphaOf = (split: number) => 0.12 + (0.28 * (split + 1)) / walk.split.splits;
  context.fillStyle = colour;
  const split = place ? place.split : walk.split.splits;
  const upTo = place ? place.index : 0;
  walk.places.forEach(({ row, column }, index) => {
    const parts = index < upTo ? split + 1 : split;
    if (parts === 0) return;
    context.globalAlpha = alphaOf(parts - 1);
    context.fillRect(c.x + column * BN * perN, c.y + row * BM * perM, BN * perN, BM * perM);
  });
  context.globalAlpha = 1;
}

interface Piece {
  box: Box;
  exists: Box;
}

function piecesOf(layout: Layout, walk: Walk, place: Place): { a: Piece; b: Piece; c: Piece } {
  const { M, N, K, BM, BN, BK } = walk.shape;
  const { row, column } = place.tile;
  const { a, b, c, perM, perN, perK } = layout;
  const rows: [number, number] = [row * BM, BM];
  const columns: [number, number] = [column * BN, BN];
  const ks: [number, number] = [place.phase * BK, BK];
  const [inM, inN, inK] = [clipped(M, BM, row), clipped(N, BN, column), clipped(K, BK, place.phase)];
  const real = ([first]: [number, number], size: number): [number, number] => [first, size];
  return {
    a: { box: part(a, perM, perK, rows, ks), exists: part(a, perM, perK, real(rows, inM), real(ks, inK)) },
    b: {
      box: part(b, perK, perN, ks, columns),
      exists: part(b, perK, perN, real(ks, inK), real(columns, inN)),
    },
    c: {
      box: part(c, perM, perN, rows, columns),
      exists: part(c, perM, perN, real(rows, inM), real(columns, inN)),
    },
  };
}

function drawPiece(
  context: CanvasRenderingContext2D,
  { box, exists }: Piece,
  colour: string,
  alpha: number,
): void {
  hatch(context, box, colours().quiet);
  fill(context, exists, colours().paper);
  fill(context, exists, colour, alpha);
  outline(context, box, colour, 2);
}

// `place` is that of the last step that was made; undefined before the first. `finished` after the last.
export function drawStep(
  canvas: HTMLCanvasElement,
  still: HTMLCanvasElement,
  layout: Layout,
  walk: Walk,
  place: Place | undefined,
  finished: boolean,
): void {
  const context = prepare(canvas, layout.width, layout.height);
  context.drawImage(still, 0, 0, layout.width, layout.height);
  if (!place) return;
  const { a, b, c } = colours();
  drawDone(context, layout, walk, finished ? undefined : place);
  const { BM, BN, BK } = walk.shape;
  const firstK = (place.phase - place.phaseOfSplit) * BK;
  const behind: [number, number] = [firstK, place.phaseOfSplit * BK];
  const rows: [number, number] = [place.tile.row * BM, BM];
  const columns: [number, number] = [place.tile.column * BN, BN];
  fill(context, part(layout.a, layout.perM, layout.perK, rows, behind), a, 0.25);
  fill(context, part(layout.b, layout.perK, layout.perN, behind, columns), b, 0.25);
  const pieces = piecesOf(layout, walk, place);
  drawPiece(context, pieces.a, a, 0.75);
  drawPiece(context, pieces.b, b, 0.75);
  drawPiece(context, pieces.c, c, 0.25 + (0.5 * (place.phaseOfSplit + 1)) / place.phasesOfSplit);
}
