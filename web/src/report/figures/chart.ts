// SPDX-License-Identifier: MIT
//
// A drawing in the page, at the width it has, and drawn again when that changes.
import { atWidth, draw, html, unit } from '../../page/dom';
import type { Frame } from '../../page/plot';
import type { Tree } from '../../page/tree';

export function chart(drawn: (frame: Frame) => Tree): HTMLElement {
  const element = html('div', { class: 'chart' });
  atWidth(element, width => {
    try {
      element.replaceChildren(draw(drawn({ width, size: unit() })));
    } catch (error) {
      element.replaceChildren(
        html('p', { role: 'alert' }, `This figure could not be drawn. ${String(error)}`),
      );
    }
  });
  return element;
}
