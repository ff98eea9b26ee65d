// SPDX-License-Identifier: MIT
//
// The model of the pages against the program's answers: counts are equal, real numbers to the last few bits.
import { describe, expect, test } from 'vitest';
import * as model from '../src/model';
import { random, tilewright, type Answer } from './tilewright';

const draw = random(1);
const shapes: model.Product[] = [
  { M: 17, N: 19, K: 23 },
  { M: 1, N: 1, K: 1 },
  { M: 1024, N: 1024, K: 1024 },
  { M: 4096, N: 4096, K: 4096 },
  { M: 65536, N: 65536, K: 65536 },
  { M: 1, N: 4096, K: 31 },
  ...Array.from({ length: 12 }, () => ({ M: draw(1, 3000), N: draw(1, 3000), K: draw(1, 3000) })),
];
const text = ({ M, N, K }: model.Product) => `${M}x${N}x${K}`;

// Every pair of a count in the answer and a number of ours.
function expectEqual(answer: Answer, ours: Record<string, number>): void {
  for (const [key, value] of Object.entries(ours)) expect(answer[key], key).toBe(value);
}
function expectClose(answer: Answer, ours: Record<string, number>): void {
  for (const [key, value] of Object.entries(ours)) {
    const theirs = answer[key] as number;
    expect(Math.abs(theirs - value), `${key}: ${theirs} and ${value}`).toBeLessThanOrEqual(
      1e-14 * Math.abs(theirs),
    );
  }
}

describe('what the program answers', () => {
  test.each(shapes)('traffic of $M x $N x $K', product => {
    for (const tile of [
      { BM: 16, BN: 16 },
      { BM: draw(1, 300), BN: draw(1, 300) },
    ]) {
      const ours = model.matmulTraffic(product, tile);
      const answer = tilewright('model', 'traffic', text(product), '--tile', `${tile.BM}x${tile.BN}`);
      const { minimumWithOutput, ...same } = ours;
      expectEqual(answer, { ...same, minimum_with_output: minimumWithOutput });
      expectClose(answer, { block_intensity: model.blockIntensity(tile, 4) });
    }
  });

  test.each([1, 2, 3, 8])('shared reads per multiply-add of a register tile of %d', t => {
    const answer = tilewright('model', 'two-level', '80x80x80', '--tile', 24, '--register', t);
    expectClose(answer, { shared_reads_per_multiply_add: model.sharedReadsPerMultiplyAdd({ BM: t, BN: t }) });
  });

  test.each(shapes)('roofline of $M x $N x $K', product => {
    for (const [T, bytes] of [
      [1, 4],
      [draw(1, 64), 2],
    ] as const) {
      const machine = { bandwidth: draw(1, 8000), compute: draw(1, 1000) / 10 };
      const ours = model.roofline(product, T, machine, bytes);
      const answer = tilewright(
        ...['model', 'roofline', '--shape', text(product), '--tile', T, '--element-bytes', bytes],
        ...['--bandwidth', machine.bandwidth, '--compute', machine.compute],
      );
      expectEqual(answer, { flop: ours.flop, shared_bytes: ours.sharedBytes });
      expectClose(answer, {
        traffic_bytes: ours.trafficBytes,
        intensity: ours.intensity,
        ridge: ours.ridge,
        memory_ms: ours.memoryMs,
        compute_ms: ours.computeMs,
        bound_ms: ours.boundMs,
        attainable_tflop_per_s: ours.attainable,
      });
      expect(answer['bound_by']).toBe(ours.memoryBound ? 'memory' : 'compute');
    }
  });

  test.each(shapes)('bound of $M x $N x $K', product => {
    const S = draw(3, 100000);
    const ours = model.trafficBound(product, S);
    const answer = tilewright('model', 'bound', text(product), '--on-chip', S);
    expectEqual(answer, { minimum: ours.minimum, tile_side: ours.tileSide, tiled: ours.tiled });
    expectClose(answer, { lower_bound: ours.lowerBound, tiling: ours.tiling, at_least: ours.atLeast });
  });

  test.each(shapes.filter(({ M }) => M < 5000))('order and split-k of $M x $N x $K', product => {
    const tile = { BM: draw(8, 200), BN: draw(8, 200) };
    const [group, resident] = [draw(1, 20), draw(1, 300)];
    const tiles = [model.tilesOver(product.M, tile.BM), model.tilesOver(product.N, tile.BN)] as const;
    for (const order of model.blockOrders) {
      const answer = tilewright(
        ...['model', 'order', text(product), '--tile', `${tile.BM}x${tile.BN}`, '--order', order],
        ...['--group', group, '--resident', resident],
      );
      const places = model.orderPlaces(order, ...tiles, group);
      expectEqual(answer, { memory_reads: model.orderReads(product, tile, places, resident) });
      let waves = 0;
      for (let first = 0; first < places.length; first += resident)
        waves += model.stripsOf(product, tile, places.slice(first, first + resident)).elements;
      expectEqual(answer, { memory_reads: waves });
    }
    const [BK, splits] = [draw(1, 64), draw(1, 40)];
    const ours = model.splitK(product, tile, BK, splits);
    expectEqual(
      tilewright(
        ...['model', 'split-k', text(product), '--tile', `${tile.BM}x${tile.BN}`],
        ...['--step', BK, '--splits', splits],
      ),
      {
        steps: ours.steps,
        steps_per_split: ours.stepsPerSplit,
        splits: ours.splits,
        blocks: ours.blocks,
        workspace_elements: ours.workspaceElements,
      },
    );
  });

  test('every block and phase of the trace on paper', () => {
    for (const [product, T] of [
      [{ M: 17, N: 19, K: 23 }, 16],
      [{ M: 5, N: 70, K: 40 }, 8],
    ] as const) {
      const answer = tilewright('model', 'phases', text(product), '--tile', T);
      const phases = answer['phases'] as (Answer & { block: [number, number]; phase: number })[];
      expect(phases.length).toBeGreaterThan(7);
      for (const phase of phases) {
        const [column, row] = phase.block;
        const ours = model.phaseOf(product, { BM: T, BN: T, BK: T, TM: 1, TN: 1 }, row, column, phase.phase);
        expectEqual(phase, {
          valid_k: ours.validK,
          zero_filled_k: ours.zeroFilledK,
          participating_threads: ours.threads,
          storing_threads: ours.storingThreads,
          loaded_elements: ours.loadedA + ours.loadedB,
          zero_elements: ours.zeroElements,
        });
      }
    }
  });
});

