// SPDX-License-Identifier: MIT
//
// Cells of a report's tables: how numbers are written, what marks a verdict, how rows sort.
import { expect, test } from 'vitest';
import { cellText, compareCells, verdictMark } from '../src/report/cells';
import type { Column } from '../src/report/document';

const count: Column = { name: 'n', unit: '', kind: 'count' };
const number: Column = { name: 'x', unit: 'µs', kind: 'number', digits: 2 };

test.each([
  [1234567, count, '1,234,567'],
  [-1234, count, '-1,234'],
  [0.5, count, '0.5'],
  [1234.567, number, '1,234.57'],
  [-0.001, number, '0.00'],
  [-0.006, number, '-0.01'],
  [1e16, number, '1.00e+16'],
  [null, number, '–'],
  ['text', number, 'text'],
])('%s is written %3$s', (cell, column, text) => expect(cellText(cell, column)).toBe(text));

test('a verdict has a mark besides its colour', () => {
  expect(
    ['PASS, 9', 'FAIL(race)', 'FASTER', 'SLOWER', 'SAME', 'AMBIGUOUS'].map(v => verdictMark(v).mark),
  ).toEqual(['✓', '✕', '▲', '▼', '=', '~']);
});

test('rows sort by numbers, by words and the numbers in them, nothing last', () => {
  expect([3, null, 1, 2].sort(compareCells)).toEqual([1, 2, 3, null]);
  expect(['direct_16', 'direct_8', 'auto'].sort(compareCells)).toEqual(['auto', 'direct_8', 'direct_16']);
});
