// SPDX-License-Identifier: MIT
//
// The ladder and the lower bound: every rung of the program is there, numbers are those of the records and of the
// program, and a trace is shown or refused.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kernels, sampleOf, shape } from '../samples/make.mjs';
import { launch, open, text } from './browser';
import { tilewright } from './tilewright';

interface Record {
  record: string;
  kernel: string;
  shape: number[];
  verdict: string;
  role: string;
  summary_us: { median: number };
}

const root = new URL('../../', import.meta.url);
// The lines that name a kernel and a shape.
const bench = readFileSync(new URL('results/h200/bench/bench_ladder.jsonl', root), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Record)
  .filter(({ record }) => record === 'timing');

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

// Where this fails since a kernel changed, ./dev docs writes the file anew.
test('the traces that the page holds are the program’s', () => {
  const held = JSON.parse(readFileSync(new URL('web/samples/traces.json', root), 'utf8')) as unknown[];
  expect(held).toEqual(
    kernels.map((kernel: string) => sampleOf(tilewright('trace', kernel, '--shape', shape))),
  );
});

describe('the ladder', () => {
  test('has every rung of the program, with the rates of the records', async () => {
    const { page } = await open(browser, '#view=ladder');
    await page.locator('.rungs').waitFor();
    const shown = await page.locator('.rungs tbody tr').allInnerTexts();
    const { rungs } = tilewright('ladder') as unknown as { rungs: { name: string; source: string }[] };
    const files = new Set(rungs.map(rung => /\d\d_(\w+)\.cu$/.exec(rung.source)?.[1] ?? ''));
    expect(shown.map(row => row.split(/\s/)[0])).toEqual([...files]);
    for (const row of shown) {
      const name = row.split(/\s/)[0]!;
      const own = bench.filter(
        ({ role, verdict, kernel, shape }) =>
          role === 'rung' &&
          verdict === 'PASS' &&
          shape[0] === 4096 &&
          new RegExp(`^${name}(_\\d+)?$`).test(kernel),
      );
      const best = Math.max(...own.map(({ summary_us }) => (2 * 4096 ** 3) / (summary_us.median * 1e6)));
      if (own.length) expect(row).toContain(Number(best.toPrecision(3)).toString());
      else expect(row).toMatch(/UNSUPPORTED|UNSTABLE|FAIL|no record/);
    }
    await page.context().close();
  });

  test('shows a rung’s page, source, change, numbers and warps', async () => {
    const { page } = await open(browser, '#view=ladder');
    await page.getByRole('button', { name: 'shared_tile' }).click();
    await page.getByRole('heading', { name: 'shared_tile: load once, use T times' }).waitFor();
    expect(await text(page, 'article')).toContain('Two barriers, both needed.');
    const show = page.getByLabel('Show', { exact: true });
    await show.selectOption('source');
    const source = readFileSync(new URL('kernels/fp32/02_shared_tile.cu', root), 'utf8');
    expect(await page.locator('article pre').textContent()).toBe(source);
    await show.selectOption('change');
    expect(await page.locator('.diff ins').allInnerTexts()).toContainEqual(
      expect.stringContaining('__syncthreads();'),
    );
    expect(await page.locator('.diff del').count()).toBeGreaterThan(3);
    await show.selectOption('numbers');
    expect(await text(page, 'article')).toContain(
      'shared_tile_16 at 256 × 256 × 256: what was predicted and what Nsight',
    );
    await page.getByLabel('Rung', { exact: true }).selectOption('register_tile');
    await show.selectOption('warp');
    expect(await text(page, 'article')).toMatch(/shared read.*4 bank passes, 1 would do/);
    await page.waitForTimeout(300);
    expect(new URL(page.url()).hash).toBe('#view=ladder&rung=register_tile&show=warp');
    await page.context().close();
  });

  test('takes a trace of the program and refuses what is none', async () => {
    const { page } = await open(browser, '#view=ladder&show=warp');
    const input = page.getByLabel('The JSON of tilewright trace');
    const file = (name: string, contents: string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(contents),
    });
    await input.setInputFiles(
      file('mine.json', JSON.stringify(tilewright('trace', 'shared_tile_8', '--shape', '17x19x23'))),
    );
    await page.getByText('mine.json is shown.').waitFor();
    expect(await text(page, 'article')).toContain('shared_tile_8, 17 × 19 × 23');
    await input.setInputFiles(file('other.json', '{"lines":[{"space":"<b>"}]}'));
    await page.getByText('other.json: it has no lines as tilewright trace --json writes them.').waitFor();
    await input.setInputFiles(file('none.json', 'not json'));
    await page.getByText('none.json: it is no JSON.').waitFor();
    await page.context().close();
  });
});

test('the lower bound is the program’s, for any S', async () => {
  const { page } = await open(browser, '#view=bound&M=1000&N=300&K=2000&S=768');
  const answer = tilewright('model', 'bound', '1000x300x2000', '--on-chip', 768) as { [key: string]: number };
  const shown = await text(page, '.verdict');
  const whole = (key: string) => Math.floor(answer[key] ?? NaN).toLocaleString('en-US');
  for (const key of ['lower_bound', 'minimum', 'tiling', 'tiled']) expect(shown).toContain(whole(key));
  await page.locator('.point').first().waitFor();
  const rows = await page.locator('table tbody tr').allInnerTexts();
  expect(rows.length).toBe(
    new Set(bench.filter(({ role }) => role === 'rung').map(({ kernel }) => kernel)).size,
  );
  await page.context().close();
});
