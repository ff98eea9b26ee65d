// SPDX-License-Identifier: MIT
//
// Measured points from records (JSON Lines, as under results/): `timing` records of tilewright bench. What is no such
// line is counted and named, never guessed at.
import { aboveRoof, bytesMoved, matmulTraffic, type Above, type Machine, type Product } from '../model';

export interface Timing {
  kernel: string;
  role: string; // rung, rival, …
  product: Product;
  tile: [number, number, number] | undefined; // BM, BN, BK; BK = 1 without reduction tiles
  ms: number; // the median
  tflops: number;
}

export interface Measured {
  name: string;
  intensity: number; // of the loads that the kernel asks for, uncached
  tflops: number;
  ms: number;
  above: Above;
  cached: boolean; // its tile is not known, so the intensity is that of each element moved once
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;

function numbers(value: unknown, length: number): number[] | undefined {
  return Array.isArray(value) && value.length === length && value.every(isNumber) ? value : undefined;
}

function timingOf(record: unknown): Timing | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const fields = record as Record<string, unknown>;
  const shape = numbers(fields['shape'], 3);
  const summary = fields['summary_us'] as Record<string, unknown> | undefined;
  const description = fields['description'] as Record<string, unknown> | undefined;
  const median = summary?.['median'];
  if (
    fields['record'] !== 'timing' ||
    fields['verdict'] !== 'PASS' ||
    fields['precision'] !== 'fp32' ||
    !shape ||
    !isNumber(median)
  )
    return undefined;
  const [M, N, K] = shape as [number, number, number];
  return {
    kernel: String(fields['kernel']),
    role: String(fields['role']),
    product: { M, N, K },
    tile: numbers(description?.['tile'], 3) as Timing['tile'],
    ms: median / 1000,
    tflops: (2 * M * N * K) / (median * 1e6),
  };
}

export function timingsOf(text: string): { timings: Timing[]; otherLines: number } {
  const timings: Timing[] = [];
  let otherLines = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    let timing: Timing | undefined;
    try {
      timing = timingOf(JSON.parse(line));
    } catch {
      timing = undefined;
    }
    if (timing) timings.push(timing);
    else ++otherLines;
  }
  return { timings, otherLines };
}

export function loadsOf({ product, tile }: Timing): number {
  if (!tile) return matmulTraffic(product, { BM: 1, BN: 1 }).minimum;
  const [BM, BN, BK] = tile;
  const traffic = matmulTraffic(product, { BM, BN });
  return BK === 1 ? traffic.naive : traffic.tiled;
}

export function measuredPoint(timing: Timing, machine: Machine): Measured {
  const { product, kernel, ms, tflops } = timing;
  const { M, N, K } = product;
  const loads = loadsOf(timing);
  return {
    name: `${kernel} ${M}×${N}×${K}`,
    intensity: (2 * M * N * K) / bytesMoved(product, loads, 4),
    tflops,
    ms,
    above: aboveRoof(product, loads, machine, 4, ms),
    cached: timing.tile === undefined,
  };
}

export const aboveText: Record<Above, string> = {
  compute: 'impossible: faster than the compute ceiling allows; the ceiling or the record is wrong',
  memory: 'impossible: faster than moving each element once; the bandwidth or the record is wrong',
  uncached: 'above the memory roof, impossible without a cache: caches served part of its loads',
  none: 'below the roof',
};
