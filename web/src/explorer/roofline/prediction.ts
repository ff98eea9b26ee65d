// SPDX-License-Identifier: MIT
//
// Predict, then reveal: the reader commits to which roof decides and to a time, and then sees the model's answer
// beside the guess.
import { html, say } from '../../page/dom';
import { modelOf, type Settings } from './settings';

function judgement(settings: Settings, roof: string, guess: number): string {
  const model = modelOf(settings);
  const right = model.memoryBound ? 'memory' : 'compute';
  const which =
    roof === right ? `The ${right} roof: right.` : `It is the ${right} roof that decides, not ${roof}.`;
  if (!(guess > 0)) return which;
  const factor = Math.max(guess / model.boundMs, model.boundMs / guess);
  const close = factor < 1.1 ? 'within a tenth' : `a factor ${factor.toPrecision(2)} off`;
  return `${which} You said ${guess} ms, the model ${model.boundMs.toPrecision(4)} ms: ${close}.`;
}

export class Prediction {
  readonly element: HTMLElement;
  private result = html('p', { class: 'judgement', role: 'status' });
  private form: HTMLFormElement;
  private guess = html('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', id: 'guess' });
  private settings: Settings | undefined;

  constructor(private reveal: () => void) {
    const roof = (value: string, text: string) =>
      html('label', {}, html('input', { type: 'radio', name: 'roof', value, required: true }), ` ${text}`);
    this.form = html(
      'form',
      { submit: event => this.answer(event) },
      html(
        'fieldset',
        {},
        html('legend', {}, 'Which roof decides?'),
        roof('memory', 'memory'),
        roof('compute', 'compute'),
      ),
      html('p', {}, html('label', { for: 'guess' }, 'Combined bound, ms'), ' ', this.guess),
      html('button', {}, 'Reveal'),
    );
    this.element = html('div', { class: 'prediction' }, this.form, this.result);
  }

  show(settings: Settings): void {
    if (settings.predict || !this.settings?.predict) say(this.result, '');
    this.settings = settings;
    this.form.hidden = !settings.predict;
  }

  private answer(event: Event): void {
    event.preventDefault();
    const settings = this.settings;
    if (!settings) return;
    const roof = String(new FormData(this.form).get('roof'));
    this.reveal();
    say(this.result, judgement(settings, roof, Number(this.guess.value)));
    this.form.reset();
  }
}
