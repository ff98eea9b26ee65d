// SPDX-License-Identifier: MIT
//
// How little can be moved with S elements on chip, as model/bound.h.
import { matmulTraffic } from './traffic';
import { ModelError, type Product, type Tile } from './exact';

export const boundAssumptions = [
  "one processor with S elements on chip and everything else outside; the classical 2MNK algorithm, so not Strassen's",
  'lower bound: MNK/(2√2·√S) − S elements moved, both ways; below zero it says nothing',
  'tiling: the loads of A and B with tiles of side √(S/3), not rounded, one tile of each matrix on chip',
  'minimum: A and B once, MK + KN',
];

export interface Bound {
  lowerBound: number; // MNK/(2√2·√S) − S; may be negative, then it says nothing
  tiling: number; // 2√3·MNK/√S
  minimum: number;
  atLeast: number; // the larger of lowerBound and minimum
  tileSide: number; // ⌊√(S/3)⌋
  tiled: number; // exact loads with tiles of that side
}

export function trafficBound(product: Product, onChip: number): Bound {
  if (!(onChip >= 3)) throw new ModelError(`S '${onChip}': must be at least 3, one element of each matrix`);
  let side = Math.floor(Math.sqrt(Math.floor(onChip / 3)));
  while (3 * side * side > onChip) --side;
  const traffic = matmulTraffic(product, { BM: side, BN: side });
  const root = Math.sqrt(onChip);
  const multiplyAdds = traffic.naive / 2;
  const lowerBound = multiplyAdds / (2 * Math.sqrt(2) * root) - onChip;
  return {
    lowerBound,
    tiling: (2 * Math.sqrt(3) * multiplyAdds) / root,
    minimum: traffic.minimum,
    atLeast: Math.max(lowerBound, traffic.minimum),
    tileSide: side,
    tiled: traffic.tiled,
  };
}

// What a block keeps on chip, in elements of float32: its shared memory and its sums, one an element of its tile of C.
export function onChipElements({ BM, BN }: Tile, sharedBytes: number): number {
  return sharedBytes / 4 + BM * BN;
}
