// SPDX-License-Identifier: MIT
//
// node pictures.mjs DOCUMENT.json OUT: writes the pictures of the README and the documents to the folder OUT, from what
// `tilewright report RECORDS --json` prints. A test holds the files in docs/pictures/ to the records.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const [document, out] = process.argv.slice(2);
if (!document || !out) {
  console.error('usage: node pictures.mjs DOCUMENT.json OUT');
  process.exit(2);
}

// The page's own code, as it is: vite reads its TypeScript.
const vite = await createServer({
  root: dirname(fileURLToPath(import.meta.url)),
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { readDocument } = await vite.ssrLoadModule('/src/report/read.ts');
const { pictures } = await vite.ssrLoadModule('/src/report/pictures.ts');
await vite.close();

try {
  const { report, problem } = readDocument(readFileSync(document, 'utf8'));
  if (problem) throw new Error(problem);
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(pictures(report))) {
    writeFileSync(`${out}/${name}.new`, text);
    renameSync(`${out}/${name}.new`, `${out}/${name}`);
  }
} catch (error) {
  console.error(`pictures.mjs: ${document}: ${error.message}`);
  process.exit(2);
}
