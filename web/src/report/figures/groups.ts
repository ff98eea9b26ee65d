// SPDX-License-Identifier: MIT
//
// The groups of a distributions figure: the first is open, each is drawn when it is opened, and where there are many the
// others wait behind a button or are found by a text.
import { button, html, say } from '../../page/dom';
import { plural } from '../../page/format';
import type { DistributionGroup, DistributionsBlock } from '../document';
import { filterBox, type Chooses } from '../filter';
import { openForPrint } from '../print';
import { chart } from './chart';
import { drawDistributions } from './distributions';

const mostAtFirst = 10;

function folded(group: DistributionGroup, unit: string, open: boolean): HTMLDetailsElement {
  const samples = group.rows.reduce((sum, row) => sum + row.samples.length, 0);
  const note = html('span', { class: 'unit' }, ` ${plural(samples, 'sample')}`);
  const element = html('details', { open }, html('summary', {}, group.title, note));
  const fill = () => {
    if (element.open && element.childElementCount === 1)
      element.append(chart(frame => drawDistributions(group, unit, frame)));
  };
  element.addEventListener('toggle', fill);
  fill();
  return element;
}

export class Groups {
  readonly element = html('div');
  private groups: HTMLDetailsElement[];
  private texts: string[];
  private count = html('p', { class: 'count', role: 'status' });
  private all = button('', () => this.showAll());
  private chooses: Chooses = () => true;
  private limit = mostAtFirst;

  constructor({ groups, unit }: DistributionsBlock) {
    this.groups = groups.map((group, index) => folded(group, unit, index === 0));
    this.texts = groups.map(({ title, rows }) =>
      [title, ...rows.map(row => row.label)].join('\n').toLowerCase(),
    );
    if (groups.length > mostAtFirst)
      this.element.append(
        filterBox('Groups that hold', this.count, chooses => {
          this.chooses = chooses;
          this.limit = mostAtFirst;
          this.show();
        }),
      );
    this.element.append(
      html(
        'p',
        { class: 'lead' },
        'A tick is a sample, the dot their median, the bar its interval; n counts the samples.',
      ),
      ...this.groups,
      this.all,
    );
    this.show();
    openForPrint(() => this.forPrint());
  }

  private show(): void {
    const found = this.groups.filter((_, index) => this.chooses(this.texts[index]!));
    const shown = new Set(found.slice(0, this.limit));
    for (const group of this.groups) group.hidden = !shown.has(group);
    this.all.hidden = found.length <= this.limit;
    say(this.all, `Show all ${plural(found.length, 'group')}`);
    say(this.count, `${shown.size} shown, ${found.length} found of ${plural(this.groups.length, 'group')}`);
  }

  private showAll(): void {
    const next = this.groups.find(group => group.hidden);
    this.limit = Infinity;
    this.show();
    next?.querySelector('summary')?.focus();
  }

  private forPrint(): () => void {
    const { limit } = this;
    const closed = this.groups.filter(group => !group.open);
    this.limit = Infinity;
    this.show();
    for (const group of closed) group.open = true;
    return () => {
      for (const group of closed) group.open = false;
      this.limit = limit;
      this.show();
    };
  }
}
