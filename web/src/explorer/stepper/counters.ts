// SPDX-License-Identifier: MIT
//
// The counters that run with the walk, beside the naive kernel and the minimum. The rows exist from the start; only
// their numbers change.
import { html, say, svg } from '../../page/dom';
import { commas } from '../../page/format';
import { matmulTraffic } from '../../model';
import type { Counters, Walk } from './walk';

interface Row {
  key: string;
  name: string;
  of(counters: Counters): number;
}

const rows: Row[] = [
  { key: 'global', name: 'Global reads, this kernel', of: counters => counters.globalReads },
  { key: 'naive', name: 'Global reads, naive kernel', of: counters => counters.naiveReads },
  { key: 'shared', name: 'Shared reads', of: counters => counters.sharedReads },
  {
    key: 'padded',
    name: 'Shared reads with zeros and idle threads',
    of: counters => counters.paddedSharedReads,
  },
  { key: 'writes', name: 'Shared writes, zeros among them', of: counters => counters.sharedWrites },
  { key: 'adds', name: 'Multiply-adds of the product', of: counters => counters.multiplyAdds },
  { key: 'stores', name: 'Stores of C or of its parts', of: counters => counters.stores },
];

const barWidth = 100;
const barred = ['naive', 'global', 'minimum'];

// The colour of a row's bar.
const swatch = (key: string) => (barred.includes(key) ? html('span', { class: `swatch ${key}` }) : undefined);

export class CounterTable {
  readonly element: HTMLElement;
  private cells = new Map<string, HTMLElement>();
  private ends = new Map<string, HTMLElement>();
  private bars = new Map<string, SVGRectElement>();
  private sentence = html('p', { class: 'verdict' });
  private minimum = html('td');

  constructor() {
    const body = rows.map(({ key, name }) => {
      const cell = html('output', { 'data-counter': key });
      const end = html('td', { 'data-end': key });
      this.cells.set(key, cell);
      this.ends.set(key, end);
      return html('tr', {}, html('th', { scope: 'row' }, swatch(key), name), html('td', {}, cell), end);
    });
    const minimum = html(
      'tr',
      {},
      html('th', { scope: 'row' }, swatch('minimum'), 'Minimum, MK + KN'),
      html('td'),
      this.minimum,
    );
    this.minimum.dataset['end'] = 'minimum';
    body.splice(2, 0, minimum);
    const head = ['Elements', 'so far', 'at the end'].map(text => html('th', { scope: 'col' }, text));
    this.element = html(
      'div',
      { class: 'counters' },
      html(
        'div',
        { class: 'scroll' },
        html(
          'table',
          {},
          html('caption', {}, 'Counters of the whole walk'),
          html('thead', {}, html('tr', {}, ...head)),
          html('tbody', {}, ...body),
        ),
      ),
      this.chart(),
      this.sentence,
    );
  }

  private chart(): SVGSVGElement {
    const bars = barred.map((key, index) => {
      const bar = svg('rect', { class: `bar ${key}`, x: 0, y: index * 12, height: 9, width: 0 });
      this.bars.set(key, bar);
      return bar;
    });
    const attributes = {
      class: 'bars',
      viewBox: `0 0 ${barWidth} 34`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    };
    return svg('svg', attributes, ...bars);
  }

  show(walk: Walk, step: number): void {
    const now = walk.countersAfter(step);
    const end = walk.countersAfter(walk.steps);
    const traffic = matmulTraffic(walk.shape, walk.shape);
    for (const { key, of } of rows) {
      say(this.cells.get(key)!, commas(of(now)));
      say(this.ends.get(key)!, commas(of(end)));
    }
    say(this.minimum, commas(traffic.minimum));
    const width = (value: number) => ((barWidth * value) / traffic.naive).toFixed(2);
    this.bars.get('naive')!.setAttribute('width', width(now.naiveReads));
    this.bars.get('global')!.setAttribute('width', width(now.globalReads));
    this.bars.get('minimum')!.setAttribute('width', width(traffic.minimum));
    const less = now.globalReads ? (now.naiveReads / now.globalReads).toPrecision(3) : '';
    say(
      this.sentence,
      less ? `So far ${less} times fewer global reads than the naive kernel for the same work.` : '',
    );
  }
}
