// SPDX-License-Identifier: MIT
//
// The built page in a real browser, opened from its file, with the network refused. Every page records what it asked
// for and what it complained of; `quiet` demands that both are nothing.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

export const explorer = inject('page');
export const shell = inject('shell');

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

export interface Opened {
  file: string;
  page: Page;
  requests: string[];
  complaints: string[];
}

// A page with nothing in it yet; `file` is what it is to show.
export async function fresh(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  const opened: Opened = { file, page, requests: [], complaints: [] };
  page.on('request', request => void opened.requests.push(request.url()));
  page.on('console', message => void opened.complaints.push(message.text()));
  page.on('pageerror', error => void opened.complaints.push(String(error)));
  return opened;
}

// The explorer, or another page.
export async function open(
  browser: Browser,
  fragment = '',
  options: BrowserContextOptions = {},
  file = explorer,
): Promise<Opened> {
  const opened = await fresh(browser, file, options);
  await opened.page.goto(`file://${file}${fragment}`);
  return opened;
}

// Only the file itself was asked for, and nothing was refused or thrown.
export function quiet({ file, requests, complaints }: Opened): void {
  expect(requests.filter(url => !url.startsWith(`file://${file}`))).toEqual([]);
  expect(requests.length).toBe(1);
  expect(complaints).toEqual([]);
}

export async function firstPaint(page: Page): Promise<number> {
  return page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
}

// The text of an element, spaces in a row as one.
export async function text(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim();
}
