// SPDX-License-Identifier: MIT
//
// The roofline of a tiled product, as model/roofline.h: optimistic, uncached, the terms not added.
import { count, ModelError, requirePositive, requireProduct, type Product } from './exact';
import { matmulTraffic } from './traffic';

export const rooflineAssumptions = [
  'optimistic: compute and memory overlap perfectly and both run at their full rate; the terms are not added',
  'uncached: every tile load goes to memory, 2MNK/T elements of A and B, and C is stored once',
  '2MNK useful FLOP; decimal GB/s and TFLOP/s; T = 1 is the direct load, without shared memory',
  'the compute ceiling must be that of the unit the kernel uses: a float32 FMA kernel is never given a ' +
    'tensor-core or sparse ceiling',
];

export interface Machine {
  bandwidth: number; // GB/s
  compute: number; // TFLOP/s
}

export interface Roofline {
  flop: number;
  trafficBytes: number;
  intensity: number; // FLOP per byte
  ridge: number; // FLOP per byte at which both bounds are equal
  sharedBytes: number;
  memoryMs: number;
  computeMs: number;
  boundMs: number;
  attainable: number; // TFLOP/s
  memoryBound: boolean;
}

export function roofline(product: Product, T: number, machine: Machine, elementBytes = 4): Roofline {
  requireProduct(product);
  requirePositive('tile T', T);
  requirePositive('element bytes', elementBytes);
  if (!(machine.bandwidth > 0 && machine.compute > 0 && Number.isFinite(machine.bandwidth + machine.compute)))
    throw new ModelError('bandwidth and compute must be above zero');
  const { M, N, K } = product;
  const flop = count(2 * M * N * K, '2MNK FLOP');
  const trafficBytes = elementBytes * (flop / T + M * N);
  const memoryMs = (trafficBytes / machine.bandwidth) * 1e-6;
  const computeMs = (flop / machine.compute) * 1e-9;
  const boundMs = Math.max(memoryMs, computeMs);
  return {
    flop,
    trafficBytes,
    intensity: flop / trafficBytes,
    ridge: ridge(machine),
    sharedBytes: T === 1 ? 0 : 2 * elementBytes * T * T,
    memoryMs,
    computeMs,
    boundMs,
    attainable: (flop / boundMs) * 1e-9,
    memoryBound: memoryMs >= computeMs,
  };
}

export function ridge(machine: Machine): number {
  return (machine.compute / machine.bandwidth) * 1e3;
}

// The highest rate, in TFLOP/s, that the roof allows at an intensity.
export function roofAt(intensity: number, machine: Machine): number {
  return Math.min(machine.compute, (intensity * machine.bandwidth) / 1e3);
}

// Uncached bytes of a product whose kernel loads so many elements of A and B and stores C once.
export function bytesMoved({ M, N }: Product, elementsLoaded: number, elementBytes: number): number {
  return elementBytes * (elementsLoaded + M * N);
}

// Against which roof a measured time is impossible: "compute" when it is below the time of the FLOP alone, "memory"
// when it is below that of moving each element once, which no cache can save; "uncached" when it is only below the
// time of the loads that the kernel asks for, which says that caches served some of them.
export type Above = 'compute' | 'memory' | 'uncached' | 'none';

export function aboveRoof(
  product: Product,
  elementsLoaded: number,
  machine: Machine,
  elementBytes: number,
  ms: number,
): Above {
  const { M, N, K } = product;
  const memoryMs = (elements: number) =>
    (bytesMoved(product, elements, elementBytes) / machine.bandwidth) * 1e-6;
  if (ms < ((2 * M * N * K) / machine.compute) * 1e-9) return 'compute';
  if (ms < memoryMs(matmulTraffic(product, { BM: M, BN: N }).minimum)) return 'memory';
  return ms < memoryMs(elementsLoaded) ? 'uncached' : 'none';
}
