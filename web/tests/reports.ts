// SPDX-License-Identifier: MIT
//
// Report files for the tests: written to a folder that goes when the tests end, and opened from there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch, open, shell, type Opened } from './browser';
import { filled, madeUp } from './made_up';

export const html = readFileSync(shell, 'utf8');
export const folder = mkdtempSync(join(tmpdir(), 'tilewright-report-'));
let files = 0;

export function written(contents: string): string {
  const file = join(folder, `${++files}.html`);
  writeFileSync(file, contents);
  return file;
}

export let browser: Browser;
export let whole: string; // the file of the made-up report
beforeAll(async () => {
  browser = await launch();
  whole = written(filled(html, JSON.stringify(madeUp())));
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

export const openReport = (
  file: string,
  fragment = '',
  options: BrowserContextOptions = {},
): Promise<Opened> => open(browser, fragment, options, file);
export const close = ({ page }: Opened): Promise<void> => page.context().close();
export const alerts = (page: Page): Promise<string[]> => page.getByRole('alert').allInnerTexts();
