// SPDX-License-Identifier: MIT
//
// Cells of a table as they are written, and the order in which they sort.
import { html, type Child } from '../page/dom';
import { commas } from '../page/format';
import type { Cell, Column } from './document';

const mostDigits = 15;

function numberText(value: number, { kind, digits = 0 }: Column): string {
  if (kind !== 'number') return Number.isInteger(value) ? grouped(String(value)) : String(value);
  const rounded = value.toFixed(digits);
  const written = Number(rounded) === 0 ? rounded.replace('-', '') : rounded;
  return written.length > mostDigits + digits ? value.toExponential(digits) : grouped(written);
}

function grouped(written: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(written) ?? [];
  return `${sign}${commas(Number(whole))}${rest}`;
}

// What a verdict begins with and the mark that tells it apart without its colour.
const marks: [RegExp, string, 'good' | 'bad' | 'same' | 'none'][] = [
  [/^(PASS|equal|merged|arbitrated|masked)\b/, '✓', 'good'],
  [/^FASTER\b/, '▲', 'good'],
  [/^SAME\b/, '=', 'same'],
  [/^no record/, '–', 'none'],
  [/^SLOWER\b/, '▼', 'bad'],
  [/^(FAIL|REJECTED|differs?|wrong)\b/, '✕', 'bad'],
];

export function verdictMark(verdict: string): { mark: string; tone: string } {
  const [, mark, tone] = marks.find(([pattern]) => pattern.test(verdict)) ?? [/./, '~', 'unsure'];
  return { mark, tone };
}

export function verdict(text: string): HTMLElement {
  const { mark, tone } = verdictMark(text);
  return html(
    'span',
    { class: `verdict-${tone}` },
    html('span', { 'aria-hidden': 'true' }, `${mark}\u00a0`),
    text,
  );
}

export function cellText(cell: Cell, column: Column): string {
  if (cell === null) return '–';
  return typeof cell === 'number' ? numberText(cell, column) : cell;
}

export function cellContent(cell: Cell, column: Column): Child {
  if (column.kind === 'verdict' && typeof cell === 'string') return verdict(cell);
  return cellText(cell, column);
}

const collator = new Intl.Collator('en', { numeric: true });

// Numbers by their size, texts by their words and the numbers in them; nothing is last.
export function compareCells(one: Cell, other: Cell): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return collator.compare(String(one), String(other));
}
