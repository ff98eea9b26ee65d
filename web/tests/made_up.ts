// SPDX-License-Identifier: MIT
//
// A report of made-up numbers, in the form that the program gives one, for what no honest record holds.
import { gzipSync } from 'node:zlib';
import type {
  Block,
  DistributionGroup,
  LadderBlock,
  RatiosBlock,
  Report,
  Sampled,
} from '../src/report/document';
import { random } from './tilewright';

const draw = random(5);
const between = (least: number, most: number) => least + ((most - least) * draw(0, 1e6)) / 1e6;

export const inputs = {
  sets: [
    { name: 'made/up', files: [{ name: 'bench.jsonl', text: '{"record":"run"}\n{"record":"timing"}\n' }] },
  ],
  rungs: [],
};

export function samplesOf(label: string, middle: number, count: number): Sampled {
  const samples = Array.from({ length: count }, () => middle * between(0.97, 1.06));
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (count - 1))]!;
  return { label, verdict: 'PASS', median: at(0.5), low: at(0.3), high: at(0.7), samples };
}

const sizes = [1, 16, 17, 64, 127, 512, 1000, 2048, 4096, 8192];
const shapes = Array.from(
  { length: 37 },
  () => `${sizes[draw(0, 9)]}x${sizes[draw(0, 9)]}x${sizes[draw(0, 9)]}`,
);

export const ladder: LadderBlock = {
  kind: 'ladder',
  name: 'ladder',
  caption: 'Every rung at 4096x4096x4096',
  top: { label: 'FMA ceiling, measured', tflops: 60 },
  levels: [{ label: 'cuBLAS, best of its calls', tflops: 51 }],
  bars: Array.from({ length: 27 }, (_, index) => ({
    label: `a_rung_of_a_long_name_${index}`,
    tflops: Math.max(0.5, 2 * index - (index % 7 === 5 ? 6 : 0)),
    note: index % 7 === 5 ? 'SLOWER than the step before' : '',
  })),
};

export const ratios: RatiosBlock = {
  kind: 'ratios',
  name: 'library',
  caption: 'auto beside cuBLAS',
  meaning: 'cuBLAS’s time over auto’s: right of 1 is faster',
  band: 0.01,
  rows: shapes.map((shape, index) => ({
    ...samplesOf(shape, between(0.6, 2.4), 24),
    group: ['square', 'tall and flat', 'odd'][Math.floor(index / 13)]!,
    verdict: ['FASTER', 'SAME', 'SLOWER', 'AMBIGUOUS'][index % 4]!,
  })),
};

export function group(title: string, rows = 4, samples = 24): DistributionGroup {
  return {
    title,
    rows: Array.from({ length: rows }, (_, index) => ({
      ...samplesOf(`kernel_${index}`, between(100, 900), samples),
      role: index ? 'rival' : 'rung',
    })),
  };
}

export const blocks: Block[] = [
  { kind: 'text', paragraphs: ['A paragraph.', 'Another one.'] },
  {
    kind: 'table',
    name: 'timings',
    caption: 'Times of everything',
    columns: [
      { name: 'kernel', unit: '', kind: 'text' },
      { name: 'loads', unit: '', kind: 'count' },
      { name: 'median', unit: 'µs', kind: 'number', digits: 3 },
      { name: 'verdict', unit: '', kind: 'verdict' },
    ],
    rows: shapes.map((shape, index) => [
      `kernel_${index} ${shape}`,
      draw(1, 1e6) * 1000,
      index % 9 === 8 ? null : between(1, 5000),
      ['PASS', 'UNSTABLE(spread)', 'SLOWER', 'FASTER', 'SAME', 'FAIL(values)'][index % 6]!,
    ]),
  },
  ladder,
  ratios,
  {
    kind: 'distributions',
    name: 'samples',
    caption: 'Every sample of every timing',
    unit: 'µs',
    groups: shapes.map(shape => group(`${shape}, warm, boost, device`)),
  },
  {
    kind: 'roofline',
    name: 'roofline',
    caption: 'The roofline with measured ceilings',
    compute: { label: 'FMA ceiling, measured', tflops: 62.8 },
    memory: { label: 'read ceiling, measured', gbps: 4507 },
    points: shapes.flatMap((shape, index) =>
      ['auto', 'cuBLAS', 'rungs'].map(name => {
        const intensity = 2 ** between(-1, 10);
        const above = index === 7 && name === 'rungs';
        const share = above ? 1.3 : between(0.1, 0.95);
        return {
          label: `${name} ${shape}`,
          group: name,
          intensity,
          tflops: share * Math.min(62.8, 4.507 * intensity),
          above,
        };
      }),
    ),
  },
];

export function madeUp(changes: Partial<Report> = {}): Report & { schema: number; record: string } {
  return {
    schema: 1,
    record: 'report',
    title: 'float32 products on a made-up GPU',
    made_by: { revision: '0123456789abcdef0123456789abcdef01234567', dirty: false },
    sets: [{ name: 'made/up', files: [{ name: 'bench.jsonl', bytes: 40, records: 2 }] }],
    headline: [
      {
        label: 'auto beside cuBLAS',
        value: '1.08×',
        note: 'geometric mean of 34 of 37 shapes',
        tone: 'good',
      },
      { label: 'losing shapes', value: '3', note: 'of 37', tone: 'bad' },
      {
        label: 'products checked',
        value: '12,345',
        note: 'each element within its tolerance',
        tone: 'plain',
      },
    ],
    sections: blocks.map(block => ({
      id: `a-${block.kind}`,
      title: `A section of ${block.kind}`,
      lead: 'What it says, in a sentence.',
      blocks: [block],
    })),
    ...changes,
  };
}

const inPage = (json: string) => json.replaceAll('<', '\\u003c');

// The text of a report file: the shell with this document, and with the records behind it.
export function filled(shell: string, document: string, records: unknown = inputs): string {
  const packed = gzipSync(JSON.stringify(records)).toString('base64');
  const data =
    `<script type="application/json" id="document">${inPage(document)}</script>\n` +
    `<script type="application/json" id="records">"${packed}"</script>`;
  return shell.replace('<!--report-->', () => data);
}
