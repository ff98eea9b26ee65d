// SPDX-License-Identifier: MIT
//
// The explorer that is tried is the one that the program writes, or the one that PAGE names (npm run build makes
// dist/explorer.html, without the program). The report's shell is built for reports of made-up numbers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { tilewright } from './tilewright';

declare module 'vitest' {
  export interface ProvidedContext {
    page: string;
    shell: string;
  }
}

export default function writePage(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tilewright-page-'));
  const page = process.env['PAGE'] ?? join(folder, 'explorer.html');
  if (!process.env['PAGE']) tilewright('explore', '-o', page);
  project.provide('page', page);
  const built = join(folder, 'built');
  execFileSync(process.execPath, [fileURLToPath(new URL('../build.mjs', import.meta.url)), built]);
  project.provide('shell', join(built, 'report.html'));
  return () => rmSync(folder, { recursive: true });
}
