// SPDX-License-Identifier: MIT
//
// Texts in a drawing: how much room they take, which nothing here can measure, and what fits.
import { tree, type Attributes, type Tree } from '../../page/tree';

const characterWidth = 7; // of the drawings' font, on the wide side

export const lengthOf = (text: string, size: number) => text.length * characterWidth * size;

const charactersIn = (room: number, size: number) => Math.max(4, Math.floor(room / (characterWidth * size)));

// The text as far as there is room; all of it where the pointer rests.
export function words(text: string, room: number, size: number, attributes: Attributes): Tree {
  const most = charactersIn(room, size);
  if (text.length <= most) return tree('text', attributes, text);
  return tree('text', attributes, tree('title', {}, text), `${text.slice(0, most - 1)}…`);
}

// The text in as many lines as it needs.
export function wrapped(text: string, room: number, size: number): string[] {
  const most = charactersIn(room, size);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
