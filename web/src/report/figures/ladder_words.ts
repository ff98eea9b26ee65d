// SPDX-License-Identifier: MIT
//
// What both forms of the ladder say.
import { plural } from '../../page/format';
import type { LadderBlock, Rate } from '../document';

export const rateText = ({ label, tflops }: Rate) => `${label}: ${tflops.toFixed(1)} TFLOP/s`;

export function sentence({ bars, top, caption }: LadderBlock): string {
  const [first, last] = [bars[0], bars.at(-1)];
  const noted = bars.filter(({ note }) => note).length;
  const ends = first && last ? ` from ${rateText(first)} to ${rateText(last)}` : '';
  return `${caption}: ${plural(bars.length, 'rung')}${ends}; ${noted} of them noted. The axis ends at ${rateText(top)}.`;
}

export function notesOf({ bars }: LadderBlock): string {
  const notes = [...new Set(bars.map(({ note }) => note).filter(Boolean))].join('; ');
  return notes && `▼ ${notes}`;
}

// The peak, or what lies above it all the same.
export function endOf({ top, bars, levels }: LadderBlock): number {
  return Math.max(top.tflops, ...[...bars, ...levels].map(({ tflops }) => tflops));
}
