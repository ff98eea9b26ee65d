// SPDX-License-Identifier: MIT
//
// What the ladder shows, from the files that are its only source: the rungs' sources and pages under kernels/, and
// the records under results/h200/. Numbers are kept as they are recorded.
import { readdirSync, readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

const rungFile = /^\w+\/\d\d_\w+\.cu$/;

// The files of all precisions, each in its order: fp32/00_direct_rows.cu, …
function rungFiles(kernels) {
  const folders = readdirSync(kernels, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const files = folders.flatMap(({ name }) =>
    readdirSync(`${kernels}/${name}`).map(file => `${name}/${file}`),
  );
  return files.filter(file => rungFile.test(file)).sort();
}

function records(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter(line => line !== '').map(line => JSON.parse(line));
}

// The kernels of a file bear its name, or its name and a size: direct, direct_8, but not direct_rows.
const belongsTo = name => kernel => new RegExp(`^${name}(_\\d+)?$`).test(kernel);

// One line a kernel and shape: its time, its rate, and how it did against the faster cuBLAS call.
function timingsOf(bench) {
  const isOurs = record => record.record === 'timing' && record.role === 'rung' && record.verdict === 'PASS';
  return bench.filter(isOurs).map(record => {
    const against = bench.find(
      one =>
        one.record === 'comparison' &&
        one.rival === 'cublas' &&
        one.cell === record.cell &&
        one.kernel === record.kernel,
    );
    const { median, median_interval: interval } = record.summary_us;
    return {
      kernel: record.kernel,
      shape: record.shape,
      tile: record.description.tile,
      shared_bytes: record.description.static_shared_bytes + record.description.dynamic_shared_bytes,
      us: median,
      low_us: interval.low,
      high_us: interval.high,
      cublas: against?.median ?? null,
    };
  });
}

// What has no time, and why.
function untimedOf(bench) {
  const isOurs = record => record.record === 'timing' && record.role === 'rung' && record.verdict !== 'PASS';
  return bench.filter(isOurs).map(({ kernel, shape, verdict }) => ({ kernel, shape, verdict }));
}

function countsOf(agreement, kernel) {
  const all = agreement.filter(record => record.kernel === kernel && record.agreement);
  const { shape, agreement: counts } =
    all.find(({ shape }) => shape.join() === '256,256,256') ?? all[0] ?? {};
  if (!counts) return null;
  return {
    shape,
    rows: counts.map(({ quantity, predicted, measured, status }) => [quantity, predicted, measured, status]),
  };
}

// All sources, then all pages, each behind those of the rung that it was made from, as far as that can be: what is alike is near by,
// and packs to less.
function textsOf(texts) {
  const pages = new Map(texts.map(({ name, page }) => [name, page]));
  const before = name => /before: \[(\w+)\]/.exec(pages.get(name))?.[1];
  const families = name => [name, ...[...pages.keys()].filter(one => before(one) === name).flatMap(families)];
  const order = [...pages.keys()].filter(name => !pages.has(before(name))).flatMap(families);
  const of = kind =>
    Object.fromEntries(order.map(name => [name, texts.find(one => one.name === name)[kind]]));
  return { sources: of('source'), pages: of('page') };
}

// The rungs in their order with their records, the run that timed them, and of each rung its page and its source.
export function ladderData(root) {
  const bench = records(`${root}/results/h200/bench/bench_ladder.jsonl`);
  const agreement = records(`${root}/results/h200/agreement.jsonl`);
  const timings = timingsOf(bench);
  const texts = [];
  const rungs = rungFiles(`${root}/kernels`).map(file => {
    const name = /(\w+)\.cu$/.exec(file)[1].slice(3);
    const page = readFileSync(`${root}/kernels/${file.replace(/cu$/, 'md')}`, 'utf8');
    texts.push({ name, page, source: readFileSync(`${root}/kernels/${file}`, 'utf8') });
    const own = timings.filter(({ kernel }) => belongsTo(name)(kernel));
    const kernels = [...new Set(own.map(({ kernel }) => kernel))];
    const idea = /^# [^:\n]+: (.*)$/m.exec(page)?.[1] ?? '';
    const counts = Object.fromEntries(kernels.map(kernel => [kernel, countsOf(agreement, kernel)]));
    const untimed = untimedOf(bench).filter(({ kernel }) => belongsTo(name)(kernel));
    return { name, file, idea, kernels, timings: own, untimed, counts };
  });
  const { environment, ceilings, revision, started, cache } = bench.find(({ record }) => record === 'run');
  const { gpu, driver, toolkit, cublas } = environment;
  return {
    rungs,
    run: { gpu, driver, toolkit, cublas, ceilings, revision, started, cache },
    ...textsOf(texts),
  };
}

// 85 characters that need no escape in a script, whichever quotes are around them.
export const alphabet = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => 33 + i))
  .replace(/["'`\\<&$]/g, '')
  .slice(0, 85);

// Five characters for each four bytes, the first one the highest; zeros behind the last.
export function toBase85(bytes) {
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = '';
  for (let i = 0; i < whole.length; i += 4) {
    const value = whole.readUInt32BE(i);
    for (let power = 85 ** 4; power >= 1; power /= 85) text += alphabet[Math.floor(value / power) % 85];
  }
  return text;
}

export function packed(data) {
  const bytes = deflateRawSync(JSON.stringify(data), { level: 9 });
  return { text: toBase85(bytes), alphabet, length: bytes.length };
}

// The module 'virtual:ladder' of the pages: the names of the rungs, and everything else packed.
export function ladderPlugin(root, samples) {
  const id = '\0virtual:ladder';
  return {
    name: 'ladder',
    resolveId: source => (source === 'virtual:ladder' ? id : undefined),
    load(asked) {
      if (asked !== id) return undefined;
      const data = { ...ladderData(root), traces: JSON.parse(readFileSync(samples, 'utf8')) };
      const names = data.rungs.map(({ name }) => name);
      return `export const names = ${JSON.stringify(names)}; export const packed = ${JSON.stringify(packed(data))};`;
    },
  };
}
