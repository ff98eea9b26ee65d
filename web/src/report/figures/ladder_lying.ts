// SPDX-License-Identifier: MIT
//
// The ladder for a narrow window: a row a rung, name and rate over its bar; the peak is the right edge.
import { drawing, type Frame } from '../../page/plot';
import { tree, type Tree } from '../../page/tree';
import type { LadderBlock } from '../document';
import { endOf, notesOf, rateText, sentence } from './ladder_words';
import { evenScale } from './scale';
import { lengthOf, words, wrapped } from './words';

export function drawLyingLadder(block: LadderBlock, { width, size }: Frame): Tree {
  const { place, ticks } = evenScale({ least: 0, most: endOf(block) }, 0, width - 2 * size, 50 * size);
  const marks: Tree[] = [];
  let y = 0;
  const says = (text: string, kind: string) => {
    for (const line of wrapped(text, width - 26 * size, size)) {
      y += 18 * size;
      marks.push(tree('text', { class: kind, x: 26 * size, y }, line));
    }
  };
  const rates = [block.top, ...block.levels];
  for (const [index, rate] of rates.entries()) {
    const middle = y + 14 * size;
    marks.push(
      tree('line', { class: index ? 'level' : 'peak', x1: 0, x2: 20 * size, y1: middle, y2: middle }),
    );
    says(rateText(rate), '');
  }
  if (notesOf(block)) says(notesOf(block), 'noted');
  const top = y + 10 * size;
  const bottom = top + 32 * size * block.bars.length;
  block.bars.forEach((one, index) => {
    const [line, rate] = [top + (32 * index + 14) * size, `${one.note ? '▼ ' : ''}${one.tflops.toFixed(1)}`];
    marks.push(
      tree(
        'g',
        { class: one.note ? 'bar noted' : 'bar' },
        tree('title', {}, `${rateText(one)}${one.note ? ` (${one.note})` : ''}`),
        words(one.label, width - lengthOf(rate, size) - 14 * size, size, { class: 'rate', x: 0, y: line }),
        tree('text', { class: 'rate', x: width - 6 * size, y: line, 'text-anchor': 'end' }, rate),
        tree('rect', { x: 0, y: line + 5 * size, width: place(one.tflops), height: 8 * size }),
      ),
    );
  });
  const down = (at: number, kind?: string) =>
    tree('line', { class: kind, x1: at, x2: at, y1: top, y2: bottom });
  const grid = ticks.flatMap(({ at, text }, index) => {
    const anchor = index === 0 ? 'start' : at > width - 20 * size ? 'end' : 'middle';
    return [down(at), tree('text', { x: at, y: bottom + 16 * size, 'text-anchor': anchor }, text)];
  });
  const unit = tree('text', { x: width / 2, y: bottom + 34 * size, 'text-anchor': 'middle' }, 'TFLOP/s');
  const lines = rates.map(({ tflops }, index) => down(place(tflops), index ? 'level' : 'peak'));
  const height = Math.ceil(bottom + 42 * size);
  return drawing(
    width,
    height,
    sentence(block),
    tree('g', { class: 'grid' }, ...grid, unit),
    ...lines,
    ...marks,
  );
}
