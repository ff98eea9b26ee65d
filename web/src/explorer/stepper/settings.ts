// SPDX-License-Identifier: MIT
//
// The settings of the tile stepper. By default, the walk on paper of 17 x 19 x 23 in tiles of 16.
import { choice, integer, type Values } from '../../page/fields';
import { threadsOf, tilesOver } from '../../model';

const mostStep = 2 ** 31;

export const fields = {
  M: integer('M', 1, 4096, 17),
  N: integer('N', 1, 4096, 19),
  K: integer('K', 1, 4096, 23),
  BM: integer('Tile rows BM', 1, 256, 16),
  BN: integer('Tile columns BN', 1, 256, 16),
  BK: integer('Reduction step BK', 1, 128, 16),
  TM: integer('Register tile rows TM', 1, 16, 1),
  TN: integer('Register tile columns TN', 1, 16, 1),
  splits: integer('Split-K parts', 1, 64, 1),
  order: choice(
    'Block order',
    { row: 'row by row', grouped: 'grouped rows', hilbert: 'Hilbert curve' },
    'row',
  ),
  group: integer('Tile rows of a group', 1, 64, 8),
  resident: integer('Resident blocks', 1, 1024, 16),
  speed: choice(
    'Speed',
    { '2': '2 steps/s', '10': '10 steps/s', '60': '60 steps/s', '600': '600 steps/s' },
    '2',
  ),
  thread: integer('Thread', 0, 1023, 0),
  step: integer('Step', 0, mostStep, 1),
};

export type Settings = Values<typeof fields>;

const mostThreads = 1024;
const mostTilesAcross = 128;

const largestDivisor = (of: number, most: number) => {
  let divisor = Math.min(of, most);
  while (of % divisor !== 0) --divisor;
  return divisor;
};

const nextDivisor = (of: number, after: number) => {
  let divisor = after + 1;
  while (divisor <= of && of % divisor !== 0) ++divisor;
  return Math.min(divisor, of);
};

// Register tiles that divide the tile and leave a block no more threads than it may have.
function settleRegisterTile(values: Settings, notes: string[]): void {
  const asked = `${values.TM} × ${values.TN}`;
  values.TM = largestDivisor(values.BM, values.TM);
  values.TN = largestDivisor(values.BN, values.TN);
  if (`${values.TM} × ${values.TN}` !== asked)
    notes.push(
      `register tile ${asked}: must divide ${values.BM} × ${values.BN}; ${values.TM} × ${values.TN} is used`,
    );
  const threads = threadsOf(values);
  if (threads <= mostThreads) return;
  while (threadsOf(values) > mostThreads) {
    if (values.BM / values.TM >= values.BN / values.TN) values.TM = nextDivisor(values.BM, values.TM);
    else values.TN = nextDivisor(values.BN, values.TN);
  }
  notes.push(
    `a tile of ${values.BM} × ${values.BN} would take ${threads} threads; a block has at most ${mostThreads}: ` +
      `register tiles of ${values.TM} × ${values.TN} are used`,
  );
}

function settleExtent(values: Settings, extent: 'M' | 'N', tile: 'BM' | 'BN', notes: string[]): void {
  const most = mostTilesAcross * values[tile];
  if (values[extent] <= most) return;
  notes.push(
    `${extent} = ${values[extent]}: at most ${mostTilesAcross} tiles of ${values[tile]} are drawn; ${most} is used`,
  );
  values[extent] = most;
}

export function settle(given: Settings): { values: Settings; notes: string[] } {
  const values = { ...given };
  const notes: string[] = [];
  settleExtent(values, 'M', 'BM', notes);
  settleExtent(values, 'N', 'BN', notes);
  settleRegisterTile(values, notes);
  const phases = tilesOver(values.K, values.BK);
  const steps = tilesOver(values.M, values.BM) * tilesOver(values.N, values.BN) * phases;
  const clamp = (key: 'step' | 'thread' | 'splits', most: number, what: string) => {
    if (values[key] <= most) return;
    notes.push(`${key} = ${values[key]}: ${what} ${most}; ${most} is used`);
    values[key] = most;
  };
  clamp('splits', phases, 'the phases to split are');
  clamp('step', steps, 'the steps of this walk are');
  clamp('thread', threadsOf(values) - 1, 'the last thread is');
  return { values, notes };
}
