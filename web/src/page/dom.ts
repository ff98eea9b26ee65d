// SPDX-License-Identifier: MIT
//
// Elements from code. Children that are strings become text nodes, so nothing that a page shows is ever read as HTML;
// there is no way here to set a style attribute, which the pages' content security policy refuses.
import type { Tree } from './tree';

type Value = string | number | boolean | undefined | ((event: Event) => void);
type Attributes = Record<string, Value>;
export type Child = Node | string | number | undefined;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  append(element, ...children);
  return element;
}

export function append(element: Element, ...children: Child[]): void {
  for (const child of children)
    if (child !== undefined) element.append(child instanceof Node ? child : String(child));
}

// A function is a listener ("click"), true and false set and remove, the rest is text.
export function set(element: Element, name: string, value: Value): void {
  if (typeof value === 'function') element.addEventListener(name, value);
  else if (value === undefined || value === false) element.removeAttribute(name);
  else if (value === true) element.setAttribute(name, '');
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

export function html<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[T] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

// A drawing as an element of the page.
export function draw(drawing: Tree): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', drawing.tag);
  const children = drawing.children.map(child => (typeof child === 'string' ? child : draw(child)));
  return fill(element, drawing.attributes, children);
}

// The text, set only where it changed: a live region is read again whenever its text is set.
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function table(caption: string, head: string[], rows: Child[][]): HTMLTableElement {
  return html(
    'table',
    {},
    html('caption', {}, caption),
    html('thead', {}, html('tr', {}, ...head.map(text => html('th', { scope: 'col' }, text)))),
    html(
      'tbody',
      {},
      ...rows.map(([first, ...rest]) =>
        html('tr', {}, html('th', { scope: 'row' }, first), ...rest.map(cell => html('td', {}, cell))),
      ),
    ),
  );
}

export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return html('button', { type: 'button', click: press, ...attributes }, text);
}

// How large a pixel of the drawings is: the page's text grows on a wall, and they grow with it.
export function unit(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
}

// Calls `draw` with the width of the element whenever that changes.
export function atWidth(element: Element, draw: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== last) draw((last = width));
  }).observe(element);
}

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
