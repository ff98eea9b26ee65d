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

const html = readFileSync(`${pages}/explorer.html`, 'utf8');
writeFileSync(
  out,
  `// Made by web/embed.mjs.
#include "web/pages.h"
namespace tilewright {
namespace {
constexpr std::string_view explorer[] = {
${pieces(html)}};
}  // namespace
Page explorer_page() { return {.pieces = explorer, .absent = {}}; }
}  // namespace tilewright
`,
);
