// SPDX-License-Identifier: MIT
//
// A table that sorts by any column, and, where it is long, shows its first rows and filters by a text.
import { button, html, say } from '../page/dom';
import { commas } from '../page/format';
import { cellContent, cellText, compareCells } from './cells';
import type { Cell, TableBlock } from './document';
import { countText, filterBox, type Chooses } from './filter';
import { openForPrint } from './print';

const mostAtFirst = 25;
const longest = 32; // of a text that stays on one line

type Order = 'none' | 'ascending' | 'descending';
const next: Record<Order, Order> = { none: 'ascending', ascending: 'descending', descending: 'none' };

export class Table {
  readonly element: HTMLElement;
  private body = html('tbody');
  private heads: HTMLTableCellElement[];
  private count = html('p', { class: 'count', role: 'status' });
  private all = button('', () => this.showAll());
  private sorted = { column: 0, order: 'none' as Order };
  private chooses: Chooses = () => true;
  private limit = mostAtFirst;
  private texts: string[] | undefined; // of each row, in lower case

  constructor(private block: TableBlock) {
    this.heads = block.columns.map((column, index) => {
      const unit = column.unit ? html('span', { class: 'unit' }, ` ${column.unit}`) : undefined;
      const sort = button('', () => this.sortBy(index), { class: 'sort' });
      sort.append(column.name, ...(unit ? [unit] : []));
      return html('th', { scope: 'col', class: this.classOf(index), 'aria-sort': 'none' }, sort);
    });
    const table = html(
      'table',
      {},
      html('caption', {}, block.caption),
      html('thead', {}, html('tr', {}, ...this.heads)),
      this.body,
    );
    const scroll = { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': block.caption };
    this.element = html('div', { class: 'table' }, html('div', scroll, table));
    if (block.rows.length > mostAtFirst) {
      this.element.prepend(
        filterBox('Rows that hold', this.count, chooses => {
          this.chooses = chooses;
          this.limit = mostAtFirst;
          this.show();
        }),
      );
      this.element.append(this.all);
    }
    this.show();
    openForPrint(() => this.forPrint());
  }

  private classOf(column: number, text = ''): string {
    const kind = this.block.columns[column]?.kind;
    const alignment = kind === 'number' || kind === 'count' ? 'numeric' : 'worded';
    return text.length > longest ? `${alignment} long` : alignment;
  }

  private sortBy(column: number): void {
    const order = this.sorted.column === column ? next[this.sorted.order] : 'ascending';
    this.sorted = { column, order };
    this.heads.forEach((head, index) => head.setAttribute('aria-sort', index === column ? order : 'none'));
    this.show();
  }

  private showAll(): void {
    this.limit = Infinity;
    const first = this.body.rows.length;
    this.show();
    const row = this.body.rows[first]; // The button is gone: the keyboard goes on where the new rows begin.
    row?.setAttribute('tabindex', '-1');
    row?.focus();
  }

  // All rows while a printer draws; then what was shown before.
  private forPrint(): () => void {
    const { limit } = this;
    if (this.block.rows.length <= limit) return () => undefined;
    this.limit = Infinity;
    this.show();
    return () => {
      this.limit = limit;
      this.show();
    };
  }

  private chosen(): Cell[][] {
    const { rows, columns } = this.block;
    this.texts ??= rows.map(row =>
      row
        .map((cell, index) => cellText(cell, columns[index]!))
        .join('\n')
        .toLowerCase(),
    );
    const { column, order } = this.sorted;
    const found = rows.filter((_, index) => this.chooses(this.texts![index]!));
    if (order === 'none') return found;
    const way = order === 'ascending' ? 1 : -1;
    return found.sort((one, other) => {
      const [a = null, b = null] = [one[column], other[column]];
      return a === null || b === null ? compareCells(a, b) : way * compareCells(a, b);
    });
  }

  private show(): void {
    const found = this.chosen();
    this.body.replaceChildren(...found.slice(0, this.limit).map(row => this.row(row)));
    this.all.hidden = found.length <= this.limit;
    say(this.all, `Show all ${commas(found.length)} rows`);
    const shown = Math.min(this.limit, found.length);
    say(this.count, countText(this.block.rows.length, found.length, shown, 'row'));
  }

  private row(cells: Cell[]): HTMLElement {
    const { columns } = this.block;
    return html(
      'tr',
      {},
      ...cells.map((cell, index) => {
        const column = columns[index]!;
        const attributes = {
          class: this.classOf(index, cellText(cell, column)),
          scope: index === 0 ? 'row' : undefined,
        };
        return html(index === 0 ? 'th' : 'td', attributes, cellContent(cell, column));
      }),
    );
  }
}
