// SPDX-License-Identifier: MIT
//
// node embed.mjs PAGES OUT.cpp: the pages that build.mjs made, as C++ that holds them in pieces no longer than every
// compiler must take as one string.
import { readFileSync, writeFileSync } from 'node:fs';

const [pages, out] = process.argv.slice(2);
const longestPiece = 8000;

function pieces(text) {
  const characters = [...text];
  const list = [];
  for (let at = 0; at < characters.length; at += longestPiece)
    list.push(`    R"page(${characters.slice(at, at + longestPiece).join('')})page",\n`);
  return list.join('');
}

// The function of web/pages.h that gives each page.
const embedded = { explorer: 'explorer_page', report: 'report_shell' };
const names = Object.keys(embedded);

const arrays = names.map(name => {
  const html = readFileSync(`${pages}/${name}.html`, 'utf8');
  return `constexpr std::string_view ${name}[] = {\n${pieces(html)}};\n`;
});
const functions = names.map(
  name => `Page ${embedded[name]}() { return {.pieces = ${name}, .absent = {}}; }\n`,
);
writeFileSync(
  out,
  `// Made by web/embed.mjs.
#include "web/pages.h"
namespace tilewright {
namespace {
${arrays.join('')}}  // namespace
${functions.join('')}}  // namespace tilewright
`,
);
