// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { condensed, diff } from '../src/page/diff';
import { random } from './tilewright';

const draw = random(11);
const text = () => Array.from({ length: draw(0, 30) }, () => String(draw(0, 5)));

test('both texts can be read from their difference', () => {
  for (let i = 0; i < 200; ++i) {
    const [before, after] = [text(), text()];
    const lines = diff(before, after);
    const side = (kind: string) =>
      lines.filter(line => line.kind === 'same' || line.kind === kind).map(line => line.text);
    expect(side('gone')).toEqual(before);
    expect(side('new')).toEqual(after);
  }
});

test('no difference is none, and the least that changed is found', () => {
  expect(diff(['a', 'b'], ['a', 'b']).every(line => line.kind === 'same')).toBe(true);
  expect(
    diff(['a', 'b', 'c'], ['a', 'x', 'c'])
      .map(line => line.kind[0])
      .join(''),
  ).toBe('sgns');
});

test('unchanged stretches are counted instead of shown', () => {
  const before = Array.from({ length: 20 }, (_, index) => String(index));
  const after = before.map(line => (line === '10' ? 'ten' : line));
  const lines = condensed(diff(before, after), 2);
  expect(lines.map(line => line.kind[0]).join('')).toBe('sssgnsss');
  expect(lines[0]).toEqual({ kind: 'skip', text: '8' });
  expect(lines.at(-1)).toEqual({ kind: 'skip', text: '7' });
});
