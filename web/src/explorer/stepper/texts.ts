// SPDX-License-Identifier: MIT
//
// What the picture shows, in words: the step, the block, the selected thread.
import { commas, digits, plural } from '../../page/format';
import {
  blockIntensity,
  clipped,
  sharedReadsPerMultiplyAdd,
  threadsOf,
  tileSharedBytes,
  type Phase,
} from '../../model';
import type { Place, Walk } from './walk';

const range = (first: number, length: number) =>
  length === 1 ? String(first) : `${first} … ${first + length - 1}`;

export function stepText(walk: Walk, step: number): string {
  const { BK, K } = walk.shape;
  if (step === 0)
    return `Nothing is loaded yet. The walk has ${plural(walk.steps, 'step')}: one phase of one block each.`;
  const place = walk.placeOf(step - 1);
  const phase = walk.phaseAt(place);
  const { row, column } = place.tile;
  const part = walk.split.splits > 1 ? `, part ${place.split + 1} of ${walk.split.splits}` : '';
  const zeros = phase.zeroFilledK ? ` (to ${place.phase * BK + BK - 1}, but K ends at ${K - 1})` : '';
  return (
    `Tile row ${row}, column ${column} of C${part}, phase ${place.phaseOfSplit + 1} of ${place.phasesOfSplit}: ` +
    `k = ${range(place.phase * BK, phase.validK)}${zeros}; ${phase.validK} valid and ${phase.zeroFilledK} zero-filled k. ` +
    `Step ${commas(step)} of ${commas(walk.steps)}.` +
    (step === walk.steps ? ' The walk is complete.' : '')
  );
}

export function phaseRows(walk: Walk, phase: Phase): [string, string][] {
  const { BM, BN, BK } = walk.shape;
  return [
    ['Valid k', commas(phase.validK)],
    ['Zero-filled k', commas(phase.zeroFilledK)],
    ['Loaded of A', `${commas(phase.loadedA)} of ${commas(BM * BK)}`],
    ['Loaded of B', `${commas(phase.loadedB)} of ${commas(BK * BN)}`],
    ['Zeros written', commas(phase.zeroElements)],
    ['Threads that load and wait', commas(phase.threads)],
    ['Threads with an output', commas(phase.storingThreads)],
  ];
}

interface ThreadPart {
  x: number; // of the threads of the block, along the columns
  y: number;
  across: number; // threads in a row
  warp: number;
}

export function threadPart(walk: Walk, thread: number): ThreadPart {
  const across = walk.shape.BN / walk.shape.TN;
  return { x: thread % across, y: Math.floor(thread / across), across, warp: Math.floor(thread / 32) };
}

// The elements of a tile that a thread loads: it begins at its own number and steps by the number of threads.
export function loadedBy(thread: number, threads: number, elements: number): number[] {
  const list: number[] = [];
  for (let element = thread; element < elements; element += threads) list.push(element);
  return list;
}

function listText(name: string, elements: number[], columns: number): string {
  if (elements.length === 0) return `nothing of ${name}`;
  const shown = elements
    .slice(0, 3)
    .map(element => `${name}[${Math.floor(element / columns)}][${element % columns}]`);
  return shown.join(', ') + (elements.length > 3 ? ` and ${elements.length - 3} more` : '');
}

function computesText(walk: Walk, { tile }: Place, x: number, y: number): string {
  const { M, N, BM, BN, TM, TN } = walk.shape;
  const exist = clipped(clipped(M, BM, tile.row), TM, y) * clipped(clipped(N, BN, tile.column), TN, x);
  if (TM * TN === 1)
    return `It computes element (${y}, ${x}) of the tile${exist ? '' : ', which does not exist: it only loads and waits'}.`;
  const which = `It computes rows ${range(y * TM, TM)} and columns ${range(x * TN, TN)} of the tile`;
  return exist
    ? `${which}, of which ${plural(exist, 'element')} exist.`
    : `${which}, which do not exist: it only loads and waits.`;
}

export function threadText(walk: Walk, place: Place, thread: number): string {
  const { BM, BN, BK, TM, TN } = walk.shape;
  const { x, y, warp } = threadPart(walk, thread);
  const threads = threadsOf(walk.shape);
  return (
    `Thread (${x}, ${y}), number ${thread} of ${threads}, warp ${warp}, loads ` +
    `${listText('a', loadedBy(thread, threads, BM * BK), BK)} and ${listText('b', loadedBy(thread, threads, BK * BN), BN)}. ` +
    `${computesText(walk, place, x, y)} ` +
    `In each k it reads ${plural(TM + TN, 'element')} of shared memory for ${plural(TM * TN, 'multiply-add')}.`
  );
}

export function blockText(walk: Walk): string {
  const { BM, BN, BK, TM, TN } = walk.shape;
  const bytes = tileSharedBytes(walk.shape, BK, 4);
  const reads = sharedReadsPerMultiplyAdd({ BM: TM, BN: TN });
  return (
    `A block of ${BN / TN} × ${BM / TM} threads computes ${BM} × ${BN} elements of C. In float32 its two tiles take ` +
    `${commas(bytes)} bytes of shared memory, and it does ${digits(blockIntensity(walk.shape, 4))} FLOP for each byte that it ` +
    `loads. Its threads read shared memory ${digits(reads)} times for each multiply-add.`
  );
}
