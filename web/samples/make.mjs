// SPDX-License-Identifier: MIT
//
// TILEWRIGHT=PROGRAM node samples/make.mjs: writes samples/traces.json, the traces that the ladder shows before a visitor
// brings one. A test holds the file to the program.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const kernels = ['direct_rows', 'direct', 'register_tile', 'conflict_free'];
export const shape = '128x128x64';

export function sampleOf({ kernel, source, shape, lines }) {
  return { kernel, source, shape, lines };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const traces = kernels.map(kernel => {
    const text = execFileSync(process.env.TILEWRIGHT, ['trace', kernel, '--shape', shape, '--json'], {
      encoding: 'utf8',
    });
    return sampleOf(JSON.parse(text));
  });
  writeFileSync(new URL('traces.json', import.meta.url), `${JSON.stringify(traces, null, 1)}\n`);
}
