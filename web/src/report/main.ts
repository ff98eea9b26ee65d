// SPDX-License-Identifier: MIT
//
// A report: reads the document that stands in this file and draws it, or says in one sentence why it cannot. The sentence
// that the file begins with stays until there is something to show.
import '../page/page.css';
import '../page/plot.css';
import './figures/figures.css';
import './report.css';
import { html } from '../page/dom';
import { readDocument } from './read';
import { reportPage } from './page';

const noData =
  'the data is missing: the file is incomplete, or it is the empty page that tilewright report fills';

function refusal(problem: string): HTMLElement {
  return html(
    'main',
    { id: 'main' },
    html(
      'div',
      { class: 'failure', role: 'alert' },
      html('h1', {}, 'This report cannot be shown'),
      html('p', {}, problem),
    ),
    html('p', {}, 'The file was cut off or changed, or a later version of tilewright made it.'),
    html(
      'p',
      {},
      'To make it anew from its records: ',
      html('code', {}, 'tilewright report RECORDS -o report.html'),
    ),
  );
}

function elements(): HTMLElement[] {
  const data = document.getElementById('document')?.textContent;
  if (!data) return [refusal(noData)];
  const read = readDocument(data);
  return 'problem' in read ? [refusal(read.problem)] : reportPage(read.report);
}

let shown: HTMLElement[];
try {
  shown = elements();
} catch (error) {
  shown = [refusal(String(error))];
}
document.getElementById('unshown')?.remove();
document.body.prepend(...shown);
