// SPDX-License-Identifier: MIT
//
// The report as it is opened: from its file, without a request, by keyboard alone.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectFits } from './accessible';
import { firstPaint, quiet, shell, text } from './browser';
import { inputs, ladder } from './made_up';
import { alerts, close, folder, html, openReport, whole } from './reports';
import { printed } from './tilewright';

describe('the shell', () => {
  test('is at most 100 KiB', () => expect(statSync(shell).size).toBeLessThanOrEqual(100 * 1024));
  test('has one place for its data, after everything else', () => {
    expect(html.split('<!--report-->').length).toBe(2);
    expect(html.slice(html.indexOf('<!--report-->'))).toMatch(/^<!--report-->\s*<\/body>\s*<\/html>\s*$/);
  });
  test('holds no address to fetch from, and a policy that allows none', () => {
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
    expect(html.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:\/\//);
  });
  test('without data says so', async () => {
    const opened = await openReport(shell);
    expect((await alerts(opened.page)).join()).toContain('the data is missing');
    quiet(opened);
    await close(opened);
  });
  test('without scripts says so', async () => {
    const opened = await openReport(whole, '', { javaScriptEnabled: false });
    expect(await opened.page.locator('body').innerText()).toContain('scripts are off');
    await close(opened);
  });
});

describe('a report', () => {
  test('asks for nothing, complains of nothing and paints within a second', async () => {
    const opened = await openReport(whole);
    await opened.page.locator('.median').first().waitFor();
    quiet(opened);
    expect(await firstPaint(opened.page)).toBeLessThan(1000);
    expect(await opened.page.locator('#unshown').count()).toBe(0);
    expect(await alerts(opened.page)).toEqual([]);
    expect(await opened.page.title()).toBe('float32 products on a made-up GPU · Tilewright report');
    expect(await opened.page.locator('.card').allInnerTexts()).toEqual([
      expect.stringContaining('✓ 1.08×'),
      expect.stringContaining('✕ 3'),
      expect.stringContaining('12,345'),
    ]);
    await close(opened);
  });

  test('has no violation of WCAG 2.2 AA', async () => {
    const opened = await openReport(whole, '', { colorScheme: 'light' });
    await expectAccessible(opened.page);
    await close(opened);
  });

  test('fits windows from a phone’s to a wall’s', async () => {
    const opened = await openReport(whole);
    await expectFits(opened.page);
    await close(opened);
  });

  test('draws its figures anew where the window changes', async () => {
    const opened = await openReport(whole);
    const bars = opened.page.locator('#a-ladder svg');
    const standing = await bars.getAttribute('width');
    await opened.page.setViewportSize({ width: 320, height: 800 });
    await opened.page.waitForTimeout(200);
    expect(Number(await bars.getAttribute('width'))).toBeLessThan(Number(standing) / 2);
    expect(await bars.locator('.bar').count()).toBe(ladder.bars.length);
    await close(opened);
  });

  test('folds its contents where they would stand before the text', async () => {
    const opened = await openReport(whole, '', { viewport: { width: 320, height: 700 } });
    const link = opened.page.getByRole('link', { name: 'A section of roofline' });
    expect(await link.isVisible()).toBe(false);
    await opened.page.getByText('Contents').click();
    await link.click();
    expect(new URL(opened.page.url()).hash).toBe('#a-roofline');
    await close(opened);
  });

  test('comes up at the section of its address', async () => {
    const opened = await openReport(whole, '#a-roofline');
    await opened.page.waitForFunction(
      "document.getElementById('a-roofline').getBoundingClientRect().top < 500",
    );
    expect(await opened.page.locator('#a-roofline h2').isVisible()).toBe(true);
    await close(opened);
  });

  test('prints everything', async () => {
    const opened = await openReport(whole);
    const { page } = opened;
    const rows = page.locator('#a-table tbody tr');
    expect(await rows.count()).toBe(25);
    const drawn =
      "dispatchEvent(new Event('beforeprint')), document.querySelectorAll('figure details .plot').length";
    expect(await page.evaluate(drawn)).toBe(37); // at once: the printer does not wait
    expect(await rows.count()).toBe(37);
    expect(await page.locator('figure details:not([open])').count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await rows.count()).toBe(25);
    expect(await page.locator('figure details[open]').count()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
    await close(opened);
  });
});

describe('by keyboard alone', () => {
  const focused = (page: Page) =>
    page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel');
  async function tabTo(page: Page, what: string): Promise<void> {
    for (let press = 0; press < 60; ++press) {
      await page.keyboard.press('Tab');
      if (String(await focused(page)).startsWith(what)) return;
    }
    throw new Error(`${what} was not reached`);
  }

  test('the contents lead to a section, and on from there', async () => {
    const opened = await openReport(whole);
    const { page } = opened;
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await tabTo(page, 'A section of table');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#a-table');
    await tabTo(page, 'kernel');
    expect(await page.locator('#a-table :focus').count()).toBe(1);
    await close(opened);
  });

  test('a table is sorted, filtered and shown in full', async () => {
    const opened = await openReport(whole, '#a-table');
    const { page } = opened;
    const first = () => page.locator('#a-table tbody tr').first().innerText();
    const unsorted = await first();
    await page.locator('#a-table').focus();
    await tabTo(page, 'median');
    await page.keyboard.press('Enter');
    expect(await page.locator('th[aria-sort="ascending"]').innerText()).toContain('median');
    const column = async () => {
      const texts = await page.locator('#a-table tbody td:nth-child(3)').allInnerTexts();
      return texts.map(each => (each === '–' ? Infinity : Number(each.replaceAll(',', ''))));
    };
    expect(await column()).toEqual([...(await column())].sort((one, other) => one - other));
    await page.keyboard.press('Enter');
    expect((await column())[0]).toBeGreaterThan(4000);
    await page.keyboard.press('Enter');
    expect(await first()).toBe(unsorted);
    await tabTo(page, 'Show all 37 rows');
    await page.keyboard.press('Enter');
    expect(await page.locator('#a-table tbody tr').count()).toBe(37);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TR');
    await page.getByLabel('Rows that hold').focus();
    await page.keyboard.type('UNSTABLE kernel_1');
    const found = await page.locator('#a-table tbody tr').allInnerTexts();
    expect(found.length).toBeGreaterThan(1);
    for (const row of found) expect(row).toMatch(/kernel_1[\s\S]*UNSTABLE/);
    expect(await text(page, '#a-table .count')).toBe(`${found.length} of 37 rows`);
    await close(opened);
  });

  test('groups are opened, found and drawn on another axis', async () => {
    const opened = await openReport(whole, '#a-distributions');
    const { page } = opened;
    const open = () => page.locator('#a-distributions .plot:visible').count();
    await page.locator('.plot').first().waitFor();
    expect(await open()).toBe(1);
    await page.locator('#a-distributions summary').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.locator('#a-distributions .plot').nth(1).waitFor();
    expect(await page.locator('#a-distributions .plot').nth(1).locator('.samples').count()).toBe(4);
    const axis = () => page.locator('#a-distributions .plot .grid').first().textContent();
    expect(await axis()).toContain('own median');
    await page.getByLabel('Times', { exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await axis()).toContain('µs');
    await page.getByLabel('Groups that hold').focus();
    await page.keyboard.type('no such group');
    expect(await text(page, '#a-distributions .count')).toBe('0 of 37 groups');
    await close(opened);
  });

  test('a file of records is saved as it was', async () => {
    const opened = await openReport(whole, '#saved');
    await opened.page.getByRole('button', { name: 'Save bench.jsonl' }).focus();
    const downloaded = opened.page.waitForEvent('download');
    await opened.page.keyboard.press('Enter');
    const download = await downloaded;
    expect(download.suggestedFilename()).toBe('bench.jsonl');
    expect(readFileSync(await download.path(), 'utf8')).toBe(inputs.sets[0]!.files[0]!.text);
    expect(opened.complaints).toEqual([]);
    await close(opened);
  });
});

describe('the report of results/h200', () => {
  let file: string;
  beforeAll(() => {
    file = join(folder, 'h200.html');
    printed('report', 'results/h200', '-o', file);
  });

  test('opens as every report does', async () => {
    const opened = await openReport(file);
    await opened.page.locator('.median').first().waitFor();
    quiet(opened);
    expect(await firstPaint(opened.page)).toBeLessThan(1000);
    expect(await alerts(opened.page)).toEqual([]);
    const kinds = ['#ladder .bar', '#library .median', '#roofline .mark'];
    for (const kind of kinds) expect(await opened.page.locator(kind).count(), kind).toBeGreaterThan(9);
    // Of one cell: a rung and its rivals.
    expect(await opened.page.locator('#timings .samples').count()).toBeGreaterThan(3);
    expect(await opened.page.locator('.impossible').count()).toBe(0);
    await close(opened);
  });

  test('has no violation of WCAG 2.2 AA, and fits every window', async () => {
    const opened = await openReport(file, '', { colorScheme: 'light' });
    await expectAccessible(opened.page);
    await expectFits(opened.page);
    await close(opened);
  }, 240_000);

  test('gives every record file back', async () => {
    const opened = await openReport(file, '#saved');
    const name = 'bench/bench_ladder.jsonl';
    const downloaded = opened.page.waitForEvent('download');
    await opened.page.getByRole('button', { name: /Save .*bench_ladder\.jsonl/ }).click();
    const saved = readFileSync(await (await downloaded).path(), 'utf8');
    expect(saved === readFileSync(new URL(`../../results/h200/${name}`, import.meta.url), 'utf8')).toBe(true);
    await close(opened);
  });
});
