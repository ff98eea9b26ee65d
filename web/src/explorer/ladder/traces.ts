// SPDX-License-Identifier: MIT
//
// The traces that are shown: some that the page holds, and those that a visitor drops in.
import { html, say } from '../../page/dom';
import type { Ladder, Rung } from './data';
import { traceOf, warpTable, type Trace } from './warp';

export class TracePanel {
  private element: HTMLElement;
  private status = html('p', { role: 'status' });
  private own = html('div');
  private held = html('div');
  private sourceOf: (trace: Trace) => string[] = () => [];

  constructor() {
    const input = html('input', { type: 'file', id: 'trace', accept: '.json' });
    input.addEventListener('change', () => void this.read(input.files?.[0]));
    const area = html(
      'div',
      { class: 'drop' },
      html(
        'label',
        { for: 'trace' },
        'The JSON of tilewright trace KERNEL --shape MxNxK --json: choose it, or drop it here',
      ),
      input,
    );
    area.addEventListener('dragover', event => event.preventDefault());
    area.addEventListener('drop', event => {
      event.preventDefault();
      void this.read(event.dataTransfer?.files[0]);
    });
    this.element = html(
      'div',
      {},
      html(
        'p',
        {},
        'A warp’s 32 lanes ask together. Global memory answers in sectors of 32 bytes, so lanes that ask for neighbours share ' +
          'one. Shared memory has 32 banks of 4 bytes; lanes that want different words of one bank take turns.',
      ),
      area,
      this.status,
      this.own,
      this.held,
    );
  }

  // First the traces of the chosen rung, then the others, for contrast; each line with its source where the page has it.
  show({ traces, rungs, sources }: Ladder, { kernels }: Rung): HTMLElement {
    this.sourceOf = ({ source }) => {
      const rung = rungs.find(({ file }) => source.endsWith(`kernels/${file}`));
      return (rung && sources[rung.name]?.split('\n')) ?? [];
    };
    const known = traces.map(traceOf).filter((trace): trace is Trace => typeof trace !== 'string');
    const mine = known.filter(({ kernel }) => kernels.includes(kernel));
    const others = known.filter(({ kernel }) => !kernels.includes(kernel));
    const shown = (trace: Trace) => warpTable(trace, this.sourceOf(trace));
    const none = html('p', {}, 'The page holds no trace of this rung; the command above makes one.');
    this.held.replaceChildren(
      ...(mine.length ? mine.map(shown) : [none]),
      html('h3', {}, 'For contrast'),
      ...others.map(shown),
    );
    return this.element;
  }

  private async read(file: File | undefined): Promise<void> {
    if (!file) return;
    let trace: Trace | string;
    try {
      trace = traceOf(JSON.parse(await file.text()));
    } catch {
      trace = 'it is no JSON';
    }
    if (typeof trace === 'string') say(this.status, `${file.name}: ${trace}.`);
    else {
      say(this.status, `${file.name} is shown.`);
      this.own.replaceChildren(warpTable(trace, this.sourceOf(trace)));
    }
  }
}
