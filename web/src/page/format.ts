// SPDX-License-Identifier: MIT
//
// Numbers as the pages write them.

// 1656 as "1,656".
export function commas(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

// So many digits that matter: "0.541", "12,300".
export function digits(value: number, places = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(places));
  if (Math.abs(rounded) >= 1e15 || Math.abs(rounded) < 1e-6) return rounded.toExponential();
  if (Math.abs(rounded) >= 10 ** (places - 1)) return commas(Math.round(rounded));
  return rounded.toFixed(Math.max(0, places - 1 - Math.floor(Math.log10(Math.abs(rounded)))));
}

// A power of ten with a letter: 1.1e9 as "1.1 G".
export function short(value: number): string {
  for (const [size, letter] of [
    [1e15, 'P'],
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (value >= size) return `${Number((value / size).toPrecision(3))} ${letter}`;
  return String(Number(value.toPrecision(3)));
}

// "1 tile", "2 tiles".
export function plural(count: number, noun: string): string {
  return `${commas(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}
