// SPDX-License-Identifier: MIT
//
// The ladder: a bar a rung, in the order of the ladder, on an axis that ends at the peak. A rung that lost is as short as
// it is. In a narrow window the bars lie, so that their names can be read, and the axis ends at the right.
import { drawing, type Frame } from '../../page/plot';
import { tree, type Tree } from '../../page/tree';
import type { LadderBlock, Rate } from '../document';
import { drawLyingLadder } from './ladder_lying';
import { endOf, notesOf, rateText, sentence } from './ladder_words';
import { evenScale } from './scale';
import { lengthOf, words } from './words';

const narrowest = 560; // of a window in which the bars stand

interface Layout {
  size: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  height: number;
  step: number; // from bar to bar
}

const slant = -50;
const [across, down] = [Math.cos((slant * Math.PI) / 180), -Math.sin((slant * Math.PI) / 180)];
const longestName = 200; // in pixels

function layOut({ bars }: LadderBlock, { width, size }: Frame): Layout {
  const names = bars.map(({ label }) => Math.min(longestName * size, lengthOf(label, size)));
  // The first names reach furthest to the left.
  const [right, least] = [width - 8 * size, 44 * size];
  const roughStep = (right - least) / Math.max(1, bars.length);
  const left = Math.max(least, ...names.map((length, index) => length * across - roughStep * (index + 0.5)));
  const top = 28 * size;
  const bottom = top + Math.min(380 * size, Math.max(240, width * 0.4));
  const height = Math.ceil(bottom + Math.max(0, ...names) * down + 44 * size);
  return { size, left, right, top, bottom, height, step: (right - left) / Math.max(1, bars.length) };
}

type Bar = LadderBlock['bars'][number];

function bar(one: Bar, index: number, layout: Layout, place: (rate: number) => number): Tree {
  const { left, bottom, step, size } = layout;
  const x = left + step * (index + 0.5);
  const y = place(one.tflops);
  const small = Math.min(12 * size, step * 0.42); // four digits are as wide as a bar and its gap
  const turned = `translate(${(x + 4 * size).toFixed(1)} ${(bottom + 14 * size).toFixed(1)}) rotate(${slant})`;
  const rate = { class: 'rate', x, 'text-anchor': 'middle' };
  return tree(
    'g',
    { class: one.note ? 'bar noted' : 'bar' },
    tree('title', {}, `${rateText(one)}${one.note ? ` (${one.note})` : ''}`),
    tree('rect', { x: x - step * 0.36, y, width: step * 0.72, height: bottom - y }),
    tree('text', { ...rate, y: y - 5 * size, 'font-size': small }, one.tflops.toFixed(1)),
    one.note ? tree('text', { ...rate, y: y - 18 * size }, '▼') : undefined,
    words(one.label, longestName * size, size, { 'text-anchor': 'end', transform: turned }),
  );
}

// The words of a rate that all are compared with: at the left, where bars are low; below the line where another is close
// above.
function levelWords(
  rate: Rate,
  above: number,
  { left, right, size }: Layout,
  place: (rate: number) => number,
): Tree {
  const at = place(rate.tflops);
  const y = at + (at - above < 18 * size ? 14 : -5) * size;
  return words(rateText(rate), right - left, size, { class: 'caption', x: left + 4 * size, y });
}

function drawStanding(block: LadderBlock, frame: Frame): Tree {
  const layout = layOut(block, frame);
  const { left, right, top, bottom, height, size } = layout;
  const { place, ticks } = evenScale({ least: 0, most: endOf(block) }, bottom, top, 40 * size);
  const grid = ticks.flatMap(({ at: y, text }) => [
    tree('line', { x1: left, x2: right, y1: y, y2: y }),
    tree('text', { x: left - 6 * size, y: y + 4 * size, 'text-anchor': 'end' }, text),
  ]);
  const turned = `translate(${(left - 31 * size).toFixed(1)} ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`;
  const unit = { transform: turned, 'text-anchor': 'middle' };
  const rates = [block.top, ...[...block.levels].sort((one, other) => other.tflops - one.tflops)];
  const line = ({ tflops }: Rate, index: number) =>
    tree('line', {
      class: index ? 'level' : 'peak',
      x1: left,
      x2: right,
      y1: place(tflops),
      y2: place(tflops),
    });
  const above = (index: number) => (index ? place(rates[index - 1]!.tflops) : -Infinity);
  return drawing(
    frame.width,
    height,
    sentence(block),
    tree('g', { class: 'grid' }, ...grid, tree('text', unit, 'TFLOP/s')),
    ...rates.map(line),
    ...block.bars.map((one, index) => bar(one, index, layout, place)),
    ...rates.map((rate, index) => levelWords(rate, above(index), layout, place)),
    words(notesOf(block), frame.width, size, { class: 'noted', x: 0, y: height - 6 * size }),
  );
}

export function drawLadder(block: LadderBlock, frame: Frame): Tree {
  return frame.width < narrowest * frame.size ? drawLyingLadder(block, frame) : drawStanding(block, frame);
}
