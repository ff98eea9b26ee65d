// SPDX-License-Identifier: MIT
//
// The part of Markdown that the rungs' pages use: headings, paragraphs, lists, tables, indented and fenced code; inside a
// line `code`, **bold**, *emphasis* and the text of links. Everything becomes elements and text nodes.
import { html, type Child } from './dom';

const inlinePattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[((?:[^\]`]|`[^`]*`)+)\]\([^)]*\)/;

function inline(text: string): Child[] {
  const match = inlinePattern.exec(text);
  if (!match) return text ? [text] : [];
  const [whole, code, bold, emphasis, link] = match;
  const before = text.slice(0, match.index);
  const after = inline(text.slice(match.index + whole.length));
  const own: Child[] = link !== undefined ? inline(link) : [];
  if (code !== undefined) own.push(html('code', {}, code));
  if (bold !== undefined) own.push(html('strong', {}, ...inline(bold)));
  if (emphasis !== undefined) own.push(html('em', {}, ...inline(emphasis)));
  return [...(before ? [before] : []), ...own, ...after];
}

const cells = (line: string) =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map(cell => cell.trim());

function tableOf(lines: string[]): HTMLElement {
  const [head = '', , ...rows] = lines;
  const row = (line: string, tag: 'th' | 'td') =>
    html(
      'tr',
      {},
      ...cells(line).map(cell => html(tag, tag === 'th' ? { scope: 'col' } : {}, ...inline(cell))),
    );
  const body = html('tbody', {}, ...rows.map(line => row(line, 'td')));
  return html(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' },
    html('table', {}, html('thead', {}, row(head, 'th')), body),
  );
}

function listOf(lines: string[]): HTMLElement {
  const items: string[] = [];
  for (const line of lines)
    if (line.startsWith('- ')) items.push(line.slice(2));
    else items[items.length - 1] += ` ${line.trim()}`;
  return html('ul', {}, ...items.map(item => html('li', {}, ...inline(item))));
}

export function code(text: string, label: string): HTMLElement {
  return html('pre', { tabindex: 0, role: 'group', 'aria-label': label }, html('code', {}, text));
}

function block(lines: string[], topLevel: number): HTMLElement {
  const [first = ''] = lines;
  const heading = /^(#{1,4}) (.*)$/.exec(first);
  if (heading) {
    const level = Math.min(6, topLevel + (heading[1]?.length ?? 1) - 1) as 2 | 3 | 4 | 5 | 6;
    return html(`h${level}`, {}, ...inline(heading[2] ?? ''));
  }
  if (first.startsWith('    ')) return code(lines.map(line => line.slice(4)).join('\n'), 'Formulas');
  if (first.startsWith('```')) return code(lines.slice(1, -1).join('\n'), 'Code');
  if (first.startsWith('|')) return tableOf(lines);
  if (first.startsWith('- ')) return listOf(lines);
  return html('p', {}, ...inline(lines.join(' ')));
}

// Lines that belong together; fenced code keeps its empty lines, and so does indented code between two of its lines.
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [];
  let open: string[] = [];
  let fenced = false;
  const close = () => {
    if (open.length) blocks.push(open);
    open = [];
  };
  for (const line of text.split('\n')) {
    if (
      !fenced &&
      (line.trim() === '' || line.startsWith('#') || (line.startsWith('- ') && !open[0]?.startsWith('- ')))
    )
      close();
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced || line.trim() !== '') open.push(line);
    if (line.startsWith('#')) close();
  }
  close();
  return blocks;
}

// Headings begin at the level given.
export function markdown(text: string, topLevel: 2 | 3): HTMLElement[] {
  return blocksOf(text).map(lines => block(lines, topLevel));
}
