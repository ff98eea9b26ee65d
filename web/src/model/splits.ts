// SPDX-License-Identifier: MIT
//
// Split-K, as model/splits.h: every tile's reduction is cut into parts of equal length, empty ones left out.
import { count, requirePositive, requireProduct, tilesOver, type Product, type Tile } from './exact';

export interface SplitK {
  steps: number; // reduction steps of one tile
  stepsPerSplit: number;
  splits: number; // those that are not empty
  blocks: number;
  workspaceElements: number; // partial results of the variant with a second pass
}

export function splitK(product: Product, tile: Tile, BK: number, splits: number): SplitK {
  requireProduct(product);
  requirePositive('BK', BK);
  requirePositive('splits', splits);
  const tiles = tilesOver(product.M, tile.BM) * tilesOver(product.N, tile.BN);
  const steps = tilesOver(product.K, BK);
  const stepsPerSplit = tilesOver(steps, splits);
  const used = tilesOver(steps, stepsPerSplit);
  return {
    steps,
    stepsPerSplit,
    splits: used,
    blocks: count(tiles * used, 'blocks'),
    workspaceElements: used === 1 ? 0 : count(used * product.M * product.N, 'partial results'),
  };
}
