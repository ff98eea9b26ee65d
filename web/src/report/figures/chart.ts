// SPDX-License-Identifier: MIT
//
// A drawing in the page, at the width it has, and drawn again when that changes.
import { atWidth, draw, html, unit } from '../../page/dom';
import type { Frame } from '../../page/plot';
import type { Tree } from '../../page/tree';

export interface Chart {
  element: HTMLElement;
  redraw(): void; // where what it draws has changed
}

export function chart(drawn: (frame: Frame) => Tree): Chart {
  const element = html('div', { class: 'chart' });
  let known = 0;
  const redraw = () => {
    known ||= element.clientWidth; // before the first report of a width
    if (known === 0) return;
    try {
      element.replaceChildren(draw(drawn({ width: known, size: unit() })));
    } catch (error) {
      element.replaceChildren(
        html('p', { role: 'alert' }, `This figure could not be drawn. ${String(error)}`),
      );
    }
  };
  atWidth(element, width => {
    known = width;
    redraw();
  });
  return { element, redraw };
}
