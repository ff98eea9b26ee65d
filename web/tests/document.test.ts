// SPDX-License-Identifier: MIT
//
// The one reader of report documents: it takes what the program makes, and refuses everything else in one sentence that
// says where, the rule and what was found.
import { describe, expect, test } from 'vitest';
import { readDocument } from '../src/report/read';
import { madeUp } from './made_up';
import { random } from './tilewright';

const whole = JSON.stringify(madeUp());
const problemOf = (json: string) => {
  const read = readDocument(json);
  return 'problem' in read ? read.problem : 'none';
};

// The document with the value at a path, such as sections.3.title, replaced or (undefined) taken out.
function changed(path: string, value: unknown): string {
  const document = JSON.parse(whole) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const holder = names.reduce<Record<string, unknown>>((one, name) => one[name] as typeof one, document);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return JSON.stringify(document);
}

test('the made-up document is one', () => expect(readDocument(whole)).toHaveProperty('report.sections'));

test('members that the schema does not name are left out', () => {
  const read = readDocument(changed('surprise', 1));
  expect(read).toHaveProperty('report');
  expect(read).not.toHaveProperty('report.surprise');
});

describe('refused:', () => {
  const table = 'sections.1.blocks.0';
  const ratio = 'sections.3.blocks.0.rows.2';
  const timing = 'sections.4.blocks.0.groups.0.rows.1';
  test.each<[string, unknown, string]>([
    ['schema', 2, 'schema: this page reads version 1; it is 2'],
    ['schema', undefined, 'schema: this page reads version 1; it is missing'],
    ['schema', '1', 'schema: this page reads version 1; it is “1”'],
    ['record', 'timing', 'record: must be one of report; it is “timing”'],
    ['title', 7, 'title: must be a string; it is 7'],
    ['made_by.dirty', 'no', 'made_by.dirty: must be true or false; it is “no”'],
    ['sets', [], 'sets: must be a list of 1 to 2; it is a list of 0'],
    [
      'sets.0.files.0.bytes',
      1.5,
      'sets[0].files[0].bytes: must be an integer from 0 to 9007199254740991; it is 1.5',
    ],
    ['headline.0.tone', 'red', 'headline[0].tone: must be one of good, bad, plain; it is “red”'],
    ['sections', {}, 'sections: must be a list; it is an object'],
    ['sections.0', null, 'sections[0]: must be an object; it is nothing (null)'],
    ['sections.0.id', 'document', 'sections[0].id: must be a lower-case word'],
    ['sections.0.id', '" onload=', 'sections[0].id: must be a lower-case word'],
    ['sections.1.id', 'a-text', 'sections[1].id: must be another than those before it; it is “a-text”'],
    ['sections.0.blocks.0.kind', 'pie', 'sections[0].blocks[0].kind: must be one of text, table, ladder,'],
    [
      'sections.0.blocks.0.kind',
      'toString',
      'sections[0].blocks[0].kind: must be one of text, table, ladder,',
    ],
    [
      'sections.0.blocks.0.paragraphs.1',
      ['x'],
      'sections[0].blocks[0].paragraphs[1]: must be a string; it is a list of 1',
    ],
    [`${table}.columns`, [], 'sections[1].blocks[0].columns: must be a list of 1 or more; it is a list of 0'],
    [
      `${table}.columns.2.digits`,
      99,
      'sections[1].blocks[0].columns[2].digits: must be an integer from 0 to 12; it is 99',
    ],
    [
      `${table}.columns.2.digits`,
      undefined,
      'columns[2].digits: must be an integer from 0 to 12; it is missing',
    ],
    [`${table}.rows.2`, ['x'], 'sections[1].blocks[0].rows[2]: must be a list of 4; it is a list of 1'],
    [`${table}.rows.2.1`, {}, 'rows[2][1]: must be a string, a finite number or nothing; it is an object'],
    [
      'sections.2.blocks.0.top.tflops',
      0,
      'sections[2].blocks[0].top.tflops: must be a number above 0 (1e-15 to 1e15); it is 0',
    ],
    [
      'sections.2.blocks.0.bars.3.tflops',
      '5',
      'bars[3].tflops: must be a number above 0 (1e-15 to 1e15); it is “5”',
    ],
    [`${ratio}.band`, 1, 'none'], // not a member of a row
    ['sections.3.blocks.0.band', 1, 'sections[3].blocks[0].band: must be a number from 0 to 0.5; it is 1'],
    [`${ratio}.low`, 9, 'sections[3].blocks[0].rows[2].low: must be at most the median,'],
    [`${ratio}.high`, 0.001, 'sections[3].blocks[0].rows[2].high: must be at least the median,'],
    [
      `${ratio}.samples.5`,
      null,
      'rows[2].samples[5]: must be a number above 0 (1e-15 to 1e15); it is nothing (null)',
    ],
    [
      `${timing}.samples.5`,
      -3,
      'groups[0].rows[1].samples[5]: must be a number above 0 (1e-15 to 1e15); it is -3',
    ],
    [
      `${timing}.median`,
      1e300,
      'groups[0].rows[1].median: must be a number above 0 (1e-15 to 1e15); it is 1e+300',
    ],
    [`${timing}.role`, 'hero', 'groups[0].rows[1].role: must be one of rung, rival, control; it is “hero”'],
    [`${timing}.samples`, 'many', 'groups[0].rows[1].samples: must be a list; it is “many”'],
    [
      'sections.5.blocks.0.memory',
      undefined,
      'sections[5].blocks[0].memory: must be an object; it is missing',
    ],
    ['sections.5.blocks.0.points.0.above', 1, 'points[0].above: must be true or false; it is 1'],
  ])('%s = %j', (path, value, message) => expect(problemOf(changed(path, value))).toContain(message));

  test('a long text is not said again in full', () =>
    expect(problemOf(changed('headline.0.tone', 'x'.repeat(1e5))).length).toBeLessThan(200));
});

describe('text that is no document', () => {
  test.each([
    [
      'NaN',
      whole.replace(/"median":[\d.]+/, '"median":NaN'),
      /^the data, character \d+: must be a finite number; it is NaN$/,
    ],
    [
      '-Infinity',
      whole.replace(/"median":[\d.]+/, '"median":-Infinity'),
      /must be a finite number; it is -Infinity$/,
    ],
    [
      'a number past all others',
      whole.replace(/"median":[\d.]+/, '"median":1e999'),
      /median: must be a number above 0 .*; it is Infinity$/,
    ],
    ['a word NaN inside of a string', whole.replace('float32', 'NaN'), /^none$/],
    ['a list', '[]', /^the report: must be an object; it is a list of 0$/],
    ['nothing', '', /^the data ends in the middle/],
    ['no JSON at all', 'hello', /^the data is no JSON: /],
    ['a comma too many', whole.replace('"schema":1,', '"schema":1,,'), /^the data is no JSON: /],
    ['inherited members', '{"__proto__":{"schema":1,"record":"report"}}', /^record: .*; it is missing$/],
  ])('%s', (_, text, message) => expect(problemOf(text)).toMatch(message));

  test('cut off anywhere', () => {
    const draw = random(3);
    const cuts = Array.from({ length: 300 }, () => draw(0, whole.length - 1));
    for (const cut of [...cuts, whole.length - 1])
      expect(problemOf(whole.slice(0, cut)), `${cut}`).toBe(
        'the data ends in the middle: the file is incomplete',
      );
  });

  test('a string of megabytes, cut off', () =>
    expect(problemOf(`{"title":"${'x\\"'.repeat(3e6)}`)).toContain('the data ends in the middle'));
});
