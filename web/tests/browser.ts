// SPDX-License-Identifier: MIT
//
// The built page in a real browser, opened from its file, with the network refused. Every page records what it asked
// for and what it complained of; `quiet` demands that both are nothing.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

export const explorer = inject('page');

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

export interface Opened {
  page: Page;
  requests: string[];
  complaints: string[];
}

export async function open(
  browser: Browser,
  fragment = '',
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  const opened: Opened = { page, requests: [], complaints: [] };
  page.on('request', request => void opened.requests.push(request.url()));
  page.on('console', message => void opened.complaints.push(message.text()));
  page.on('pageerror', error => void opened.complaints.push(String(error)));
  await page.goto(`file://${explorer}${fragment}`);
  return opened;
}

// Only the file itself was asked for, and nothing was refused or thrown.
export function quiet({ requests, complaints }: Opened): void {
  expect(requests.filter(url => !url.startsWith(`file://${explorer}`))).toEqual([]);
  expect(requests.length).toBe(1);
  expect(complaints).toEqual([]);
}

// The text of an element, spaces in a row as one.
export async function text(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim();
}
