// SPDX-License-Identifier: MIT
//
// The numbers of the ladder: every rung's rate beside cuBLAS, and one rung's predictions beside what was measured.
import { button, html, svg, table, type Child } from '../../page/dom';
import { commas, digits, percent } from '../../page/format';
import { roofline } from '../../model';
import { loadsOf } from '../measured';
import { timingOfRung, type Ladder, type LadderTiming, type Rung } from './data';

const rateOf = (timing: LadderTiming) => timingOfRung(timing).tflops;

function fastest(rung: Rung, size: string): LadderTiming | undefined {
  const own = rung.timings.filter(({ shape }) => String(shape[0]) === size);
  return own.reduce<LadderTiming | undefined>(
    (best, one) => (best && best.us <= one.us ? best : one),
    undefined,
  );
}

function bar(share: number): SVGSVGElement {
  const attributes = {
    class: 'rate',
    viewBox: '0 0 100 10',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  };
  return svg('svg', attributes, svg('rect', { width: (100 * share).toFixed(2), height: 10 }));
}

// Every rung, the fastest of its kernels at the size; a press chooses the rung.
export function ladderTable(
  { rungs, run }: Ladder,
  chosen: string,
  size: string,
  choose: (name: string) => void,
): HTMLElement {
  const rows = rungs.map(rung => {
    const best = fastest(rung, size);
    const choice = button(rung.name, () => choose(rung.name), {
      'aria-pressed': String(rung.name === chosen),
    });
    const idea = html('span', { class: 'idea' }, rung.idea);
    if (!best) {
      const why = rung.untimed.find(({ shape }) => String(shape[0]) === size)?.verdict ?? 'no record';
      return [choice, idea, '', '', html('span', { class: 'unit' }, why)];
    }
    return [
      choice,
      idea,
      digits(rateOf(best)),
      best.cublas === null ? '' : percent(best.cublas),
      bar(rateOf(best) / run.ceilings.fma_tflops),
    ] as Child[];
  });
  const head = ['Rung', 'Idea', 'TFLOP/s', 'of cuBLAS', 'of the FMA rate measured there'];
  const element = table(
    `Measured on one ${run.gpu} at ${size} × ${size} × ${size}: the fastest kernel of each rung, medians`,
    head,
    rows,
  );
  element.classList.add('rungs');
  return element;
}

export function provenance({ run }: Ladder): string {
  return (
    `Records of ${run.started.slice(0, 10)}, ${run.gpu}, driver ${run.driver}, CUDA ${run.toolkit}, cuBLAS ${run.cublas}, ` +
    `${run.cache} buffers, source ${run.revision.slice(0, 12)}. The FMA rate, ${digits(run.ceilings.fma_tflops)} TFLOP/s, and ` +
    `the read bandwidth, ${digits(run.ceilings.read_gbps, 4)} GB/s, were measured in the same run.`
  );
}

// Times of each kernel of a rung, with the least that the roofline allows its loads, uncached.
export function timesTable({ run }: Ladder, rung: Rung): HTMLElement {
  const machine = { bandwidth: run.ceilings.read_gbps, compute: run.ceilings.fma_tflops };
  const rows = rung.timings.map(timing => {
    const { product, ms } = timingOfRung(timing);
    const once = roofline(product, Math.max(product.M, product.N), machine);
    return [
      `${timing.kernel} ${timing.shape.join(' × ')}`,
      commas(loadsOf(timingOfRung(timing))),
      digits(once.computeMs * 1000, 4),
      `${digits(ms * 1000, 4)} (${digits(timing.low_us, 4)} … ${digits(timing.high_us, 4)})`,
      digits(rateOf(timing), 4),
      timing.cublas === null ? '' : percent(timing.cublas),
    ];
  });
  const head = [
    '',
    'element loads, model',
    'FLOP alone, µs, model',
    'measured, µs (99 % interval)',
    'TFLOP/s',
    'of cuBLAS',
  ];
  return html(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Times' },
    table('Time: the model’s parts beside the median that was measured', head, rows),
  );
}

// As docs/agreement.md defines them.
export const wordsText =
  'Counts, in one word each: equal, the number that was predicted; merged, the compiler made one wide access of several of ' +
  'the source’s, as the machine code shows; arbitrated, the counter also counts passes that the pipe repeated for another ' +
  'reason, and the rest is the prediction; masked, a copy that lies outside of its matrix and is a request all the same.';

export function countsTables(rung: Rung): HTMLElement[] {
  return rung.kernels.flatMap(kernel => {
    const counts = rung.counts[kernel];
    if (!counts) return [];
    const number = (value: number | null) => (value === null ? 'not counted' : commas(value));
    const rows = counts.rows.map(([quantity, predicted, measured, word]) => [
      quantity.replaceAll('_', ' '),
      number(predicted),
      number(measured),
      word,
    ]);
    const caption = `${kernel} at ${counts.shape.join(' × ')}: what was predicted and what Nsight Compute counted`;
    const head = ['', 'predicted', 'counted', ''];
    return [
      html(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `Counts of ${kernel}` },
        table(caption, head, rows),
      ),
    ];
  });
}