describe('what is above a roof', () => {
  const product = { M: 1024, N: 1024, K: 1024 };
  const machine = { bandwidth: 1000, compute: 60 };
  const loads = model.matmulTraffic(product, { BM: 16, BN: 16 }).tiled;
  test.each([
    [0.03, 'compute'], // 0.0358 ms of FLOP
    [0.036, 'uncached'], // the uncached loads take 0.5411 ms
    [0.55, 'none'],
  ])('%d ms: %s', (ms, above) => expect(model.aboveRoof(product, loads, machine, 4, ms)).toBe(above));
  test('moving each element once takes time too', () => {
    expect(model.aboveRoof({ M: 4096, N: 4096, K: 1 }, 2 ** 25, machine, 4, 0.06)).toBe('memory');
  });
});

describe('what is refused', () => {
  test.each([
    () => model.matmulTraffic({ M: 0, N: 1, K: 1 }, { BM: 1, BN: 1 }),
    () => model.matmulTraffic({ M: 2 ** 20, N: 2 ** 20, K: 2 ** 20 }, { BM: 1, BN: 1 }),
    () => model.roofline({ M: 1, N: 1, K: 1 }, 1, { bandwidth: 0, compute: 1 }),
    () => model.roofline({ M: 1, N: 1, K: 1 }, 1.5, { bandwidth: 1, compute: 1 }),
    () => model.trafficBound({ M: 1, N: 1, K: 1 }, 2),
    () => model.splitK({ M: 1, N: 1, K: 1 }, { BM: 1, BN: 1 }, 1, 0),
  ])('%s', refused => expect(refused).toThrow(model.ModelError));
});
