// SPDX-License-Identifier: MIT
//
// The tile stepper: choose a tile of C, walk through its phases, watch what each loads and what it adds up to.
import { html, say, table } from '../../page/dom';
import { choiceControl, numberControl, type Control } from '../../page/controls';
import type { Change, Shown, View } from '../../page/view';
import { commas } from '../../page/format';
import { threadsOf } from '../../model';
import { CounterTable } from './counters';
import { Pictures } from './pictures';
import { Player } from './player';
import { fields, settle, type Settings } from './settings';
import { blockText, phaseRows, stepText, threadText } from './texts';
import { Walk } from './walk';
import { Waves } from './waves';

type Key = keyof Settings;
const shapeKeys: Key[] = ['M', 'N', 'K', 'BM', 'BN', 'BK', 'TM', 'TN', 'splits', 'order', 'group'];

class Stepper implements Shown<typeof fields> {
  readonly element: HTMLElement;
  private settings: Settings | undefined;
  private walk: Walk | undefined;
  private shapeText = '';
  private controls = new Map<Key, Control<never>>();
  private step = html('p', { class: 'step', role: 'status' });
  private phase = html('div', { class: 'scroll' });
  private block = html('p', {});
  private thread = html('p', { role: 'status' });
  private splits = html('p', {});
  private counters = new CounterTable();
  private waves = new Waves();
  private pictures: Pictures;
  private player: Player;

  constructor(change: Change<typeof fields>) {
    for (const key of Object.keys(fields) as Key[]) {
      const field = fields[key];
      // What the walk is made of changes its steps: it begins again, with the first phase of the first tile.
      const set = (value: number | string) =>
        change({ [key]: value, ...(shapeKeys.includes(key) ? { step: 1 } : {}) });
      this.controls.set(
        key,
        (field.kind === 'choice' ? choiceControl(field, set) : numberControl(field, set)) as Control<never>,
      );
    }
    this.player = new Player(
      step => change({ step }),
      step => this.nextBlock(step),
    );
    this.pictures = new Pictures({
      tile: (row, column) => this.toTile(row, column),
      thread: thread => change({ thread }),
      step: by => this.player.to((this.settings?.step ?? 0) + by),
      start: () => this.player.to(0),
      end: () => this.player.to(this.walk?.steps ?? 0),
      play: () => this.player.toggle(),
    });
    this.element = this.layOut();
  }

  show(settings: Settings): void {
    const before = this.settings;
    this.settings = settings;
    for (const [key, control] of this.controls)
      if (before?.[key] !== settings[key]) (control as Control<unknown>).show(settings[key]);
    const shapeText = shapeKeys.map(key => settings[key]).join();
    const changed = shapeText !== this.shapeText;
    if (changed) this.walk = new Walk({ ...settings });
    this.shapeText = shapeText;
    const walk = this.walk!;
    if (changed) this.showShape(walk, settings);
    if (changed || before?.resident !== settings.resident) this.waves.compare(walk, settings);
    this.showStep(walk, settings);
  }

  leave(): void {
    this.player.stop();
  }

  private showShape(walk: Walk, settings: Settings): void {
    say(this.block, blockText(walk));
    const { splits, stepsPerSplit, blocks, workspaceElements } = walk.split;
    const cut =
      `Each tile's ${walk.phases} phases are cut into ${splits} parts of ${stepsPerSplit}: ${commas(blocks)} blocks. With a second ` +
      `pass, ${commas(workspaceElements)} partial results are stored and loaded again; with atomic adds none, but they round ` +
      'in whatever order the blocks come.';
    say(this.splits, splits > 1 ? cut : '');
    this.controls.get('group')!.element.hidden = settings.order !== 'grouped';
    this.controls.get('step')!.limit?.(walk.steps);
    this.controls.get('thread')!.limit?.(threadsOf(settings) - 1);
  }

  private showStep(walk: Walk, settings: Settings): void {
    const { step, thread } = settings;
    const place = walk.placeOf(Math.max(0, step - 1));
    this.player.show({ step, steps: walk.steps, speed: Number(settings.speed) });
    // While it plays, the words would never come to an end.
    this.step.setAttribute('aria-live', this.player.playing ? 'off' : 'polite');
    say(this.step, stepText(walk, step));
    this.phase.replaceChildren(
      table('This phase of this block', ['', ''], phaseRows(walk, walk.phaseAt(place))),
    );
    say(this.thread, threadText(walk, place, thread));
    this.pictures.show({ walk, step, place, thread });
    this.counters.show(walk, step);
    this.waves.draw(walk, settings, place.index, this.element.clientWidth);
  }

  private toTile(row: number, column: number): void {
    if (!this.walk || !this.settings) return;
    const { split } = this.walk.placeOf(Math.max(0, this.settings.step - 1));
    this.player.to(this.walk.firstStepOf(row, column, split) + 1);
  }

  // One past the last step of the block at hand: the first phase of the next.
  private nextBlock(step: number): number {
    if (!this.walk || step === 0) return 1;
    const { phaseOfSplit, phasesOfSplit } = this.walk.placeOf(step - 1);
    return step + phasesOfSplit - phaseOfSplit;
  }

  private elements(...keys: Key[]): HTMLElement[] {
    return keys.map(key => this.controls.get(key)!.element);
  }

  private layOut(): HTMLElement {
    const group = (title: string, ...keys: Key[]) =>
      html(
        'details',
        { open: innerWidth >= 960 },
        html('summary', {}, title),
        html('div', { class: 'settings' }, ...this.elements(...keys)),
      );
    return html(
      'div',
      { class: 'view' },
      html('h1', {}, 'Tile stepper'),
      html(
        'p',
        { class: 'lead' },
        'Choose a tile of C and walk through its phases: what each loads, and what it all adds up to.',
      ),
      html(
        'div',
        { class: 'columns' },
        html(
          'section',
          { 'aria-label': 'Settings' },
          group('Product', 'M', 'N', 'K'),
          group('Tile', 'BM', 'BN', 'BK', 'TM', 'TN'),
          group('Blocks', 'order', 'group', 'resident', 'splits'),
        ),
        html(
          'div',
          { class: 'stage' },
          html(
            'section',
            { 'aria-label': 'Walk' },
            html('div', { class: 'walk' }, this.player.element, ...this.elements('speed', 'step')),
            this.step,
            this.pictures.matrices,
            html(
              'p',
              { class: 'lead' },
              'Blue is of A, orange of B, green of C; pale is done, hatched is filled with zeros. Press a tile of C to go there.',
            ),
            this.splits,
          ),
          html('section', { 'aria-label': 'Counters', class: 'side' }, this.counters.element, this.phase),
        ),
      ),
      this.blockSection(),
      this.waves.element,
    );
  }

  private blockSection(): HTMLElement {
    return html(
      'section',
      { 'aria-label': 'One block' },
      html('h2', {}, 'One block, thread by thread'),
      this.block,
      html(
        'p',
        { class: 'lead' },
        'Bands are warps; hatched is zero-filled. Solid squares are what the chosen thread loads, dashed what it reads in the phase, framed what it computes.',
      ),
      html(
        'div',
        { class: 'one-block' },
        this.pictures.block,
        html('div', {}, ...this.elements('thread'), this.thread),
      ),
    );
  }
}

export const stepperView: View<typeof fields> = {
  name: 'stepper',
  title: 'Tile stepper',
  fields,
  settle,
  build: change => new Stepper(change),
};
