// SPDX-License-Identifier: MIT
//
// The roofline reader: settings, readings, the plot, and what it all assumes.
import { atWidth, draw, html, say } from '../../page/dom';
import { choiceControl, flagControl, numberControl, type Control } from '../../page/controls';
import { defaults } from '../../page/fields';
import type { Change, Shown, View } from '../../page/view';
import { rooflineAssumptions } from '../../model';
import { drawChart } from './chart';
import { Drop } from './drop';
import { Prediction } from './prediction';
import { readingsTable, verdict } from './readings';
import { Sequence } from './sequence';
import { ceilingNote, fields, productOf, type Settings } from './settings';

class Reader implements Shown<typeof fields> {
  readonly element: HTMLElement;
  private settings: Settings | undefined;
  private width = 0;
  private playedTile: number | undefined;
  private chart = html('div', { class: 'chart' });
  private readings = html('div', { class: 'scroll' });
  private sentence = html('p', { class: 'verdict' });
  private ceiling = html('p', { class: 'field-error' });
  private sequence = new Sequence(T => {
    this.playedTile = T;
    this.draw();
  });
  private prediction: Prediction;
  private drop: Drop;
  private controls: { [key in keyof Settings]: Control<Settings[key]> };

  constructor(change: Change<typeof fields>) {
    const number = (key: 'M' | 'N' | 'K' | 'T' | 'bandwidth' | 'compute') =>
      numberControl(fields[key], value => change({ [key]: value }));
    this.controls = {
      shape: choiceControl(fields.shape, shape => change({ shape })),
      M: number('M'),
      N: number('N'),
      K: number('K'),
      T: number('T'),
      bandwidth: number('bandwidth'),
      compute: number('compute'),
      bytes: choiceControl(fields.bytes, bytes => change({ bytes })),
      predict: flagControl(fields.predict, predict => change({ predict })),
    };
    this.drop = new Drop(
      () => this.draw(),
      machine => change({ ...machine }),
      () => productOf(this.settings ?? defaults(fields)),
    );
    this.prediction = new Prediction(() => change({ predict: false }));
    this.element = this.layOut();
    atWidth(this.chart, width => {
      this.width = width;
      this.draw();
    });
  }

  show(settings: Settings): void {
    this.settings = settings;
    for (const key of Object.keys(this.controls) as (keyof Settings)[])
      (this.controls[key] as Control<unknown>).show(settings[key]);
    const any = settings.shape === 'any';
    this.controls.M.element.hidden = this.controls.K.element.hidden = !any;
    say(this.ceiling, ceilingNote(settings));
    this.prediction.show(settings);
    this.readings.hidden = this.sentence.hidden = settings.predict;
    this.readings.replaceChildren(readingsTable(settings));
    say(this.sentence, verdict(settings));
    this.playedTile = undefined;
    this.sequence.element.hidden = settings.predict;
    this.sequence.set(settings);
    this.draw();
  }

  leave(): void {
    this.sequence.stop();
  }

  private draw(): void {
    if (!this.settings || this.width === 0) return;
    const measured = this.drop.points(this.settings);
    this.drop.showList(measured);
    const state = {
      settings: this.settings,
      hidden: this.settings.predict,
      playedTile: this.playedTile,
      measured,
    };
    this.chart.replaceChildren(draw(drawChart(state, this.width)));
  }

  private layOut(): HTMLElement {
    const { shape, M, N, K, T, bandwidth, compute, bytes, predict } = this.controls;
    const settings = [shape, N, M, K, T, bytes, bandwidth, compute].map(control => control.element);
    return html(
      'div',
      { class: 'view' },
      html('h1', {}, 'Roofline reader'),
      html(
        'p',
        { class: 'lead' },
        'How long must a product take, at least, if memory and arithmetic units run at their full rate?',
      ),
      html(
        'div',
        { class: 'columns' },
        html(
          'section',
          { class: 'settings', 'aria-label': 'Settings' },
          ...settings,
          this.ceiling,
          predict.element,
        ),
        html(
          'section',
          { 'aria-label': 'Readings' },
          this.prediction.element,
          this.readings,
          this.sentence,
          this.chart,
          this.sequence.element,
        ),
      ),
      html('h2', {}, 'What this assumes'),
      html('ul', {}, ...rooflineAssumptions.map(text => html('li', {}, text))),
      this.drop.element,
    );
  }
}

export const rooflineView: View<typeof fields> = {
  name: 'roofline',
  title: 'Roofline',
  fields,
  build: change => new Reader(change),
};
