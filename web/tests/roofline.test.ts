// SPDX-License-Identifier: MIT
//
// The roofline reader as a visitor uses it, against the program's own answer.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, open, quiet, text } from './browser';
import { tilewright } from './tilewright';

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const still = { reducedMotion: 'reduce' } as const;
const reading = (page: Page, name: string) => text(page, `[data-reading="${name}"]`);

async function expectReadings(page: Page, args: (string | number)[]): Promise<void> {
  const answer = tilewright('model', 'roofline', ...args) as Record<string, number>;
  const value = (key: string, unit: number, places: number) => ((answer[key] ?? NaN) * unit).toFixed(places);
  expect(await reading(page, 'Intensity')).toBe(value('intensity', 1, 3));
  expect(await reading(page, 'Traffic')).toBe(value('traffic_bytes', 1e-9, 3));
  expect(await reading(page, 'Shared memory of a block')).toBe(value('shared_bytes', 1 / 1024, 3));
  expect(await reading(page, 'Memory bound')).toBe(value('memory_ms', 1, 4));
  expect(await reading(page, 'Compute bound')).toBe(value('compute_ms', 1, 4));
  expect(await reading(page, 'Combined bound')).toBe(value('bound_ms', 1, 4));
}

describe('readings', () => {
  test('the check values, by default', async () => {
    const { page } = await open(browser);
    expect(await reading(page, 'Intensity')).toBe('3.969');
    expect(await reading(page, 'Traffic')).toBe('0.541');
    expect(await reading(page, 'Shared memory of a block')).toBe('2.000');
    expect(await reading(page, 'Memory bound')).toBe('0.5411');
    expect(await reading(page, 'Compute bound')).toBe('0.0358');
    expect(await reading(page, 'Combined bound')).toBe('0.5411');
    await page.context().close();
  });

  test('are the program’s, also after typing and sliding', async () => {
    const { page } = await open(
      browser,
      '#shape=any&M=300&N=77&K=4000&T=8&bytes=2&bandwidth=4800&compute=67',
      still,
    );
    const machine = ['--bandwidth', 4800, '--compute', 67, '--element-bytes', 2];
    await expectReadings(page, ['--shape', '300x77x4000', '--tile', 8, ...machine]);
    await page.getByLabel('Tile T', { exact: true }).fill('1');
    await page.keyboard.press('Enter');
    await expectReadings(page, ['--shape', '300x77x4000', '--tile', 1, ...machine]);
    await page.getByLabel('Tile T, slider').focus();
    for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowRight');
    await expectReadings(page, ['--shape', '300x77x4000', '--tile', 5, ...machine]);
    await page.waitForTimeout(300);
    expect(page.url()).toContain('T=5');
    await page.context().close();
  });

  test('a value out of range is clamped beside its field', async () => {
    const { page } = await open(browser, '', still);
    await page.getByLabel('N', { exact: true }).fill('100000');
    await page.keyboard.press('Tab');
    expect(await page.getByLabel('N', { exact: true }).inputValue()).toBe('65536');
    expect(await page.locator('.field-error').allInnerTexts()).toContain(
      'N = “100000”: must be an integer from 1 to 65536; 65536 is used',
    );
    await page.context().close();
  });

  test('a tensor-core rate is doubted for float32, and only there', async () => {
    const note = 'is it a tensor-core or a sparse rate?';
    const { page } = await open(browser, '#compute=990', still);
    expect(await text(page, 'main')).toContain(note);
    await page.getByLabel('Element size').selectOption('2');
    expect(await text(page, 'main')).not.toContain(note);
    await page.context().close();
  });
});

describe('the sequence', () => {
  test('plays by itself and can be paused', async () => {
    const { page } = await open(browser);
    await page.waitForTimeout(300);
    expect(await page.locator('.point.played').count()).toBe(1);
    expect(await text(page, '.sequence-text')).toContain('Direct');
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await text(page, '.sequence-text');
    await page.waitForTimeout(1600);
    expect(await text(page, '.sequence-text')).toBe(paused);
    await page.context().close();
  });

  test('waits under reduced motion, and goes on by hand', async () => {
    const { page } = await open(browser, '', still);
    await page.waitForTimeout(300);
    expect(await page.locator('.point.played').count()).toBe(0);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await text(page, '.sequence-text')).toContain('T = 2: each loaded element is used 2 times');
    await page.context().close();
  });
});

