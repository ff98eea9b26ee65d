// SPDX-License-Identifier: MIT
//
// What is folded is opened while the page is printed, and folded again.

type Close = () => void;
const openers: (() => Close)[] = [];
let closers: Close[] = [];

// `open` opens and returns what closes again.
export function openForPrint(open: () => Close): void {
  openers.push(open);
}

addEventListener('beforeprint', () => (closers = openers.map(open => open())));
addEventListener('afterprint', () => {
  for (const close of closers) close();
  closers = [];
});
