// SPDX-License-Identifier: MIT
//
// The six readings of the roofline model, beside those of the direct load.
import { html, table } from '../../page/dom';
import type { Roofline } from '../../model';
import { modelOf, type Settings } from './settings';

interface Reading {
  name: string;
  unit: string;
  text(model: Roofline): string;
}

export const readings: Reading[] = [
  { name: 'Intensity', unit: 'FLOP/B', text: model => model.intensity.toFixed(3) },
  { name: 'Traffic', unit: 'GB', text: model => (model.trafficBytes * 1e-9).toFixed(3) },
  { name: 'Shared memory of a block', unit: 'KiB', text: model => (model.sharedBytes / 1024).toFixed(3) },
  { name: 'Memory bound', unit: 'ms', text: model => model.memoryMs.toFixed(4) },
  { name: 'Compute bound', unit: 'ms', text: model => model.computeMs.toFixed(4) },
  { name: 'Combined bound', unit: 'ms', text: model => model.boundMs.toFixed(4) },
];

export function readingsTable(settings: Settings): HTMLTableElement {
  const tiled = modelOf(settings);
  const direct = modelOf(settings, 1);
  const rows = readings.map(({ name, unit, text }) => [
    html('span', {}, name, html('span', { class: 'unit' }, ` ${unit}`)),
    html('output', { 'data-reading': name }, text(tiled)),
    text(direct),
  ]);
  const element = table(
    'Readings: a model, not a measurement',
    ['', `tile T = ${settings.T}`, 'direct, T = 1'],
    rows,
  );
  element.classList.add('readings');
  return element;
}

// One sentence on what decides and by how much.
export function verdict(settings: Settings): string {
  const model = modelOf(settings);
  const ratio = model.memoryMs / model.computeMs;
  const which = model.memoryBound ? 'memory' : 'compute';
  const times = Math.max(ratio, 1 / ratio).toPrecision(3);
  return (
    `The ${which} roof decides: its time is ${times} times the other's. At most ` +
    `${model.attainable.toPrecision(4)} TFLOP/s. The ridge lies at ${model.ridge.toPrecision(4)} FLOP/B.`
  );
}
