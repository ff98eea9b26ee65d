// SPDX-License-Identifier: MIT
//
// Why a text is no JSON, in words that do not depend on the browser: it ends early, or it holds a word that JSON does not
// know, such as NaN.

// A string, complete or cut off; a bracket; a word. What is between them is skipped.
const token = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}[\]]|-?[A-Za-z]+/gs;
const noNumber = /^-?(nan|inf|infinity)$/i;

export function brokenBy(json: string, error: SyntaxError): string {
  let open = 0;
  for (const { 0: found, 1: closed, index } of json.matchAll(token)) {
    if (found.startsWith('"')) {
      if (closed === '') return endsEarly;
    } else if ('{['.includes(found)) ++open;
    else if ('}]'.includes(found)) --open;
    else if (noNumber.test(found))
      return `the data, character ${index}: must be a finite number; it is ${found}`;
  }
  return open > 0 || json.trim() === '' ? endsEarly : `the data is no JSON: ${error.message}`;
}

const endsEarly = 'the data ends in the middle: the file is incomplete';
