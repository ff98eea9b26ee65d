// SPDX-License-Identifier: MIT
//
// Reports whose data are wrong, hostile, cut off or very many: each is shown, or refused in a sentence; none is blank.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectFits } from './accessible';
import { fresh, quiet, text } from './browser';
import { blocks, filled, group, ladder, madeUp, ratios, samplesOf } from './made_up';
import { alerts, browser, close, html, openReport, whole, written } from './reports';

const section = (kind: string) => madeUp().sections.filter(({ id }) => id === `a-${kind}`);

describe('hostile data', () => {
  const hostile = '</script><script>document.title="run"</script><img src=x onerror=document.title="run">';
  const named = () =>
    JSON.parse(
      JSON.stringify(madeUp()).replaceAll('kernel_0', JSON.stringify(hostile).slice(1, -1)),
    ) as object;

  test('a script in the name of a kernel is text', async () => {
    const opened = await openReport(written(filled(html, JSON.stringify({ ...named(), title: hostile }))));
    await opened.page.locator('.median').first().waitFor();
    expect(await opened.page.title()).toContain('<img src=x');
    expect(await text(opened.page, 'h1')).toBe(hostile);
    expect(await text(opened.page, '#a-table tbody tr:first-child')).toContain(hostile);
    expect(await opened.page.locator('#a-distributions svg').first().textContent()).toContain(hostile);
    expect(await opened.page.locator('img').count()).toBe(0);
    quiet(opened);
    await close(opened);
  });

  test('a script that was not escaped does not run either', async () => {
    const data = JSON.stringify({ ...named(), title: hostile });
    const opened = await openReport(
      written(
        html.replace('<!--report-->', () => `<script type="application/json" id="document">${data}</script>`),
      ),
    );
    expect((await alerts(opened.page)).join()).toContain(
      'the data ends in the middle: the file is incomplete',
    );
    expect(await opened.page.title()).not.toBe('run');
    expect(opened.complaints.length).toBeGreaterThan(0);
    for (const complaint of opened.complaints) expect(complaint).toContain('The action has been blocked');
    await close(opened);
  });

  const timing = { ...group('g').rows[0]!, role: 'rung' };
  const withTiming = (changes: object) => {
    const rows = [{ ...timing, ...changes }];
    const block = {
      kind: 'distributions',
      name: 'n',
      caption: 'c',
      unit: 'µs',
      groups: [{ title: 't', rows }],
    };
    return JSON.stringify(
      madeUp({ sections: [{ id: 's', title: 't', lead: '', blocks: [block] }] as never }),
    );
  };
  test.each([
    [
      'NaN',
      withTiming({ median: 1 }).replace('"median":1', '"median":NaN'),
      'must be a finite number; it is NaN',
    ],
    [
      'a negative time',
      withTiming({ samples: [-3] }),
      'rows[0].samples[0]: must be a number above 0 (1e-15 to 1e15); it is -3',
    ],
    ['a wrong type', withTiming({ label: { a: 1 } }), 'rows[0].label: must be a string; it is an object'],
    [
      'another schema',
      JSON.stringify({ ...madeUp(), schema: 2 }),
      'schema: this page reads version 1; it is 2',
    ],
    ['no report', '[1, 2, 3]', 'the report: must be an object; it is a list of 3'],
  ])('%s is refused in a sentence', async (_, data, message) => {
    const opened = await openReport(written(filled(html, data)));
    const [said] = await alerts(opened.page);
    expect(said).toContain('This report cannot be shown');
    expect(said).toContain(message);
    quiet(opened);
    await close(opened);
  });

  test('a file that was cut off is never blank', async () => {
    const contents = readFileSync(whole, 'utf8');
    const body = contents.indexOf('</p>', contents.indexOf('id="unshown"'));
    const data = contents.indexOf('id="document"');
    const records = contents.indexOf('id="records"');
    const within = (from: number, to: number) =>
      [0.02, 0.5, 0.98].map(share => Math.floor(from + (to - from) * share));
    const cuts = [
      ...within(body, data),
      data + 15,
      ...within(data + 15, records),
      records + 13,
      ...within(records + 13, contents.length - 30),
    ];
    for (const cut of cuts) {
      const opened = await openReport(written(contents.slice(0, cut)));
      const said = await opened.page.locator('body').innerText();
      expect(said, `${cut} of ${contents.length}`).toMatch(/file is incomplete/);
      if (cut > records) expect(said).toContain('A section of roofline');
      expect(opened.requests.length).toBe(1);
      await close(opened);
    }
  });

  test('records that are broken are not saved', async () => {
    const contents = readFileSync(whole, 'utf8');
    const at = contents.indexOf('id="records">"') + 60;
    const opened = await openReport(written(`${contents.slice(0, at)}AAAAAAAA${contents.slice(at + 8)}`));
    await opened.page.getByRole('button', { name: 'Save bench.jsonl' }).click();
    await opened.page.getByText('bench.jsonl cannot be unpacked').waitFor();
    await close(opened);
  });

  test('a figure that cannot be drawn takes nothing else down', async () => {
    const opened = await fresh(browser, whole);
    await opened.page.addInitScript(`
      const make = document.createElementNS.bind(document);
      document.createElementNS = (space, tag) => {
        if (tag === 'polyline') throw new Error('no lines today');
        return make(space, tag);
      };`);
    await opened.page.goto(`file://${whole}`);
    await opened.page.locator('.median').first().waitFor();
    expect(await alerts(opened.page)).toEqual(['This figure could not be drawn. Error: no lines today']);
    expect(await opened.page.locator('#a-ladder .bar').count()).toBe(27);
    expect(await opened.page.locator('#saved button').count()).toBe(1);
    await close(opened);
  });

  test('very long names are cut in figures and do not widen the page', async () => {
    const label = 'a_kernel_with_a_name_'.repeat(500);
    const long = {
      ...ladder,
      bars: ladder.bars.map(bar => ({ ...bar, label })),
      top: { ...ladder.top, label },
    };
    const rows = ratios.rows.map(row => ({ ...row, label, group: label, verdict: label }));
    const [first] = section('ladder');
    const file = filled(
      html,
      JSON.stringify(
        madeUp({
          title: label,
          headline: [{ label, value: label, note: label, tone: 'good' }],
          sections: [
            { ...first!, title: label, lead: label, blocks: [long, { ...ratios, rows, meaning: label }] },
          ],
        }),
      ),
    );
    const opened = await openReport(written(file));
    await opened.page.locator('.median').first().waitFor();
    await expectFits(opened.page);
    await close(opened);
  });
});

