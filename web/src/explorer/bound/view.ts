// SPDX-License-Identifier: MIT
//
// The lower bound: what any order of the multiply-adds must move with S elements on chip, what square tiles reach, and
// where the rungs stand.
import { atWidth, draw, html, say, table, unit } from '../../page/dom';
import { numberControl, type Control } from '../../page/controls';
import { commas, digits, short } from '../../page/format';
import { integer, type Values } from '../../page/fields';
import { caption, line, logPlot, type Point } from '../../page/plot';
import { tree, type Tree } from '../../page/tree';
import type { Change, Shown, View } from '../../page/view';
import {
  boundAssumptions,
  largestExtent,
  matmulTraffic,
  onChipElements,
  trafficBound,
  type Product,
} from '../../model';
import { loadsOf } from '../measured';
import { ladder, timingOfRung, type Rung } from '../ladder/data';

const mostOnChip = 2 ** 20;

export const fields = {
  M: integer('M', 1, largestExtent, 4096),
  N: integer('N', 1, largestExtent, 4096),
  K: integer('K', 1, largestExtent, 4096),
  S: integer('On chip, S', 3, mostOnChip, 16384, 'elements'),
};

type Settings = Values<typeof fields>;

interface Stand {
  name: string;
  S: number;
  loads: number;
}

// Every kernel once, with what its block keeps on chip and what it loads for this product.
function standsOf(rungs: Rung[], product: Product): Stand[] {
  const kernels = new Map(rungs.flatMap(rung => rung.timings).map(timing => [timing.kernel, timing]));
  return [...kernels.values()].map(timing => {
    const [BM, BN] = timing.tile;
    return {
      name: timing.kernel,
      S: onChipElements({ BM, BN }, timing.shared_bytes),
      loads: loadsOf({ ...timingOfRung(timing), product }),
    };
  });
}

function curves(product: Product): { atLeast: Point[]; tiling: Point[] } {
  const atLeast: Point[] = [];
  const tiling: Point[] = [];
  for (let S = 3; S <= mostOnChip; S = Math.max(S + 1, Math.floor(S * 1.15))) {
    const bound = trafficBound(product, S);
    atLeast.push([S, bound.atLeast]);
    tiling.push([S, bound.tiling]);
  }
  return { atLeast, tiling };
}

function drawChart(settings: Settings, stands: Stand[], width: number): Tree {
  const { naive, minimum } = matmulTraffic(settings, { BM: 1, BN: 1 });
  const { atLeast, tiling } = curves(settings);
  const most = Math.max(naive, tiling[0]?.[1] ?? naive);
  const label = `Elements moved against elements on chip, for ${stands.length} kernels, with the lower bound below them.`;
  const plot = logPlot(
    { width, size: unit() },
    { least: 3, most: mostOnChip, label: 'S, elements on chip' },
    { least: minimum / 2, most: most * 1.5, label: 'elements moved' },
    label,
  );
  const at = plot.x(settings.S);
  plot.marks.push(
    tree('line', { class: 'cursor', x1: at, x2: at, y1: plot.top, y2: plot.bottom }),
    line(
      plot,
      'tiling',
      tiling.filter(([, y]) => y >= minimum / 2),
    ),
    line(plot, 'bound', atLeast),
    caption(
      plot,
      '',
      tiling[Math.floor(tiling.length * 0.75)] ?? [3, most],
      'square tiles reach',
      'right above',
    ),
    caption(
      plot,
      '',
      atLeast[Math.floor(atLeast.length * 0.5)] ?? [3, minimum],
      'no order goes below',
      'left below',
    ),
  );
  for (const [index, { name, S, loads }] of stands.entries()) {
    const place = { cx: plot.x(S), cy: plot.y(loads), r: 5 };
    plot.marks.push(tree('circle', { class: 'point tiled', ...place }, tree('title', {}, name)));
    // One name where several kernels load the same; the table has them all.
    const first = stands.findIndex(stand => stand.loads === loads) === index;
    if (first && width > 500) plot.marks.push(caption(plot, 'quiet', [S, loads], name, 'left below'));
  }
  return plot.tree;
}

class BoundPage implements Shown<typeof fields> {
  readonly element: HTMLElement;
  private settings: Settings | undefined;
  private rungs: Rung[] = [];
  private width = 0;
  private chart = html('div', { class: 'chart' });
  private sentence = html('p', { class: 'verdict' });
  private list = html('div', {
    class: 'scroll',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Kernels against the bound',
  });
  private controls: [keyof Settings, Control<number>][];

  constructor(change: Change<typeof fields>) {
    this.controls = (Object.keys(fields) as (keyof Settings)[]).map(key => [
      key,
      numberControl(fields[key], value => change({ [key]: value })),
    ]);
    this.element = html(
      'div',
      { class: 'view' },
      html('h1', {}, 'Lower bound'),
      html(
        'p',
        { class: 'lead' },
        'How little can be moved with S elements on chip, whatever the order, and where the kernels stand.',
      ),
      html(
        'div',
        { class: 'columns' },
        html(
          'section',
          { class: 'settings', 'aria-label': 'Settings' },
          ...this.controls.map(([, control]) => control.element),
        ),
        html('section', { 'aria-label': 'Bound' }, this.sentence, this.chart),
      ),
      this.list,
      html('h2', {}, 'What this assumes'),
      html('ul', {}, ...boundAssumptions.map(text => html('li', {}, text))),
      html(
        'p',
        {},
        'On chip, a kernel is given the shared memory of a block and one sum for each element of its tile of C.',
      ),
    );
    atWidth(this.chart, width => {
      this.width = width;
      this.redraw();
    });
    void ladder().then(({ rungs }) => {
      this.rungs = rungs;
      this.redraw();
    });
  }

  show(settings: Settings): void {
    this.settings = settings;
    for (const [key, control] of this.controls) control.show(settings[key]);
    this.redraw();
  }

  private redraw(): void {
    const { settings } = this;
    if (!settings) return;
    const { lowerBound, tiling, minimum, tileSide, tiled } = trafficBound(settings, settings.S);
    say(
      this.sentence,
      `With S = ${commas(settings.S)}: at least ${lowerBound > 0 ? commas(Math.floor(lowerBound)) : 'nothing by the bound'}, and never ` +
        `less than the inputs, ${commas(minimum)}. Tiles of side √(S/3) load ${commas(Math.floor(tiling))}; whole ones, of side ` +
        `${tileSide}, exactly ${commas(tiled)} elements.`,
    );
    const stands = standsOf(this.rungs, settings);
    const rows = stands.map(({ name, S, loads }) => {
      const { atLeast } = trafficBound(settings, S);
      return [name, commas(S), short(loads), short(atLeast), digits(loads / atLeast)];
    });
    this.list.replaceChildren(
      table(
        'Loads of each kernel against the bound for its own S',
        ['', 'S', 'loads', 'at least', 'times the bound'],
        rows,
      ),
    );
    if (this.width > 0) this.chart.replaceChildren(draw(drawChart(settings, stands, this.width)));
  }
}

export const boundView: View<typeof fields> = {
  name: 'bound',
  title: 'Lower bound',
  fields,
  build: change => new BoundPage(change),
};
