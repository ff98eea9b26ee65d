// SPDX-License-Identifier: MIT
//
// The buttons that move through the walk, and the clock that plays it: one change a frame, of as many steps as the
// speed asks for.
import { button, html, say } from '../../page/dom';

interface Position {
  step: number;
  steps: number;
  speed: number; // steps a second
}

export class Player {
  readonly element: HTMLElement;
  private play = button('Play', () => this.toggle());
  private first = button('Start', () => this.to(0));
  private back = button('Back', () => this.to(this.position.step - 1));
  private next = button('Step', () => this.to(this.position.step + 1));
  private block = button('Next block', () => this.toNextBlock());
  private last = button('End', () => this.to(this.position.steps));
  private frame = 0;
  private owed = 0;
  private position: Position = { step: 0, steps: 0, speed: 2 };

  constructor(
    private move: (step: number) => void,
    private nextBlock: (step: number) => number,
  ) {
    const buttons = [this.first, this.back, this.play, this.next, this.block, this.last];
    this.element = html('div', { class: 'buttons', role: 'group', 'aria-label': 'Walk' }, ...buttons);
  }

  get playing(): boolean {
    return this.frame !== 0;
  }

  show(position: Position): void {
    this.position = position;
    const { step, steps } = position;
    // A button that had the focus keeps it: it says that it can do nothing instead of vanishing from the order.
    for (const [one, idle] of [
      [this.first, step === 0],
      [this.back, step === 0],
      [this.next, step === steps],
      [this.block, step === steps],
      [this.last, step === steps],
    ] as const)
      one.setAttribute('aria-disabled', String(idle));
    say(this.play, this.playing ? 'Pause' : 'Play');
  }

  to(step: number): void {
    this.stop();
    this.go(step);
  }

  toNextBlock(): void {
    this.to(this.nextBlock(this.position.step));
  }

  toggle(): void {
    if (this.playing) return this.stop();
    if (this.position.step === this.position.steps) this.go(0);
    this.owed = 0;
    let before = performance.now();
    const tick = (now: number) => {
      this.frame = requestAnimationFrame(tick);
      this.owed += ((now - before) * this.position.speed) / 1000;
      before = now;
      const steps = Math.floor(this.owed);
      if (steps < 1) return;
      this.owed -= steps;
      this.go(this.position.step + steps);
      if (this.position.step === this.position.steps) this.stop();
    };
    this.frame = requestAnimationFrame(tick);
    say(this.play, 'Pause');
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    say(this.play, 'Play');
  }

  private go(step: number): void {
    const within = Math.min(this.position.steps, Math.max(0, step));
    if (within !== this.position.step) this.move(within);
  }
}