describe('100,000 samples open in under 3 seconds', () => {
  const shown = (rows: number, samples: number, groups = 1) => ({
    kind: 'distributions' as const,
    name: 'many',
    caption: 'many samples',
    unit: 'µs',
    groups: Array.from({ length: groups }, (_, index) => group(`group ${index}`, rows, samples)),
  });
  test.each([
    ['in one row', [shown(1, 100_000)]],
    ['in a thousand rows', [shown(1000, 100)]],
    ['in a thousand groups', [shown(4, 25, 1000)]],
    ['as ratios', [{ ...ratios, rows: [{ ...samplesOf('all', 1, 100_000), group: '' }] }]],
    [
      'beside a table of them',
      [shown(1, 100_000), { ...blocks[1]!, rows: Array.from({ length: 25_000 }, () => ['a', 1, 2, 'PASS']) }],
    ],
  ])('%s', async (_, many) => {
    const [first] = section('ratios');
    const document = JSON.stringify(madeUp({ sections: [{ ...first!, blocks: many as never }] }));
    const file = written(filled(html, document));
    const opened = await fresh(browser, file);
    const began = performance.now();
    await opened.page.goto(`file://${file}`);
    await opened.page.locator('.median').first().waitFor();
    expect(performance.now() - began).toBeLessThan(3000);
    quiet(opened);
    await close(opened);
  });
});
