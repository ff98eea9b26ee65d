// SPDX-License-Identifier: MIT
//
// Figures in the page, with their captions.
import { html } from '../../page/dom';
import type { FigureBlock } from '../document';
import { chart } from './chart';
import { Groups } from './groups';
import { drawLadder } from './ladder';
import { drawRatios } from './ratios';
import { drawRoofline } from './roofline';

function figure(caption: string, ...content: HTMLElement[]): HTMLElement {
  return html('figure', {}, html('figcaption', {}, caption), ...content);
}

export function figureElement(block: FigureBlock): HTMLElement {
  switch (block.kind) {
    case 'ladder':
      return figure(block.caption, chart(frame => drawLadder(block, frame)).element);
    case 'ratios':
      return figure(block.caption, chart(frame => drawRatios(block, frame)).element);
    case 'roofline':
      return figure(block.caption, chart(frame => drawRoofline(block, frame)).element);
    case 'distributions':
      return figure(block.caption, new Groups(block).element);
  }
}
