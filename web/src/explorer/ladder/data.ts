// SPDX-License-Identifier: MIT
//
// The rungs with their texts and records, unpacked once, when a view first asks for them.
import { names, packed } from 'virtual:ladder';
import type { Timing } from '../measured';
import { fromBase85 } from './base85';

export interface LadderTiming {
  kernel: string;
  shape: [number, number, number];
  tile: [number, number, number];
  shared_bytes: number;
  us: number;
  low_us: number;
  high_us: number;
  cublas: number | null; // cuBLAS's time over the kernel's
}

export interface Counts {
  shape: [number, number, number];
  rows: [string, number | null, number | null, string][]; // quantity, predicted, measured, word
}

export interface Rung {
  name: string;
  file: string;
  idea: string;
  kernels: string[];
  timings: LadderTiming[];
  untimed: { kernel: string; shape: [number, number, number]; verdict: string }[];
  counts: Record<string, Counts | null>;
}

interface Run {
  gpu: string;
  driver: string;
  toolkit: string;
  cublas: string;
  ceilings: { fma_tflops: number; read_gbps: number };
  revision: string;
  started: string;
  cache: string;
}

export interface Ladder {
  rungs: Rung[];
  run: Run;
  sources: Record<string, string>;
  pages: Record<string, string>;
  traces: unknown[];
}

export const rungNames = names;

async function unpack(): Promise<Ladder> {
  const bytes = fromBase85(packed.text, packed.alphabet, packed.length);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text()) as Ladder;
}

let unpacked: Promise<Ladder> | undefined;
export const ladder = (): Promise<Ladder> => (unpacked ??= unpack());

export function timingOfRung({ kernel, shape: [M, N, K], tile, us }: LadderTiming): Timing {
  return {
    kernel,
    role: 'rung',
    product: { M, N, K },
    tile,
    ms: us / 1000,
    tflops: (2 * M * N * K) / (us * 1e6),
  };
}
