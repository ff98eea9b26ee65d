// SPDX-License-Identifier: MIT
//
// Settings and their text in an address: what is written reads back the same, what cannot be is replaced and noted.
import { describe, expect, test } from 'vitest';
import { choice, defaults, flag, integer, number, parse, write, type Values } from '../src/page/fields';
import { random } from './tilewright';

const fields = {
  M: integer('M', 1, 65536, 1024),
  rate: number('Rate', 0.5, 20000, 60),
  order: choice('Order', { row: 'row by row', hilbert: 'Hilbert curve' }, 'row'),
  predict: flag('Predict'),
};

describe('settings in an address', () => {
  test('at their defaults they are left out', () => expect(write(fields, defaults(fields))).toEqual([]));

  test('read back as they were written', () => {
    const draw = random(7);
    for (let i = 0; i < 500; ++i) {
      const values: Values<typeof fields> = {
        M: draw(1, 65536),
        rate: draw(1, 39999) / 2 + 0.25,
        order: draw(0, 1) ? 'hilbert' : 'row',
        predict: draw(0, 1) === 1,
      };
      const text = new URLSearchParams(write(fields, values)).toString();
      expect(parse(fields, new URLSearchParams(text))).toEqual({ values, notes: [] });
    }
  });

  test.each([
    ['M=0', { M: 1 }],
    ['M=-5', { M: 1 }],
    ['M=1e9', { M: 65536 }],
    ['M=17.4', { M: 17 }],
    ['M=', { M: 1024 }],
    ['M=NaN', { M: 1024 }],
    ['M=0x10', { M: 1024 }],
    ['rate=Infinity', { rate: 60 }],
    ['rate=0.1', { rate: 0.5 }],
    ['order=zigzag', { order: 'row' }],
    ['order=toString', { order: 'row' }],
    ['predict=yes', { predict: false }],
    ['nonsense=1', {}],
    ['constructor=1', {}],
  ])('%s is replaced, with one note', (text, changed) => {
    const { values, notes } = parse(fields, new URLSearchParams(text));
    expect(values).toEqual({ ...defaults(fields), ...changed });
    expect(notes.length).toBe(1);
    expect(notes[0]).toContain(text.split('=')[0]);
  });
});
