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

const codeHere = '<!--code-->';

// The largest that each page may be, in bytes, and what it is built with besides. Only the explorer holds the ladder.
const pages = {
  'explorer.html': {
    budget: 150 * 1024,
    plugins: [ladderPlugin(resolve(root, '..'), `${root}/samples/traces.json`)],
  },
  'report.html': { budget: 100 * 1024, plugins: [] },
};

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

// A page may say where in its body script and style go, so that what stands before them is shown even where the file
// ends within them.
function withCodeInItsPlace(html) {
  if (!html.includes(codeHere)) return html;
  const code = /^ *<(script|style)\b[^>]*>[\s\S]*?<\/\1>\n/gm;
  const head = html.slice(0, html.indexOf('<body>'));
  const found = head.match(code).sort((one, other) => other.indexOf('<style') - one.indexOf('<style'));
  return html.replace(head, () => head.replace(code, '')).replace(codeHere, () => found.join('').trim());
}

for (const [page, { budget, plugins }] of Object.entries(pages)) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [...plugins, viteSingleFile({ removeViteModuleLoader: true })],
    build: { outDir: out, emptyOutDir: false, target: 'es2022', rollupOptions: { input: `${root}/${page}` } },
  });
  const html = withPolicy(withCodeInItsPlace(readFileSync(`${out}/${page}`, 'utf8')));
  const size = Buffer.byteLength(html);
  if (size > budget) throw new Error(`${page}: ${size} bytes; must be at most ${budget}`);
  writeFileSync(`${out}/${page}`, html);
  console.log(`${page}: ${(size / 1024).toFixed(1)} KiB of ${budget / 1024}`);
}
