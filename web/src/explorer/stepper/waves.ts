// SPDX-License-Identifier: MIT
//
// The order of blocks and what it asks of the L2: the blocks of one wave, with the strips of A and B that they share.
import { html, say, table, unit } from '../../page/dom';
import { colours, fill, outline, prepare, ruled } from '../../page/canvas';
import { commas, percent, plural } from '../../page/format';
import { blockOrders, matmulTraffic, orderPlaces, orderReads, stripsOf } from '../../model';
import { fields, type Settings } from './settings';
import type { Walk } from './walk';

export class Waves {
  readonly element: HTMLElement;
  private canvas = html('canvas', { 'aria-hidden': 'true' });
  private text = html('p', {});
  private orders = html('div', { class: 'scroll' });
  private width = 0;

  constructor() {
    this.element = html(
      'section',
      { 'aria-label': 'Block order and L2' },
      html('h2', {}, 'Block order and the L2'),
      html(
        'p',
        {},
        'Blocks run in waves of as many as are resident. Those of one wave share their strips of A and B through the L2; the fewer strips a wave needs, the less comes from memory.',
      ),
      this.canvas,
      this.text,
      this.orders,
    );
  }

  // What only new settings change: the comparison of the orders.
  compare(walk: Walk, settings: Settings): void {
    const traffic = matmulTraffic(walk.shape, walk.shape);
    const rows = blockOrders.map(order => {
      const places = orderPlaces(order, walk.rows, walk.columns, settings.group);
      const reads = orderReads(walk.shape, walk.shape, places, settings.resident);
      const name = fields.order.options[order] ?? order;
      return [
        order === settings.order ? html('strong', {}, name) : name,
        commas(reads),
        percent(reads / traffic.tiled),
      ];
    });
    const head = ['Order', 'elements from memory', 'of those without an L2'];
    this.orders.replaceChildren(table('Loads behind the L2, each strip once a wave', head, rows));
  }

  draw(walk: Walk, settings: Settings, index: number, width: number): void {
    this.width = Math.min(width, 420 * unit());
    const wave = Math.floor(index / settings.resident);
    const blocks = walk.places.slice(wave * settings.resident, (wave + 1) * settings.resident);
    const { rows, columns, elements } = stripsOf(walk.shape, walk.shape, blocks);
    this.paint(walk, blocks, rows, columns);
    const waves = Math.ceil(walk.places.length / settings.resident);
    say(
      this.text,
      `Wave ${wave + 1} of ${waves}: ${plural(blocks.length, 'block')} need ${plural(rows.size, 'strip')} of A and ` +
        `${plural(columns.size, 'strip')} of B, a working set of ${commas(elements)} elements.`,
    );
  }

  private paint(
    walk: Walk,
    blocks: { row: number; column: number }[],
    rows: Set<number>,
    columns: Set<number>,
  ): void {
    const { rule, edge, a, b, c } = colours();
    const size = unit();
    const [strip, gap] = [14 * size, 5 * size];
    const cell = Math.max(
      1,
      Math.min(22 * size, (this.width - strip - gap - 2) / Math.max(walk.columns, walk.rows)),
    );
    const left = 1 + strip + gap;
    const [w, h] = [cell * walk.columns, cell * walk.rows];
    const context = prepare(this.canvas, left + w + 1, left + h + 1);
    for (const row of rows) fill(context, { x: 1, y: left + row * cell, w: strip, h: cell }, a, 0.8);
    for (const column of columns) fill(context, { x: left + column * cell, y: 1, w: cell, h: strip }, b, 0.8);
    for (const { row, column } of blocks)
      fill(context, { x: left + column * cell, y: left + row * cell, w: cell, h: cell }, c, 0.8);
    ruled(context, { x: left, y: left, w, h }, cell, cell, rule, 4);
    outline(context, { x: left, y: left, w, h }, edge);
    outline(context, { x: 1, y: left, w: strip, h }, edge);
    outline(context, { x: left, y: 1, w, h: strip }, edge);
  }
}
