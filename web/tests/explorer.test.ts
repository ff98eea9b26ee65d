// SPDX-License-Identifier: MIT
//
// What holds of every view: it opens from its file without a request, fits its budget and a narrow window, is accessible
// in light, dark and reduced motion, and its address brings back what it showed.
import { readFileSync, statSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectFits } from './accessible';
import { explorer, firstPaint, launch, open, quiet, text } from './browser';

// Each view as a visitor meets it, and once with everything on it in use.
const addresses = [
  '',
  '#shape=any&M=300&K=7&predict=1',
  '#view=stepper',
  '#view=stepper&M=100&N=70&BM=32&BN=32&TM=4&TN=2&splits=2&order=grouped&group=2&resident=3&thread=20&step=5',
  '#view=ladder',
  '#view=ladder&rung=shared_tile&size=1024&show=numbers',
  '#view=ladder&rung=register_tile&show=warp',
  '#view=ladder&rung=vector_load&show=change',
  '#view=bound',
];

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe('the file', () => {
  test('is at most 150 KiB', () => expect(statSync(explorer).size).toBeLessThanOrEqual(150 * 1024));
  test('holds no address to fetch from, and a policy that allows none', () => {
    const html = readFileSync(explorer, 'utf8');
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
    expect(html.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:\/\//);
  });
});

describe.each(addresses)('view %s', address => {
  test('asks for nothing, complains of nothing and paints within a second', async () => {
    const opened = await open(browser, address);
    await opened.page.waitForTimeout(500);
    quiet(opened);
    expect(await firstPaint(opened.page)).toBeLessThan(1000);
    expect(await opened.page.locator('.notes p').count()).toBe(0);
    await opened.page.context().close();
  });

  test('has no violation of WCAG 2.2 AA in light, dark, reduced motion and a narrow window', async () => {
    const { page } = await open(browser, address, { colorScheme: 'light' });
    await expectAccessible(page);
    await page.context().close();
  });

  test('fits windows from a phone’s to a wall’s', async () => {
    const { page } = await open(browser, address);
    await expectFits(page);
    await page.context().close();
  });

  test('comes back from its address', async () => {
    const { page } = await open(browser, address, { reducedMotion: 'reduce' });
    const before = await text(page, 'main');
    await page.waitForTimeout(400);
    const written = new URL(page.url()).hash;
    expect(new URLSearchParams(written.slice(1)).toString()).toBe(
      new URLSearchParams(address.slice(1)).toString(),
    );
    await page.reload();
    expect(await text(page, 'main')).toBe(before);
    await page.context().close();
  });
});

test('an address that cannot be is corrected with a note', async () => {
  const { page } = await open(browser, '#view=nowhere&T=100000&color=red');
  expect(await page.locator('.notes p').allInnerTexts()).toEqual([
    'view = “nowhere”: there is no such view; this one is shown',
    'T = “100000”: must be an integer from 1 to 256; 256 is used',
    '“color”: there is no such setting here; it is left out',
  ]);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('.notes').innerText()).toBe('');
  await page.context().close();
});

test('views are links: there, back, and with what was set before', async () => {
  const { page } = await open(browser, '#T=32', { reducedMotion: 'reduce' });
  await page.getByRole('link', { name: 'Tile stepper' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tile stepper' }).waitFor();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForTimeout(300);
  expect(new URL(page.url()).hash).toBe('#view=stepper&step=2');
  await page.getByRole('link', { name: 'Roofline' }).click();
  await page.getByRole('heading', { level: 1, name: 'Roofline reader' }).waitFor();
  expect(await page.getByLabel('Tile T', { exact: true }).inputValue()).toBe('32');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Tile stepper' }).waitFor();
  expect(await text(page, '.step')).toContain('Step 2 of 8.');
  expect(await page.getByRole('link', { name: 'Tile stepper' }).getAttribute('aria-current')).toBe('page');
  await page.context().close();
});
