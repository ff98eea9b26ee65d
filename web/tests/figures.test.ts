// SPDX-License-Identifier: MIT
//
// The drawings as data: everything is drawn, inside of its frame at any width, and the files of docs/pictures/ are those
// of the records.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toText, tree, type Tree } from '../src/page/tree';
import type { RatiosBlock, RooflineBlock } from '../src/report/document';
import { readDocument } from '../src/report/read';
import { drawDistributions } from '../src/report/figures/distributions';
import { drawLadder } from '../src/report/figures/ladder';
import { drawRatios } from '../src/report/figures/ratios';
import { drawRoofline } from '../src/report/figures/roofline';
import { evenScale, logarithmicScale } from '../src/report/figures/scale';
import { pictures } from '../src/report/pictures';
import { blocks, group, ladder, ratios, samplesOf } from './made_up';
import { printed } from './tilewright';

const roofline = blocks.find((block): block is RooflineBlock => block.kind === 'roofline')!;
const all = (drawing: Tree): Tree[] => [
  drawing,
  ...drawing.children.flatMap(child => (typeof child === 'string' ? [] : all(child))),
];
const withClass = (drawing: Tree, name: string) =>
  all(drawing).filter(({ attributes }) =>
    String(attributes['class'] ?? '')
      .split(' ')
      .includes(name),
  );
const widths = [288, 500, 700, 1200, 3000];

describe.each(widths)('at %i pixels', width => {
  const frame = { width, size: 1 };
  const figures = {
    ladder: drawLadder(ladder, frame),
    ratios: drawRatios(ratios, frame),
    distributions: drawDistributions(group('a group', 5, 24), 'µs', frame, 'own'),
    roofline: drawRoofline(roofline, frame),
  };
  test.each(Object.entries(figures))('%s lies within its frame', (_, drawing) => {
    const height = Number(drawing.attributes['height']);
    expect(drawing.attributes['aria-label']).toMatch(/\.$/);
    expect(toText(drawing)).not.toMatch(/NaN|undefined|Infinity/);
    for (const { tag, attributes } of all(drawing)) {
      const number = (name: string) => Number(attributes[name] ?? 0);
      if (attributes['transform'] !== undefined) continue;
      expect(number('x') + number('width'), tag).toBeLessThanOrEqual(width + 0.5);
      expect(number('y') + number('height'), tag).toBeLessThanOrEqual(height + 0.5);
      for (const name of ['x', 'y', 'cx', 'cy', 'width', 'height'])
        expect(number(name), tag).toBeGreaterThanOrEqual(0);
    }
  });
  test('nothing is left out', () => {
    expect(withClass(figures.ladder, 'bar').length).toBe(27);
    expect(withClass(figures.ladder, 'noted').filter(({ tag }) => tag === 'g').length).toBe(4);
    expect(withClass(figures.ratios, 'median').length).toBe(37);
    expect(withClass(figures.distributions, 'samples').length).toBe(5);
    expect(withClass(figures.roofline, 'mark').length).toBe(37 * 3 + 3);
    expect(withClass(figures.roofline, 'impossible').length).toBe(2);
  });
});

test('every sample is a tick where it belongs', () => {
  const row = { ...samplesOf('one', 1, 24), group: '' };
  const drawing = drawRatios({ ...ratios, rows: [row] }, { width: 1000, size: 1 });
  const path = String(withClass(drawing, 'samples')[0]!.attributes['d']);
  const places = [...path.matchAll(/M([\d.]+) /g)].map(match => Number(match[1]));
  const distinct = new Set(row.samples).size;
  expect(places.length).toBeGreaterThan(distinct - 3); // two may fall on one tenth of a pixel
  const nearest = Math.min(
    ...places.map(place => Math.abs(place - Number(withClass(drawing, 'median')[0]!.attributes['cx']))),
  );
  expect(nearest).toBeLessThan(0.1);
});

test('a bar above the peak is as high as it is', () => {
  const bars = [{ label: 'too fast', tflops: 90, note: '' }];
  const drawing = drawLadder({ ...ladder, bars }, { width: 1000, size: 1 });
  const bar = withClass(drawing, 'bar')[0]!.children[1] as Tree;
  const peak = withClass(drawing, 'peak')[0]!;
  expect(Number(bar.attributes['y'])).toBeLessThan(Number(peak.attributes['y1']));
});

test('empty figures are drawn', () => {
  const empty: RatiosBlock = { ...ratios, rows: [] };
  const frame = { width: 900, size: 1 };
  for (const drawing of [
    drawRatios(empty, frame),
    drawLadder({ ...ladder, bars: [], levels: [] }, frame),
    drawRoofline({ ...roofline, points: [] }, frame),
    drawDistributions({ title: 'none', rows: [] }, 'µs', frame, 'own'),
  ])
    expect(toText(drawing)).not.toMatch(/NaN|undefined|Infinity/);
});

describe('axes', () => {
  test.each([
    [0.98, 1.02],
    [0.5, 3],
    [1e-3, 1e6],
    [1e-15, 1e15],
    [7, 7.0000001],
  ])('from %d to %d have two to twelve texts apart from each other', (least, most) => {
    for (const scale of [evenScale, logarithmicScale]) {
      const { ticks } = scale({ least, most }, 0, 600, 48);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(15);
      for (const [index, { at }] of ticks.entries())
        if (index) expect(at - ticks[index - 1]!.at).toBeGreaterThan(30);
    }
  });
});

test('text of a drawing is escaped', () => {
  const text = toText(tree('text', { class: '"&<' }, '</text><script>\u0000'));
  expect(text).toBe('<text class="&quot;&amp;&lt;">&lt;/text&gt;&lt;script&gt;\ufffd</text>\n');
});

// Where this fails since records or drawings changed, ./dev docs writes the files anew.
test('docs/pictures/ holds what the records give', () => {
  const read = readDocument(printed('report', 'results/h200', '--json'));
  if ('problem' in read) throw new Error(read.problem);
  for (const [name, text] of Object.entries(pictures(read.report)))
    expect(readFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), 'utf8') === text, name).toBe(
      true,
    );
});
