// SPDX-License-Identifier: MIT
//
// The groups of a distributions figure: the first is open, each is drawn when it is opened, and where there are many the
// others wait behind a button or are found by a text.
import { choiceControl } from '../../page/controls';
import { button, html, say } from '../../page/dom';
import { choice } from '../../page/fields';
import { plural } from '../../page/format';
import type { DistributionGroup, DistributionsBlock } from '../document';
import { countText, filterBox, type Chooses } from '../filter';
import { openForPrint } from '../print';
import { chart, type Chart } from './chart';
import { drawDistributions, type DistributionAxis } from './distributions';

const mostAtFirst = 10;
const legend = 'A tick is a sample, the dot their median, the bar its interval; n counts the samples.';

const axes = {
  own: 'over the kernel’s own median: how they spread',
  common: 'on one axis: the kernels beside each other',
};

class Group {
  readonly element: HTMLDetailsElement;
  readonly text: string; // that it is found by
  private chart: Chart | undefined;

  constructor(
    private group: DistributionGroup,
    private unit: string,
    private axis: () => DistributionAxis,
    open: boolean,
  ) {
    const samples = group.rows.reduce((sum, row) => sum + row.samples.length, 0);
    const note = html('span', { class: 'unit' }, ` ${plural(samples, 'sample')}`);
    this.element = html('details', { open }, html('summary', {}, group.title, note));
    this.text = [group.title, ...group.rows.map(row => row.label)].join('\n').toLowerCase();
    this.element.addEventListener('toggle', () => this.draw());
    this.draw();
  }

  // What is folded is drawn when it is opened.
  draw(): void {
    if (this.chart) return this.chart.redraw();
    if (!this.element.open) return;
    this.chart = chart(frame => drawDistributions(this.group, this.unit, frame, this.axis()));
    this.element.append(this.chart.element);
    this.chart.redraw();
  }
}

export class Groups {
  readonly element = html('div');
  private groups: Group[];
  private axis: DistributionAxis = 'own';
  private count = html('p', { class: 'count', role: 'status' });
  private all = button('', () => this.showAll());
  private chooses: Chooses = () => true;
  private limit = mostAtFirst;

  constructor({ groups, unit }: DistributionsBlock) {
    this.groups = groups.map((group, index) => new Group(group, unit, () => this.axis, index === 0));
    const axis = choiceControl(choice('Times', axes, this.axis), value => {
      this.axis = value as DistributionAxis;
      for (const group of this.groups) group.draw();
    });
    const filter = filterBox('Groups that hold', this.count, chooses => {
      this.chooses = chooses;
      this.limit = mostAtFirst;
      this.show();
    });
    this.element.append(
      html('p', { class: 'lead' }, legend),
      axis.element,
      ...(groups.length > mostAtFirst ? [filter] : []),
      ...this.groups.map(group => group.element),
      this.all,
    );
    this.show();
    openForPrint(() => this.forPrint());
  }

  private show(): void {
    const found = this.groups.filter(({ text }) => this.chooses(text));
    const shown = new Set(found.slice(0, this.limit));
    for (const group of this.groups) group.element.hidden = !shown.has(group);
    this.all.hidden = found.length <= this.limit;
    say(this.all, `Show all ${plural(found.length, 'group')}`);
    say(this.count, countText(this.groups.length, found.length, shown.size, 'group'));
  }

  private showAll(): void {
    const next = this.groups.find(({ element }) => element.hidden);
    this.limit = Infinity;
    this.show();
    next?.element.querySelector('summary')?.focus();
  }

  private forPrint(): () => void {
    const { limit } = this;
    const closed = this.groups.filter(({ element }) => !element.open);
    this.limit = Infinity;
    this.show();
    for (const group of closed) {
      group.element.open = true;
      group.draw();
    }
    return () => {
      for (const { element } of closed) element.open = false;
      this.limit = limit;
      this.show();
    };
  }
}
