// SPDX-License-Identifier: MIT
//
// Element loads, as model/traffic.h: a tile of C loads its rows of A and its columns of B once, so A is loaded once
// for each column of tiles and B once for each row of tiles.
import { count, requirePositive, requireProduct, tilesOver, type Product, type Tile } from './exact';

export interface Traffic {
  naive: number; // 2MNK
  tiled: number; // MK⌈N/BN⌉ + KN⌈M/BM⌉
  minimum: number; // MK + KN
  minimumWithOutput: number; // MK + KN + MN
}

export function matmulTraffic(product: Product, { BM, BN }: Tile): Traffic {
  requireProduct(product);
  requirePositive('BM', BM);
  requirePositive('BN', BN);
  const { M, N, K } = product;
  const inputs = M * K + K * N;
  return {
    naive: count(2 * M * N * K, '2MNK element loads'),
    tiled: count(M * K * tilesOver(N, BN) + K * N * tilesOver(M, BM), 'tiled element loads'),
    minimum: inputs,
    minimumWithOutput: inputs + M * N,
  };
}

// FLOP per byte that a block loads.
export function blockIntensity({ BM, BN }: Tile, elementBytes: number): number {
  return (2 * BM * BN) / (elementBytes * (BM + BN));
}

// One stage of both input tiles.
export function tileSharedBytes({ BM, BN }: Tile, BK: number, elementBytes: number): number {
  return elementBytes * BK * (BM + BN);
}

// Shared reads per multiply-add of a register tile.
export function sharedReadsPerMultiplyAdd({ BM, BN }: Tile): number {
  return 1 / BM + 1 / BN;
}
