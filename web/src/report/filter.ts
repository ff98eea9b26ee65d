// SPDX-License-Identifier: MIT
//
// A box that chooses by words: what holds all of them.
import { html } from '../page/dom';

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
