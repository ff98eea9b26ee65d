// SPDX-License-Identifier: MIT
//
// Where measured records are dropped in, and the list of those that are shown.
import { button, html, say, table, type Child } from '../../page/dom';
import type { Machine, Product } from '../../model';
import { ladder, timingOfRung } from '../ladder/data';
import { aboveText, measuredPoint, timingsOf, type Measured, type Timing } from '../measured';

const mostPoints = 200;

const isImpossible = ({ above }: Measured) => above === 'compute' || above === 'memory';

function measuredTable(head: string[], rows: Child[][]): HTMLElement {
  const element = table('Measured, not modelled', head, rows);
  element.classList.add('against');
  return element;
}

export class Drop {
  readonly element: HTMLElement;
  private timings: Timing[] = [];
  private status = html('p', { role: 'status' });
  private list = html('div', { class: 'scroll' });
  private clear = button('Remove the points', () => this.take([], ''), { hidden: true });

  // `ceilings` is told what was measured where the page's own records were made.
  constructor(
    private changed: () => void,
    private ceilings: (machine: Machine) => void,
    private product: () => Product,
  ) {
    const input = html('input', { type: 'file', id: 'records', multiple: true, accept: '.jsonl,.json' });
    input.addEventListener('change', () => void this.read([...(input.files ?? [])]));
    const area = html(
      'div',
      { class: 'drop' },
      html('label', { for: 'records' }, 'Records of tilewright bench (.jsonl): choose, or drop them here'),
      input,
    );
    area.addEventListener('dragover', event => event.preventDefault());
    area.addEventListener('drop', event => {
      event.preventDefault();
      void this.read([...(event.dataTransfer?.files ?? [])]);
    });
    this.element = html(
      'section',
      { 'aria-label': 'Measured points' },
      html('h2', {}, 'Measured points'),
      html('p', {}, 'Drawn as open diamonds, so that they are never taken for the model’s filled circles.'),
      html(
        'div',
        { class: 'buttons' },
        button('Show the ladder at this product', () => void this.own(false)),
        button('Use the ceilings measured there', () => void this.own(true)),
      ),
      area,
      this.status,
      this.clear,
      this.list,
    );
  }

  points(machine: Machine): Measured[] {
    return this.timings.map(timing => measuredPoint(timing, machine));
  }

  showList(points: Measured[]): void {
    const rows = points.map(point => [
      point.name,
      point.ms.toPrecision(4),
      point.tflops.toPrecision(4),
      `${point.intensity.toPrecision(3)}${point.cached ? ' (each element once)' : ''}`,
      html('span', { class: isImpossible(point) ? 'flagged' : '' }, aboveText[point.above]),
    ]);
    const head = ['', 'ms', 'TFLOP/s', 'FLOP/B', 'against the roof'];
    this.list.replaceChildren(...(rows.length ? [measuredTable(head, rows)] : []));
  }

  take(timings: Timing[], text: string): void {
    this.timings = timings.slice(0, mostPoints);
    const left = timings.length - this.timings.length;
    say(this.status, left ? `${text} The first ${mostPoints} are shown.` : text);
    this.clear.hidden = timings.length === 0;
    this.changed();
  }

  // The records that the page holds: their points, or the ceilings that were measured with them.
  private async own(ceilings: boolean): Promise<void> {
    const { rungs, run } = await ladder();
    const four = (value: number) => Number(value.toPrecision(4));
    if (ceilings)
      return this.ceilings({
        bandwidth: four(run.ceilings.read_gbps),
        compute: four(run.ceilings.fma_tflops),
      });
    const { M, N, K } = this.product();
    const all = rungs.flatMap(rung => rung.timings);
    const here = all.filter(({ shape }) => shape.join() === [M, N, K].join()).map(timingOfRung);
    const sizes = [...new Set(all.map(({ shape }) => shape.join(' × ')))].join(', ');
    const text = here.length
      ? `${here.length} kernels, measured`
      : `No kernel was measured at ${M} × ${N} × ${K}, only at ${sizes},`;
    this.take(here, `${text} on one ${run.gpu}, ${run.started.slice(0, 10)}.`);
  }

  private async read(files: File[]): Promise<void> {
    const found = (await Promise.all(files.map(file => file.text()))).map(timingsOf);
    const timings = found.flatMap(each => each.timings);
    const others = found.reduce((sum, each) => sum + each.otherLines, 0);
    if (timings.length === 0)
      return this.take([], `No timing record there that passed (${others} other lines): nothing is shown.`);
    this.take(timings, `${timings.length} measured points; ${others} lines are other records.`);
  }
}
