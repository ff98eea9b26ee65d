// SPDX-License-Identifier: MIT
//
// The ladder: every rung with its idea and its rate, and of the chosen one its page, its source, what changed from the
// rung before, its numbers, or how its warps access memory.
import { html, say } from '../../page/dom';
import { choiceControl, type Control } from '../../page/controls';
import { code, markdown } from '../../page/markdown';
import { condensed, diff, type Line } from '../../page/diff';
import type { Change, Shown, View } from '../../page/view';
import { ladder, type Ladder } from './data';
import { countsTables, ladderTable, provenance, timesTable, wordsText } from './numbers';
import { fields, type Settings } from './settings';
import { TracePanel } from './traces';

const around = 2;

function lineOf({ kind, text }: Line): HTMLElement {
  if (kind === 'skip') return html('span', { class: 'skip-lines' }, `… ${text} lines that are the same\n`);
  const [mark, tag] = { same: [' ', 'span'], gone: ['−', 'del'], new: ['+', 'ins'] }[kind] as [
    string,
    'span' | 'del' | 'ins',
  ];
  return html(tag, {}, `${mark} ${text}\n`);
}

function changePanel(data: Ladder, name: string): HTMLElement[] {
  const index = data.rungs.findIndex(rung => rung.name === name);
  const before = data.rungs[index - 1];
  if (!before) return [html('p', {}, 'This is the first rung: there is none before it.')];
  const linesOf = (rung: string) => (data.sources[rung] ?? '').trimEnd().split('\n');
  const lines = condensed(diff(linesOf(before.name), linesOf(name)), around);
  const attributes = {
    class: 'diff',
    tabindex: 0,
    role: 'group',
    'aria-label': `Change from ${before.name} to ${name}`,
  };
  return [html('h2', {}, `From ${before.name} to ${name}`), html('pre', attributes, ...lines.map(lineOf))];
}

class LadderPage implements Shown<typeof fields> {
  readonly element: HTMLElement;
  private settings: Settings | undefined;
  private data: Ladder | undefined;
  private table = html('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Rungs' });
  private panel = html('article', { 'aria-label': 'The chosen rung' });
  private heard = html('p', { class: 'heard', role: 'status' });
  private source = html('p', { class: 'lead' });
  private traces = new TracePanel();
  private controls: { [key in keyof Settings]: Control<string> };
  private drawn = '';

  constructor(private change: Change<typeof fields>) {
    this.controls = {
      rung: choiceControl(fields.rung, rung => change({ rung })),
      size: choiceControl(fields.size, size => change({ size })),
      show: choiceControl(fields.show, show => change({ show })),
    };
    const { rung, size, show } = this.controls;
    this.element = html(
      'div',
      { class: 'view' },
      html('h1', {}, 'The ladder'),
      html(
        'p',
        { class: 'lead' },
        'Each rung is one idea in one file; beside it what it was predicted to do and what it did.',
      ),
      html('div', { class: 'settings' }, size.element),
      this.table,
      this.source,
      html('div', { class: 'settings ladder-settings' }, rung.element, show.element),
      this.heard,
      this.panel,
    );
  }

  show(settings: Settings): void {
    this.settings = settings;
    for (const key of ['rung', 'size', 'show'] as const) this.controls[key].show(settings[key]);
    void ladder().then(data => {
      this.data = data;
      this.draw();
    });
  }

  private draw(): void {
    const { data, settings } = this;
    if (!data || !settings) return;
    const what = `${settings.rung} ${settings.size} ${settings.show}`;
    if (what === this.drawn) return;
    this.drawn = what;
    const focused = document.activeElement?.closest('.rungs') ? settings.rung : undefined;
    this.table.replaceChildren(
      ladderTable(data, settings.rung, settings.size, rung => this.change({ rung })),
    );
    if (focused) this.table.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    say(this.source, provenance(data));
    this.panel.replaceChildren(...this.contents(data, settings));
    say(this.heard, `Below: ${settings.rung}, ${fields.show.options[settings.show] ?? ''}.`);
  }

  private contents(data: Ladder, { rung: name, show }: Settings): HTMLElement[] {
    const rung = data.rungs.find(one => one.name === name);
    const source = data.sources[name];
    const page = data.pages[name];
    if (!rung || source === undefined || page === undefined) return [];
    switch (show) {
      case 'source':
        return [html('h2', {}, `kernels/${rung.file}`), code(source, `Source of ${name}`)];
      case 'change':
        return changePanel(data, name);
      case 'numbers':
        return [
          html('h2', {}, `${name}: predictions and measurements`),
          timesTable(data, rung),
          html('p', {}, wordsText),
          ...countsTables(rung),
        ];
      case 'warp':
        return [html('h2', {}, 'How a warp accesses memory'), this.traces.show(data, rung)];
      default:
        return markdown(page, 2);
    }
  }
}

export const ladderView: View<typeof fields> = {
  name: 'ladder',
  title: 'Ladder',
  fields,
  build: change => new LadderPage(change),
};
