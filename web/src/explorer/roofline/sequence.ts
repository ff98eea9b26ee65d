// SPDX-License-Identifier: MIT
//
// A short sequence that plays by itself: the point climbs the memory roof as the tile grows, until the compute roof
// decides. Under reduced motion it waits to be asked; any change of a setting stops it.
import { button, html, reducedMotion, say } from '../../page/dom';
import { modelOf, type Settings } from './settings';

const millisecondsPerStep = 1300;

function tilesToPlay(settings: Settings): number[] {
  const tiles = [1];
  while (tiles.length < 8 && modelOf(settings, tiles.at(-1)).memoryBound) tiles.push((tiles.at(-1) ?? 1) * 2);
  return tiles;
}

function captionOf(settings: Settings, T: number): string {
  const model = modelOf(settings, T);
  const at = `${model.intensity.toPrecision(3)} FLOP/B, bound ${model.boundMs.toPrecision(3)} ms`;
  if (!model.memoryBound) return `T = ${T}: ${at}. Past the ridge: more reuse no longer moves the bound.`;
  if (T === 1) return `Direct: every multiply-add loads both its operands. ${at}.`;
  return `T = ${T}: each loaded element is used ${T} times. ${at}.`;
}

export class Sequence {
  readonly element: HTMLElement;
  private text = html('p', { class: 'sequence-text' });
  private play = button('', () => (this.timer ? this.stop() : this.start()));
  private timer = 0;
  private step = -1;
  private settings: Settings | undefined;

  // `shown` is told which tile the played point stands for.
  constructor(private shown: (T: number | undefined) => void) {
    const next = button('Next', () => {
      this.stop();
      this.text.setAttribute('aria-live', 'polite');
      this.advance();
    });
    this.element = html(
      'div',
      { class: 'sequence' },
      html('div', { class: 'buttons' }, this.play, next),
      this.text,
    );
    this.label();
    say(this.text, 'How the tile moves the point, in a few steps.');
  }

  // The settings to play with; a change of them ends what is playing.
  set(settings: Settings): void {
    const first = this.settings === undefined;
    this.settings = settings;
    if (!first) this.stop();
    else if (!reducedMotion() && !settings.predict) this.start();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.label();
  }

  private start(): void {
    this.text.removeAttribute('aria-live');
    this.step = -1;
    this.timer = window.setInterval(() => this.advance(), millisecondsPerStep);
    this.label();
    this.advance();
  }

  private advance(): void {
    if (!this.settings) return;
    const tiles = tilesToPlay(this.settings);
    const T = tiles[++this.step];
    if (T === undefined) {
      this.step = -1;
      this.stop();
      this.shown(undefined);
      return;
    }
    say(this.text, captionOf(this.settings, T));
    this.shown(T);
  }

  private label(): void {
    say(this.play, this.timer ? 'Pause' : 'Play');
  }
}
