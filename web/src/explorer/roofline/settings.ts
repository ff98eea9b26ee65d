// SPDX-License-Identifier: MIT
//
// The settings of the roofline reader and the product they describe. By default, the check values of the page.
import { choice, flag, integer, number, type Values } from '../../page/fields';
import { largestExtent, roofline, type Product, type Roofline } from '../../model';

export const fields = {
  shape: choice('Product', { square: 'square, N × N × N', any: 'any, M × N × K' }, 'square'),
  M: integer('M', 1, largestExtent, 1024),
  N: integer('N', 1, largestExtent, 1024),
  K: integer('K', 1, largestExtent, 1024),
  T: integer('Tile T', 1, 256, 16),
  bandwidth: number('Bandwidth', 1, 20000, 1000, 'GB/s'),
  compute: number('Compute ceiling', 0.01, 10000, 60, 'TFLOP/s'),
  bytes: choice(
    'Element size',
    { '1': '1 byte', '2': '2 bytes', '4': '4 bytes (float32)', '8': '8 bytes' },
    '4',
  ),
  predict: flag('Predict first: hide the readings until I have guessed'),
};

export type Settings = Values<typeof fields>;

export function productOf(settings: Settings): Product {
  const { M, N, K } = settings;
  return settings.shape === 'square' ? { M: N, N, K: N } : { M, N, K };
}

export function modelOf(settings: Settings, T = settings.T): Roofline {
  return roofline(productOf(settings), T, settings, Number(settings.bytes));
}

// No float32 FMA units of one GPU reach this; a higher number is a tensor-core or a sparse rate.
const mostFmaTflops = 200;

export function ceilingNote(settings: Settings): string {
  if (settings.bytes !== '4' || settings.compute <= mostFmaTflops) return '';
  return (
    `${settings.compute} TFLOP/s is not the rate of any GPU's float32 FMA units: is it a tensor-core or a sparse ` +
    'rate? Then it is no ceiling of a float32 FMA kernel.'
  );
}
