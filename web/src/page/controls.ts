// SPDX-License-Identifier: MIT
//
// The controls of a field: a number has a slider and an entry for the exact value, a choice a list, a flag a box.
import { html, say } from './dom';
import { read, type ChoiceField, type FlagField, type NumberField } from './fields';

export interface Control<T> {
  element: HTMLElement;
  show(value: T): void;
  // What a number's slider ends at, where that is less than the field allows.
  limit?(most: number): void;
}

let controls = 0;
const newId = () => `control-${++controls}`;

// A slider's position for a value and back: even steps in the logarithm where the range is wide.
function scaleOf({ least, kind }: NumberField, most: number) {
  const wide = least > 0 && most / least > 64;
  const span = Math.log(most / least);
  return {
    position: (value: number) =>
      (wide ? Math.log(value / least) / span : (value - least) / (most - least || 1)) * 1000,
    value(position: number) {
      const exact = wide
        ? least * Math.exp((position / 1000) * span)
        : least + (position / 1000) * (most - least);
      const places = kind === 'integer' ? 0 : Math.max(0, 2 - Math.floor(Math.log10(exact)));
      return Number(exact.toFixed(places));
    },
  };
}

function arrowOf({ key }: KeyboardEvent): number {
  return { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key] ?? 0;
}

export function numberControl(field: NumberField, change: (value: number) => void): Control<number> {
  const id = newId();
  let { most } = field;
  let scale = scaleOf(field, most);
  const unit = field.unit ? `, ${field.unit}` : '';
  const slider = html('input', {
    type: 'range',
    min: 0,
    max: 1000,
    step: 'any',
    'aria-label': `${field.label}, slider`,
  });
  const entry = html('input', {
    id,
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const error = html('p', { class: 'field-error', role: 'alert' });
  let shown = NaN;

  const show = (value: number) => {
    shown = value;
    slider.value = String(scale.position(value));
    slider.setAttribute('aria-valuetext', `${value}${unit}`);
    if (document.activeElement !== entry) entry.value = String(value);
  };
  const take = () => {
    const { value, note } = read(field.label, field, entry.value);
    say(error, note ?? '');
    if (value !== shown) change(value as number);
    entry.value = String(shown); // which the view may have settled otherwise
  };
  const within = (value: number) => Math.min(most, Math.max(field.least, value));
  // An arrow moves an integer to the next one, wherever the slider's own step would lead.
  slider.addEventListener('keydown', event => {
    const way = field.kind === 'integer' ? arrowOf(event) : 0;
    if (way === 0) return;
    event.preventDefault();
    if (within(shown + way) !== shown) change(within(shown + way));
  });
  slider.addEventListener('input', () => {
    say(error, '');
    const value = scale.value(Number(slider.value));
    if (value !== shown) change(within(value));
  });
  entry.addEventListener('change', take);
  const label = html(
    'label',
    { for: id },
    field.label,
    field.unit ? html('span', { class: 'unit' }, ` ${field.unit}`) : undefined,
  );
  const limit = (to: number) => {
    most = to;
    scale = scaleOf(field, most);
    slider.value = String(scale.position(shown));
  };
  return { element: html('div', { class: 'field' }, label, entry, slider, error), show, limit };
}

export function choiceControl(field: ChoiceField, change: (value: string) => void): Control<string> {
  const id = newId();
  const list = html(
    'select',
    { id },
    ...Object.entries(field.options).map(([value, text]) => html('option', { value }, text)),
  );
  list.addEventListener('change', () => change(list.value));
  return {
    element: html('div', { class: 'field' }, html('label', { for: id }, field.label), list),
    show: value => void (list.value = value),
  };
}

export function flagControl(field: FlagField, change: (value: boolean) => void): Control<boolean> {
  const box = html('input', { type: 'checkbox' });
  box.addEventListener('change', () => change(box.checked));
  return {
    element: html('div', { class: 'field flag' }, html('label', {}, box, ' ', field.label)),
    show: value => void (box.checked = value),
  };
}
