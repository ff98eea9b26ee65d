// SPDX-License-Identifier: MIT
//
// What axe finds against WCAG 2.2 AA on a page, in every way that a page is seen.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = (await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(wcag)} } })`,
  )) as AxeResults;
  expect(results.passes.length).toBeGreaterThan(5);
  return results.violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`));
}

// Light, dark, reduced motion and a narrow window; the page is opened light.
export async function expectAccessible(page: Page): Promise<void> {
  const check = async (what: string) => {
    await page.waitForTimeout(100);
    expect(await violations(page), what).toEqual([]);
  };
  await check('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await check('dark');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.reload();
  await check('reduced motion');
  await page.setViewportSize({ width: 320, height: 640 });
  await check('narrow');
}

export async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 768, 1440, 3840]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(100);
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(
      width,
    );
  }
}
