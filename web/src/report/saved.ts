// SPDX-License-Identifier: MIT
//
// The records that the report was made of, which the file holds packed: a button a file unpacks it and saves it as it
// was.
import { button, html, say } from '../page/dom';
import { commas, plural } from '../page/format';
import type { RecordSet } from './document';

interface Inputs {
  sets: { name: string; files: { name: string; text: string }[] }[];
}

// The packed records of this file, or nothing where it ends before they do.
export function packedRecords(): string | undefined {
  const text = document.getElementById('records')?.textContent?.trim() ?? '';
  return /^"[A-Za-z0-9+/=]+"$/.test(text) ? text.slice(1, -1) : undefined;
}

async function unpack(packed: string): Promise<Inputs> {
  const bytes = Uint8Array.from(atob(packed), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as Inputs;
}

let unpacked: Promise<Inputs> | undefined;

async function textOf(packed: string, set: string, file: string): Promise<string> {
  const { sets } = await (unpacked ??= unpack(packed));
  const text = sets.find(one => one.name === set)?.files.find(one => one.name === file)?.text;
  if (typeof text !== 'string') throw new Error('the embedded records have no such file');
  return text;
}

function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
  html('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function fileItem(
  packed: string,
  set: string,
  { name, bytes, records }: RecordSet['files'][number],
  status: HTMLElement,
): HTMLElement {
  const short = name.startsWith(`${set}/`) ? name.slice(set.length + 1) : name;
  const press = async () => {
    try {
      save(short.replaceAll('/', '_'), await textOf(packed, set, name));
      say(status, `${short} was unpacked and handed to the browser to be saved.`);
    } catch (error) {
      say(status, `${short} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };
  const size = `${plural(records, 'record')}, ${commas(Math.ceil(bytes / 1024))} KiB`;
  return html(
    'li',
    {},
    button(`Save ${short}`, () => void press()),
    html('span', { class: 'unit' }, ` ${size}`),
  );
}

function lists(sets: RecordSet[], packed: string): HTMLElement[] {
  const status = html('p', { role: 'status' });
  const elements = sets.flatMap(({ name, files }) => [
    html('h3', {}, name),
    html('ul', { class: 'files' }, ...files.map(file => fileItem(packed, name, file, status))),
  ]);
  return [...elements, status];
}

const whole = () =>
  html(
    'p',
    {},
    'This file holds every record that it was made of. ',
    html('code', {}, 'tilewright report --verify report.html'),
    ' recomputes everything above from them and says whether a number differs.',
  );

export const incomplete =
  'The records are missing: this file is incomplete, and what it says cannot be recomputed from it.';
export const savedTitle = 'The embedded records';

export function savedSection(sets: RecordSet[]): HTMLElement {
  const packed = packedRecords();
  return html(
    'section',
    { id: 'saved', 'aria-label': savedTitle, tabindex: -1 },
    html('h2', {}, savedTitle),
    ...(packed === undefined ? [html('p', {}, incomplete)] : [whole(), ...lists(sets, packed)]),
  );
}
