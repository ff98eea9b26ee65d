// SPDX-License-Identifier: MIT
//
// How the warps of a kernel access memory, from the JSON of tilewright trace: of each source line, the 32-byte sectors
// that a request of 32 lanes moves beside those that would do, or the passes of the banks that it takes.
import { html, svg } from '../../page/dom';
import { commas } from '../../page/format';

interface TraceLine {
  line: number;
  space: string;
  op: string;
  requests: number;
  lanes_per_request: number;
  sectors: number;
  ideal_sectors: number;
  wavefronts: number;
  bank_conflicts: number;
}

export interface Trace {
  kernel: string;
  source: string;
  shape: number[];
  lines: TraceLine[];
}

const lineNumbers: (keyof TraceLine)[] = [
  'line',
  'requests',
  'lanes_per_request',
  'sectors',
  'ideal_sectors',
  'wavefronts',
  'bank_conflicts',
];

function isLine(value: unknown): value is TraceLine {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    typeof fields['space'] === 'string' &&
    typeof fields['op'] === 'string' &&
    lineNumbers.every(key => typeof fields[key] === 'number' && fields[key] >= 0)
  );
}

// The trace of a text, or why it is none.
export function traceOf(json: unknown): Trace | string {
  if (typeof json !== 'object' || json === null) return 'it is no JSON object';
  const { kernel, source, shape, lines } = json as Record<string, unknown>;
  if (!Array.isArray(lines) || !lines.every(isLine))
    return 'it has no lines as tilewright trace --json writes them';
  if (typeof kernel !== 'string' || !Array.isArray(shape)) return 'it names no kernel and shape';
  return { kernel, source: String(source), shape: shape.map(Number), lines };
}

interface Efficiency {
  moved: number; // sectors, or passes of the banks, of one request
  needed: number;
  what: string;
}

function efficiencyOf(line: TraceLine): Efficiency {
  const each = (count: number) => count / Math.max(1, line.requests);
  if (line.space === 'global')
    return { moved: each(line.sectors), needed: each(line.ideal_sectors), what: 'sectors' };
  return {
    moved: each(line.wavefronts),
    needed: each(line.wavefronts - line.bank_conflicts),
    what: 'bank passes',
  };
}

const square = 9;
const perRow = 16;

// One square a sector or pass: filled what is needed, open what is moved besides.
function squares({ moved, needed }: Efficiency): SVGSVGElement {
  const count = Math.ceil(moved - 1e-9);
  const rows = Math.max(1, Math.ceil(count / perRow));
  const marks = Array.from({ length: count }, (_, index) => {
    const place = { x: (index % perRow) * square + 1, y: Math.floor(index / perRow) * square + 1 };
    return svg('rect', {
      class: index < Math.ceil(needed - 1e-9) ? 'needed' : 'wasted',
      width: square - 2,
      height: square - 2,
      ...place,
    });
  });
  const size = { width: Math.min(perRow, Math.max(1, count)) * square + 1, height: rows * square + 1 };
  return svg('svg', { class: 'squares', 'aria-hidden': 'true', ...size }, ...marks);
}

const codeOf = (text: string | undefined) => (text === undefined ? undefined : html('code', {}, text.trim()));

// `source` may be empty; otherwise it holds the lines that the trace numbers from 1.
export function warpTable(trace: Trace, source: string[]): HTMLElement {
  const rows = trace.lines.map(line => {
    const efficiency = efficiencyOf(line);
    const { moved, needed, what } = efficiency;
    const few = (value: number) => String(Number(value.toFixed(2)));
    return html(
      'tr',
      {},
      html(
        'th',
        { scope: 'row' },
        `line ${line.line}: ${line.space} ${line.op}`,
        codeOf(source[line.line - 1]),
      ),
      html('td', {}, commas(line.requests)),
      html('td', {}, few(line.lanes_per_request)),
      html(
        'td',
        { class: moved > needed + 1e-9 ? 'flagged' : '' },
        `${few(moved)} ${what}, ${few(needed)} would do`,
      ),
      html('td', {}, squares(efficiency)),
    );
  });
  const head = ['', 'requests', 'lanes', 'a request moves', 'filled: needed; open: besides'];
  return html(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Accesses of a warp' },
    html(
      'table',
      { class: 'warps' },
      html(
        'caption',
        {},
        `${trace.kernel}, ${trace.shape.join(' × ')}: what the emulator counts, line by line`,
      ),
      html('thead', {}, html('tr', {}, ...head.map(text => html('th', { scope: 'col' }, text)))),
      html('tbody', {}, ...rows),
    ),
  );
}
