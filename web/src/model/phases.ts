// SPDX-License-Identifier: MIT
//
// What one block does in one phase of its reduction, as model/phases.h, for any tile BM x BN x BK and any register
// tile TM x TN of its threads.
import { clipped, tilesOver, type Product, type Tile } from './exact';

export interface BlockShape extends Tile {
  BK: number;
  TM: number;
  TN: number;
}

export interface Phase {
  validK: number;
  zeroFilledK: number;
  validRows: number; // of the tile of C, and of A
  validColumns: number; // of the tile of C, and of B
  threads: number; // all take part
  storingThreads: number; // those with an element of C that exists
  loadedA: number;
  loadedB: number;
  zeroElements: number; // of both tiles
  multiplyAdds: number; // of the product
  sharedReads: number; // register tiles clipped at the edges of C and K
  paddedSharedReads: number; // of all threads, over all BK
  sharedWrites: number; // both tiles whole, zeros among them
}

export function threadsOf({ BM, BN, TM, TN }: BlockShape): number {
  return (BM / TM) * (BN / TN);
}

export function phaseOf(
  product: Product,
  block: BlockShape,
  row: number,
  column: number,
  phase: number,
): Phase {
  const { BM, BN, BK, TM, TN } = block;
  const validK = clipped(product.K, BK, phase);
  const validRows = clipped(product.M, BM, row);
  const validColumns = clipped(product.N, BN, column);
  const threads = threadsOf(block);
  const rowsOfThreads = tilesOver(validRows, TM);
  const columnsOfThreads = tilesOver(validColumns, TN);
  const loadedA = validK * validRows;
  const loadedB = validK * validColumns;
  return {
    validK,
    zeroFilledK: BK - validK,
    validRows,
    validColumns,
    threads,
    storingThreads: rowsOfThreads * columnsOfThreads,
    loadedA,
    loadedB,
    zeroElements: BK * (BM + BN) - loadedA - loadedB,
    multiplyAdds: validK * validRows * validColumns,
    sharedReads: validK * (validRows * columnsOfThreads + validColumns * rowsOfThreads),
    paddedSharedReads: BK * threads * (TM + TN),
    sharedWrites: BK * (BM + BN),
  };
}
