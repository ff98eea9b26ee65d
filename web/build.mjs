// SPDX-License-Identifier: MIT
//
// node build.mjs [OUT]: each page as one file in OUT (dist/ by default), with a content security policy that allows
// exactly the script and the style that the file holds, and no request.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { ladderPlugin } from './ladder-data.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? `${root}/dist`);

// The largest that each page may be, in bytes.
const budgets = { 'explorer.html': 150 * 1024 };

function hashes(html, tag) {
  const contents = [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    match => match[1],
  );
  return contents.map(text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

function withPolicy(html) {
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  return html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${meta}`);
}

for (const [page, budget] of Object.entries(budgets)) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      ladderPlugin(resolve(root, '..'), `${root}/samples/traces.json`),
      viteSingleFile({ removeViteModuleLoader: true }),
    ],
    build: { outDir: out, emptyOutDir: false, target: 'es2022', rollupOptions: { input: `${root}/${page}` } },
  });
  const html = withPolicy(readFileSync(`${out}/${page}`, 'utf8'));
  const size = Buffer.byteLength(html);
  if (size > budget) throw new Error(`${page}: ${size} bytes; must be at most ${budget}`);
  writeFileSync(`${out}/${page}`, html);
  console.log(`${page}: ${(size / 1024).toFixed(1)} KiB of ${budget / 1024}`);
}
