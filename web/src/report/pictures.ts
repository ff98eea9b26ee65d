// SPDX-License-Identifier: MIT
//
// The figures that the README and the documents show, as files that need nothing else: drawn by what draws them in the
// page, with its colours, light or dark as the reader has them.
import { readFileSync } from 'node:fs';
import { tree, toText, type Tree } from '../page/tree';
import type { Block, Report } from './document';
import { drawLadder } from './figures/ladder';
import { drawRatios } from './figures/ratios';
import { drawRoofline } from './figures/roofline';
import { wrapped } from './figures/words';

const frame = { width: 960, size: 1 };
const margin = 16;
const captionSize = 1.25; // of the drawings' text
const own = `.plot {
  font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif;
}
.plot .title {
  font-size: 0.95rem;
  font-weight: 600;
}
.paper {
  fill: var(--paper);
}
`;
const sheets = ['../page/colours.css', '../page/plot.css', './figures/figures.css'];
const style = [...sheets.map(sheet => readFileSync(new URL(sheet, import.meta.url), 'utf8')), own]
  .join('')
  .replace(/\/\*.*?\*\/\n/gs, '');

// The drawing below its caption and what was measured where.
function picture(machine: string, caption: string, drawing: Tree): string {
  const { height, 'aria-label': label } = drawing.attributes;
  const lines = wrapped(caption, frame.width, captionSize);
  const top = 2 * margin + 20 * (lines.length + 1);
  const [w, h] = [frame.width + 2 * margin, Number(height) + top + margin];
  const title = lines.map((line, index) =>
    tree('text', { class: 'title', x: margin, y: margin + 14 + 20 * index }, line),
  );
  const below = { class: 'quiet', x: margin, y: margin + 14 + 20 * lines.length };
  return toText(
    tree(
      'svg',
      { xmlns: 'http://www.w3.org/2000/svg', width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img' },
      tree('title', {}, caption),
      tree('desc', {}, String(label)),
      tree('style', {}, `\n${style}`),
      tree('rect', { class: 'paper', width: w, height: h }),
      tree(
        'g',
        { class: 'plot' },
        ...title,
        tree('text', below, machine),
        tree('g', { transform: `translate(${margin} ${top})` }, ...drawing.children),
      ),
    ),
  );
}

// The first of its kind.
function figure<K extends Block['kind']>(report: Report, kind: K): Extract<Block, { kind: K }> {
  const is = (block: Block): block is Extract<Block, { kind: K }> => block.kind === kind;
  const found = report.sections.flatMap(section => section.blocks).find(is);
  if (!found) throw new Error(`the document has no ${kind}`);
  return found;
}

// File names and texts.
export function pictures(report: Report): Record<string, string> {
  const ladder = figure(report, 'ladder');
  const roofline = figure(report, 'roofline');
  const library = figure(report, 'ratios');
  return {
    'ladder.svg': picture(report.title, ladder.caption, drawLadder(ladder, frame)),
    'roofline.svg': picture(report.title, roofline.caption, drawRoofline(roofline, frame)),
    'library.svg': picture(report.title, library.caption, drawRatios(library, frame)),
  };
}
