// SPDX-License-Identifier: MIT
//
// The one reader of report documents. What is not exactly such a document is refused with one sentence: where, the rule,
// and what was found.
import { brokenBy } from './broken';
import {
  cell,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  ownMembers,
  positive,
  Refusal,
  text,
  type Reader,
} from './strict';
import type {
  Column,
  Sampled,
  TextBlock,
  TableBlock,
  LadderBlock,
  RatiosBlock,
  DistributionsBlock,
  DistributionGroup,
  RooflineBlock,
  Block,
  Report,
} from './document';

const schemaHere = 1;

const rate = { label: text, tflops: positive };
const count = integer(0, Number.MAX_SAFE_INTEGER);
const sampled = { label: text, verdict: text, median: positive, low: positive, high: positive };

// The samples of a row; an interval holds its median.
function sampledRow<T extends Sampled>(members: { [K in keyof T]: Reader<T[K]> }): Reader<T> {
  const read = object<T>(members);
  return (value, path) => {
    const row = read(value, path);
    if (!(row.low <= row.median))
      throw new Refusal(`${path}.low`, `must be at most the median, ${row.median}`, row.low);
    if (!(row.high >= row.median))
      throw new Refusal(`${path}.high`, `must be at least the median, ${row.median}`, row.high);
    return row;
  };
}

const columnMembers = object<Omit<Column, 'digits'>>({
  name: text,
  unit: text,
  kind: oneOf('text', 'count', 'number', 'verdict'),
});
const column: Reader<Column> = (value, path) => {
  const members = columnMembers(value, path);
  if (members.kind !== 'number') return members;
  return { ...members, ...object({ digits: integer(0, 12) })(value, path) };
};

const tableHead = object({ name: text, caption: text, columns: list(column, 1) });
function table(value: unknown, path: string): TableBlock {
  const head = tableHead(value, path);
  const rows = object({ rows: list(list(cell, head.columns.length, head.columns.length)) });
  return { kind: 'table', ...head, ...rows(value, path) };
}

type Bare<B> = Omit<B, 'kind'>;
const bareBlocks = {
  text: object<Bare<TextBlock>>({ paragraphs: list(text) }),
  table,
  ladder: object<Bare<LadderBlock>>({
    name: text,
    caption: text,
    top: object(rate),
    levels: list(object(rate)),
    bars: list(object({ ...rate, note: text })),
  }),
  ratios: object<Bare<RatiosBlock>>({
    name: text,
    caption: text,
    meaning: text,
    band: number(0, 0.5),
    rows: list(sampledRow<Sampled & { group: string }>({ ...sampled, group: text, samples: list(positive) })),
  }),
  distributions: object<Bare<DistributionsBlock>>({
    name: text,
    caption: text,
    unit: text,
    groups: list(
      object<DistributionGroup>({
        title: text,
        rows: list(
          sampledRow<DistributionGroup['rows'][number]>({
            ...sampled,
            role: oneOf('rung', 'rival', 'control'),
            samples: list(positive),
          }),
        ),
      }),
    ),
  }),
  roofline: object<Bare<RooflineBlock>>({
    name: text,
    caption: text,
    compute: object(rate),
    memory: object({ label: text, gbps: positive }),
    points: list(object({ label: text, group: text, intensity: positive, tflops: positive, above: flag })),
  }),
};
type Kind = keyof typeof bareBlocks;
const kindOf = oneOf<Kind>(...(Object.keys(bareBlocks) as Kind[]));

function block(value: unknown, path: string): Block {
  const kind = kindOf(ownMembers(value, path)['kind'], `${path}.kind`);
  return { ...bareBlocks[kind](value, path), kind } as Block;
}

// A section's id is its address; the page's own elements have the others.
const taken = new Set(['document', 'records', 'contents', 'saved', 'unshown']);
function sectionId(value: unknown, path: string): string {
  const id = text(value, path);
  if (!/^[a-z][a-z0-9_-]*$/.test(id) || taken.has(id))
    throw new Refusal(path, `must be a lower-case word that is none of ${[...taken].join(', ')}`, value);
  return id;
}

const report = object<Report>({
  title: text,
  made_by: object({ revision: text, dirty: flag }),
  sets: list(object({ name: text, files: list(object({ name: text, bytes: count, records: count })) }), 1, 2),
  headline: list(object({ label: text, value: text, note: text, tone: oneOf('good', 'bad', 'plain') })),
  sections: list(object({ id: sectionId, title: text, lead: text, blocks: list(block) })),
});

function checked(value: unknown): Report {
  const members = ownMembers(value, '');
  oneOf('report')(members['record'], 'record');
  const { schema } = members;
  if (schema !== schemaHere) throw new Refusal('schema', `this page reads version ${schemaHere}`, schema);
  const read = report(value, '');
  read.sections.forEach(({ id }, index) => {
    if (read.sections.findIndex(section => section.id === id) < index)
      throw new Refusal(`sections[${index}].id`, 'must be another than those before it', id);
  });
  return read;
}

export function readDocument(json: string): { report: Report } | { problem: string } {
  try {
    return { report: checked(JSON.parse(json)) };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: brokenBy(json, error) };
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}
