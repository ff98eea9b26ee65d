// SPDX-License-Identifier: MIT
//
// The order in which blocks run and what it costs the memory behind the L2, as model/block_order.h.
import { clipped, count, tilesOver, type Product, type Tile } from './exact';

export type BlockOrder = 'row' | 'grouped' | 'hilbert';
export const blockOrders: BlockOrder[] = ['row', 'grouped', 'hilbert'];

export interface TilePlace {
  row: number;
  column: number;
}

function groupedPlace(index: number, rows: number, columns: number, group: number): TilePlace {
  const wanted = Math.min(group, rows);
  const firstRow = Math.floor(index / (wanted * columns)) * wanted;
  const height = Math.min(wanted, rows - firstRow);
  const within = index - firstRow * columns;
  return { row: firstRow + (within % height), column: Math.floor(within / height) };
}

interface CurveSquare {
  row: number;
  column: number;
  side: number;
  alongRows: boolean;
  reversed: boolean;
}

function walk(square: CurveSquare, rows: number, columns: number, places: TilePlace[]): void {
  const { row, column, side, alongRows, reversed } = square;
  if (row >= rows || column >= columns) return;
  if (side === 1) {
    places.push({ row, column });
    return;
  }
  const half = side / 2;
  const near = reversed ? half : 0;
  const far = half - near;
  const quarter = (along: number, across: number, turned: boolean, back: boolean) =>
    walk(
      {
        row: row + (alongRows ? along : across),
        column: column + (alongRows ? across : along),
        side: half,
        alongRows: turned !== alongRows,
        reversed: back,
      },
      rows,
      columns,
      places,
    );
  quarter(near, near, true, reversed);
  quarter(far, near, false, reversed);
  quarter(far, far, false, reversed);
  quarter(near, far, true, !reversed);
}

function hilbertOrder(rows: number, columns: number): TilePlace[] {
  let side = 1;
  while (side < Math.max(rows, columns)) side *= 2;
  const places: TilePlace[] = [];
  walk({ row: 0, column: 0, side, alongRows: false, reversed: false }, rows, columns, places);
  return places;
}

// Every tile of C in the order in which its block runs.
export function orderPlaces(order: BlockOrder, rows: number, columns: number, group: number): TilePlace[] {
  if (order === 'hilbert') return hilbertOrder(rows, columns);
  const height = order === 'row' ? 1 : group;
  return Array.from({ length: rows * columns }, (_, index) => groupedPlace(index, rows, columns, height));
}

// Elements of A and B that must come from memory: each strip once a wave of `resident` blocks.
export function orderReads(product: Product, tile: Tile, places: TilePlace[], resident: number): number {
  const { M, N, K } = product;
  const lastA = new Int32Array(tilesOver(M, tile.BM)).fill(-1);
  const lastB = new Int32Array(tilesOver(N, tile.BN)).fill(-1);
  let loaded = 0;
  places.forEach(({ row, column }, index) => {
    const wave = Math.floor(index / resident);
    if (lastA[row] !== wave) loaded += clipped(M, tile.BM, row);
    if (lastB[column] !== wave) loaded += clipped(N, tile.BN, column);
    lastA[row] = lastB[column] = wave;
  });
  return count(loaded * K, 'element loads');
}

// The strips of A and B that some blocks need together, and how many elements those hold.
export function stripsOf(
  product: Product,
  tile: Tile,
  blocks: TilePlace[],
): { rows: Set<number>; columns: Set<number>; elements: number } {
  const rows = new Set(blocks.map(({ row }) => row));
  const columns = new Set(blocks.map(({ column }) => column));
  let lines = 0;
  for (const row of rows) lines += clipped(product.M, tile.BM, row);
  for (const column of columns) lines += clipped(product.N, tile.BN, column);
  return { rows, columns, elements: count(lines * product.K, 'elements of a wave') };
}
