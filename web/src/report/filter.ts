// SPDX-License-Identifier: MIT
//
// A box that chooses by words: what holds all of them.
import { html } from '../page/dom';
import { commas, plural } from '../page/format';

export type Chooses = (text: string) => boolean; // of a text in lower case

export function filterBox(
  label: string,
  status: HTMLElement,
  change: (chooses: Chooses) => void,
): HTMLElement {
  const input = html('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    change(text => words.every(word => text.includes(word)));
  });
  return html('div', { class: 'filter' }, html('label', {}, `${label} `, input), status);
}

// "576 rows, 25 shown"; "30 of 576 rows, 25 shown".
export function countText(all: number, found: number, shown: number, noun: string): string {
  const of = found === all ? '' : `${commas(found)} of `;
  return `${of}${plural(all, noun)}${shown === found ? '' : `, ${commas(shown)} shown`}`;
}
