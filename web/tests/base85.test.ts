// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { alphabet, toBase85 } from '../ladder-data.mjs';
import { fromBase85 } from '../src/explorer/ladder/base85';

describe('bytes as base 85', () => {
  test('the alphabet has 85 characters, each once, and none that ends a string or a script', () => {
    expect(new Set(alphabet).size).toBe(85);
    expect(alphabet).not.toMatch(/["'`\\<&$\s]/);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 1021])('%d of them come back', length => {
    const bytes = Uint8Array.from({ length }, (_, i) => (255 - i * 89) & 255);
    const text = toBase85(bytes);
    expect(text).toHaveLength(Math.ceil(length / 4) * 5);
    expect([...fromBase85(text, alphabet, length)]).toEqual([...bytes]);
  });
});
