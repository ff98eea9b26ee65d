// SPDX-License-Identifier: MIT
//
// Exact counting, as model/exact.h. A number of JavaScript is exact up to 2^53: a count beyond it is refused, not
// rounded. Everything in this folder is the C++ model once more, and tests/model.test.ts holds the one to the other.

export interface Product {
  M: number;
  N: number;
  K: number;
}

export interface Tile {
  BM: number;
  BN: number;
}

// The largest extent that the page offers: 2MNK and the bytes of it stay exact.
export const largestExtent = 65536;

export class ModelError extends Error {}

export function requirePositive(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new ModelError(`${name} '${value}': must be an integer of at least 1`);
}

export function requireProduct({ M, N, K }: Product): void {
  requirePositive('M', M);
  requirePositive('N', N);
  requirePositive('K', K);
}

// The number, where it is exact.
export function count(value: number, what: string): number {
  if (!Number.isSafeInteger(value))
    throw new ModelError(`${what}: beyond 2^53, where counts are no longer exact`);
  return value;
}

// How many tiles cover an extent, the last one ragged.
export function tilesOver(extent: number, tile: number): number {
  return Math.floor((extent - 1) / tile) + 1;
}

// How much of an extent its tile `index` covers.
export function clipped(extent: number, tile: number, index: number): number {
  return Math.max(0, Math.min(tile, extent - index * tile));
}
