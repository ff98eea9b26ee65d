// SPDX-License-Identifier: MIT
//
// The page that is tried is the one that the program writes, or the one that PAGE names (npm run build makes
// dist/explorer.html, without the program).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { tilewright } from './tilewright';

declare module 'vitest' {
  export interface ProvidedContext {
    page: string;
  }
}

export default function writePage(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tilewright-page-'));
  const page = process.env['PAGE'] ?? join(folder, 'explorer.html');
  if (!process.env['PAGE']) tilewright('explore', '-o', page);
  project.provide('page', page);
  return () => rmSync(folder, { recursive: true });
}
