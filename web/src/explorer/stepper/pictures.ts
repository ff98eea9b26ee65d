// SPDX-License-Identifier: MIT
//
// The picture of the three matrices and the picture of one block, with the mouse and the keys that work on them.
import { atWidth, html, unit } from '../../page/dom';
import { whenColoursChange } from '../../page/canvas';
import { threadsOf } from '../../model';
import { layOut, tileAt, type Layout } from './layout';
import { drawStep, drawStill } from './picture';
import { drawZoom, threadAt, zoomLayout, type Zoom } from './zoom';
import type { Place, Walk } from './walk';

export interface Shown {
  walk: Walk;
  step: number;
  place: Place; // of the last step made, or of the first
  thread: number;
}

interface Actions {
  tile(row: number, column: number): void;
  thread(thread: number): void;
  step(by: number): void;
  start(): void;
  end(): void;
  play(): void;
}

function pointOf(event: Event, element: Element): [number, number] {
  const { left, top } = element.getBoundingClientRect();
  return [(event as MouseEvent).clientX - left, (event as MouseEvent).clientY - top];
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export class Pictures {
  readonly matrices: HTMLElement;
  readonly block: HTMLElement;
  private canvas = html('canvas', { 'aria-hidden': 'true' });
  private still = html('canvas');
  private zoomCanvas = html('canvas', { 'aria-hidden': 'true' });
  private layout: Layout | undefined;
  private zoom: Zoom | undefined;
  private stillOf: unknown;
  private shown: Shown | undefined;
  private width = 0;
  private zoomWidth = 0;

  constructor(private actions: Actions) {
    const area = (
      name: string,
      keys: (event: Event) => void,
      click: (event: Event) => void,
      canvas: HTMLCanvasElement,
    ) => {
      const attributes = {
        class: 'picture',
        role: 'application',
        tabindex: 0,
        'aria-label': name,
        keydown: keys,
      };
      canvas.addEventListener('click', click);
      return html('div', attributes, canvas);
    };
    this.matrices = area(
      'Matrices: arrow keys choose a tile of C, page down and up step, home and end jump, space plays',
      event => this.keys(event as KeyboardEvent),
      event => this.click(event),
      this.canvas,
    );
    this.block = area(
      'One block: arrow keys choose a thread',
      event => this.threadKeys(event as KeyboardEvent),
      event => this.threadClick(event),
      this.zoomCanvas,
    );
    atWidth(this.matrices, width => {
      this.width = width;
      this.redraw();
    });
    atWidth(this.block, width => {
      this.zoomWidth = width;
      this.redraw();
    });
    whenColoursChange(() => this.redraw());
  }

  private redraw(): void {
    this.stillOf = undefined;
    if (this.shown) this.show(this.shown);
  }

  show(shown: Shown): void {
    this.shown = shown;
    const { walk, step, place, thread } = shown;
    if (this.width > 0) {
      if (this.stillOf !== walk) {
        const size = unit();
        this.layout = layOut(walk, this.width, Math.max(300, Math.min(720 * size, this.width)), size);
        drawStill(this.still, this.layout, walk);
        this.stillOf = walk;
      }
      drawStep(
        this.canvas,
        this.still,
        this.layout!,
        walk,
        step > 0 ? place : undefined,
        step === walk.steps,
      );
    }
    if (this.zoomWidth > 0) {
      this.zoom = zoomLayout(walk, this.zoomWidth, unit());
      drawZoom(this.zoomCanvas, this.zoom, walk, place, thread);
    }
  }

  private click(event: Event): void {
    const { layout, shown } = this;
    const tile = layout && shown && tileAt(layout, shown.walk, ...pointOf(event, this.canvas));
    if (tile) this.actions.tile(tile.row, tile.column);
  }

  private threadClick(event: Event): void {
    const { zoom, shown } = this;
    const thread = zoom && shown && threadAt(zoom, shown.walk, ...pointOf(event, this.zoomCanvas));
    if (thread !== undefined) this.actions.thread(thread);
  }

  private keys(event: KeyboardEvent): void {
    if (!this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    const { walk, place } = this.shown;
    const arrow = arrows[event.key];
    const key = {
      PageDown: () => this.actions.step(1),
      PageUp: () => this.actions.step(-1),
      Home: () => this.actions.start(),
      End: () => this.actions.end(),
      ' ': () => this.actions.play(),
    }[event.key];
    if (!arrow && !key) return;
    event.preventDefault();
    if (!arrow) return key!();
    const row = Math.min(walk.rows - 1, Math.max(0, place.tile.row + arrow[0]));
    const column = Math.min(walk.columns - 1, Math.max(0, place.tile.column + arrow[1]));
    if (row !== place.tile.row || column !== place.tile.column) this.actions.tile(row, column);
  }

  private threadKeys(event: KeyboardEvent): void {
    const arrow = arrows[event.key];
    if (!arrow || !this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { walk, thread } = this.shown;
    const next = thread + arrow[1] + (arrow[0] * walk.shape.BN) / walk.shape.TN;
    if (next >= 0 && next < threadsOf(walk.shape)) this.actions.thread(next);
  }
}