test('predict, then reveal', async () => {
  const { page } = await open(browser, '#predict=1', still);
  expect(await page.locator('.readings').isVisible()).toBe(false);
  expect(await page.locator('.point').count()).toBe(0);
  await page.getByLabel('compute', { exact: true }).check();
  await page.getByLabel('Combined bound, ms').fill('1');
  await page.getByRole('button', { name: 'Reveal' }).click();
  expect(await page.locator('.readings').isVisible()).toBe(true);
  expect(await text(page, '.judgement')).toBe(
    'It is the memory roof that decides, not compute. You said 1 ms, the model 0.5411 ms: a factor 1.8 off.',
  );
  await page.context().close();
});

test('what a record says is shown as text, never read as HTML', async () => {
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const record = {
    ...{
      record: 'timing',
      verdict: 'PASS',
      precision: 'fp32',
      kernel: hostile,
      role: 'rung',
      shape: [64, 64, 64],
    },
    ...{ description: { tile: [8, 8, 8] }, summary_us: { median: 10 } },
  };
  const opened = await open(browser, '', still);
  const file = { name: '<b>.jsonl', mimeType: 'text/plain', buffer: Buffer.from(JSON.stringify(record)) };
  await opened.page.getByLabel('Records of tilewright bench').setInputFiles(file);
  await opened.page.locator('.measured').waitFor();
  expect(await text(opened.page, 'main')).toContain(hostile);
  expect(await opened.page.locator('img').count()).toBe(0);
  quiet(opened);
  await opened.page.context().close();
});

test('the ladder’s own records, with the ceilings of their run', async () => {
  const { page } = await open(browser, '', still);
  await page.getByRole('button', { name: 'Use the ceilings measured there' }).click();
  await page.waitForTimeout(400);
  expect(page.url()).toMatch(/bandwidth=\d+&compute=[\d.]+$/);
  await page.getByRole('button', { name: 'Show the ladder at this product' }).click();
  await page.locator('.measured').first().waitFor();
  expect(await page.locator('.measured').count()).toBeGreaterThan(10);
  expect(await page.locator('.measured.above-compute, .measured.above-memory').count()).toBe(0);
  await page.getByLabel('N', { exact: true }).fill('1000');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show the ladder at this product' }).click();
  await page.getByText('No kernel was measured at 1000 × 1000 × 1000, only at 512').waitFor();
  await page.context().close();
});

test('measured points are drawn apart, and those above a roof are flagged', async () => {
  const timing = (kernel: string, median: number) =>
    JSON.stringify({
      record: 'timing',
      verdict: 'PASS',
      precision: 'fp32',
      kernel,
      role: 'rung',
      shape: [1024, 1024, 1024],
      description: { tile: [16, 16, 16] },
      summary_us: { median },
    });
  const { page } = await open(browser, '', still);
  const file = (contents: string) => ({
    name: 'r.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from(contents),
  });
  const input = page.getByLabel('Records of tilewright bench');
  await input.setInputFiles(
    file(`${timing('honest', 600)}\n${timing('cached', 300)}\n${timing('impossible', 20)}\nno json\n`),
  );
  await page.locator('.measured').first().waitFor();
  expect(await page.locator('.measured').count()).toBe(3);
  expect(await page.locator('.measured.above-none').count()).toBe(1);
  const rows = await page.locator('section[aria-label="Measured points"] tbody tr').allInnerTexts();
  expect(rows[0]).toContain('below the roof');
  expect(rows[1]).toContain('impossible without a cache');
  expect(rows[2]).toContain('impossible: faster than the compute ceiling allows');
  await input.setInputFiles(file('{"record":"run"}\n'));
  await page.getByText('nothing is shown').waitFor();
  expect(await page.locator('.measured').count()).toBe(0);
  await page.context().close();
});
