// SPDX-License-Identifier: MIT
//
// A drawing as data: what a page makes elements of (`draw` in dom.ts) and a picture in a file is written from, so that
// both are drawn by the same code. Nothing here needs a page.

export interface Tree {
  tag: string;
  attributes: Record<string, string | number>;
  children: (Tree | string)[];
}

export type Attributes = Record<string, string | number | undefined>;

// Hundredths of a pixel are enough, and the same on every machine.
const rounded = (value: number) => Number(value.toFixed(2));

export function tree(
  tag: string,
  attributes: Attributes = {},
  ...children: (Tree | string | undefined)[]
): Tree {
  const given = Object.entries(attributes).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  return {
    tag,
    attributes: Object.fromEntries(
      given.map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
    ),
    children: children.filter(child => child !== undefined),
  };
}

// Numbers of a path, such as `M${at(x)} ${at(y)}`.
export const at = rounded;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// What XML cannot hold at all is replaced.
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
    .replace(/[&<>"]/g, one => entities[one]!);
}

// The text of a drawing, a line an element.
export function toText({ tag, attributes, children }: Tree, indent = ''): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const open = `${indent}<${tag}${written.join('')}`;
  if (children.length === 0) return `${open}/>\n`;
  if (children.every(child => typeof child === 'string'))
    return `${open}>${escaped(children.join(''))}</${tag}>\n`;
  const inside = children.map(child =>
    typeof child === 'string' ? `${escaped(child)}\n` : toText(child, `${indent} `),
  );
  return `${open}>\n${inside.join('')}${indent}</${tag}>\n`;
}
