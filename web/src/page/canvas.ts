// SPDX-License-Identifier: MIT
//
// A canvas that is as sharp as the screen, and the page's colours for it, which change with the scheme.

interface Palette {
  paper: string;
  sheet: string;
  ink: string;
  quiet: string;
  rule: string;
  edge: string;
  a: string;
  b: string;
  c: string;
}

let palette: Palette | undefined;
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];
dark.addEventListener('change', () => {
  palette = undefined;
  for (const redraw of listeners) redraw();
});

export function colours(): Palette {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  palette = {
    paper: of('paper'),
    sheet: of('sheet'),
    ink: of('ink'),
    quiet: of('quiet'),
    rule: of('rule'),
    edge: of('edge'),
    a: of('a'),
    b: of('b'),
    c: of('c'),
  };
  return palette;
}

export function whenColoursChange(redraw: () => void): void {
  listeners.push(redraw);
}

// Gives the canvas its size in pixels of the page, empties it and returns what draws on it in those pixels.
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function fill(
  context: CanvasRenderingContext2D,
  { x, y, w, h }: Box,
  colour: string,
  alpha = 1,
): void {
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.fillRect(x, y, w, h);
  context.globalAlpha = 1;
}

export function outline(
  context: CanvasRenderingContext2D,
  { x, y, w, h }: Box,
  colour: string,
  width = 1,
  dash: number[] = [],
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.strokeRect(x, y, w, h);
  context.setLineDash([]);
}

// Slanted lines: what is filled with zeros.
export function hatch(context: CanvasRenderingContext2D, { x, y, w, h }: Box, colour: string): void {
  if (w <= 0 || h <= 0) return;
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - h; at < x + w; at += 5) {
    context.moveTo(at, y + h);
    context.lineTo(at + h, y);
  }
  context.stroke();
  context.restore();
}

// Lines at every `step` pixels of a box, both ways or one, where they are far enough apart to be seen.
export function ruled(
  context: CanvasRenderingContext2D,
  { x, y, w, h }: Box,
  across: number,
  down: number,
  colour: string,
  least: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 0.5;
  context.beginPath();
  if (across >= least)
    for (let at = across; at < w - 0.01; at += across) {
      context.moveTo(x + at, y);
      context.lineTo(x + at, y + h);
    }
  if (down >= least)
    for (let at = down; at < h - 0.01; at += down) {
      context.moveTo(x, y + at);
      context.lineTo(x + w, y + at);
    }
  context.stroke();
}
