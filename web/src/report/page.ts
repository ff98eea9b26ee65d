// SPDX-License-Identifier: MIT
//
// The page of a report: title, headline, contents and sections. A block that cannot be drawn says so in its place and
// takes nothing else down.
import { html, type Child } from '../page/dom';
import { plural } from '../page/format';
import type { Block, Headline, Report, Section } from './document';
import { figureElement } from './figures/figure';
import { incomplete, packedRecords, savedSection, savedTitle } from './saved';
import { Table } from './table';

function blockElement(block: Block): Child[] {
  switch (block.kind) {
    case 'text':
      return block.paragraphs.map(paragraph => html('p', {}, paragraph));
    case 'table':
      return [new Table(block).element];
    default:
      return [figureElement(block)];
  }
}

export function failure(what: string, why: string): HTMLElement {
  return html('p', { class: 'failure', role: 'alert' }, `${what} could not be shown. ${why}`);
}

function shownBlock(block: Block, section: Section): Child[] {
  try {
    return blockElement(block);
  } catch (error) {
    return [failure(`A ${block.kind} of “${section.title}”`, String(error))];
  }
}

function sectionElement(section: Section): HTMLElement {
  const title = html('h2', {}, section.title);
  const lead = section.lead ? html('p', { class: 'lead' }, section.lead) : undefined;
  const blocks = section.blocks.flatMap(block => shownBlock(block, section));
  return html(
    'section',
    { id: section.id, 'aria-label': section.title, tabindex: -1 },
    title,
    lead,
    ...blocks,
  );
}

function card({ label, value, note, tone }: Headline): HTMLElement {
  const mark = { good: '✓ ', bad: '✕ ', plain: '' }[tone];
  return html(
    'li',
    { class: `card ${tone}` },
    html('span', { class: 'label' }, label),
    html('strong', {}, mark ? html('span', { 'aria-hidden': 'true' }, mark) : undefined, value),
    html('span', { class: 'note' }, note),
  );
}

// Open where it stands beside the text, folded where it would stand before it.
function contents(sections: { id: string; title: string }[]): HTMLElement {
  const links = sections.map(({ id, title }) => html('li', {}, html('a', { href: `#${id}` }, title)));
  const open = matchMedia('(min-width: 70rem)').matches;
  const list = html('details', { open }, html('summary', {}, 'Contents'), html('ul', {}, ...links));
  return html('nav', { id: 'contents', 'aria-label': 'Contents' }, list);
}

// The contents mark the section that is being read.
function follow(main: HTMLElement, nav: HTMLElement): void {
  const links = new Map([...nav.querySelectorAll('a')].map(link => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) links.get(target.id)?.setAttribute('aria-current', 'true');
        else links.get(target.id)?.removeAttribute('aria-current');
    },
    { rootMargin: '-15% 0px -84% 0px' },
  );
  for (const section of main.querySelectorAll('section')) observer.observe(section);
}

function provenance({ made_by: { revision, dirty }, sets }: Report): string {
  const files = sets.map(set => `${set.name} (${plural(set.files.length, 'file')})`);
  const changed = dirty ? ' with uncommitted changes' : '';
  return `Made from ${files.join(' and ')} by tilewright, source ${revision.slice(0, 12)}${changed}.`;
}

export function reportPage(report: Report): HTMLElement[] {
  document.title = `${report.title} · Tilewright report`;
  const nav = contents([...report.sections, { id: 'saved', title: savedTitle }]);
  const cut = packedRecords() === undefined;
  const main = html(
    'main',
    { id: 'main', tabindex: -1 },
    html('h1', {}, report.title),
    html('p', { class: 'lead' }, provenance(report)),
    cut ? html('p', { class: 'failure', role: 'alert' }, incomplete) : undefined,
    html('ul', { class: 'cards', 'aria-label': 'In short' }, ...report.headline.map(card)),
    ...report.sections.map(sectionElement),
    savedSection(report.sets),
  );
  follow(main, nav);
  return [
    html('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    html('header', {}, html('p', { class: 'brand' }, 'Tilewright report')),
    html('div', { class: 'report' }, nav, main),
  ];
}
