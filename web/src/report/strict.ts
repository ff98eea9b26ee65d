// SPDX-License-Identifier: MIT
//
// Reading JSON that anyone may have written: each reader gives its value back as a type, or throws a Refusal that says
// where, what was found there and the rule.

export class Refusal extends Error {
  constructor(path: string, rule: string, value: unknown) {
    super(`${path}: ${rule}; it is ${described(value)}`);
  }
}

export type Reader<T> = (value: unknown, path: string) => T;

const longestShown = 60;

export function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  return `“${value.length > longestShown ? `${value.slice(0, longestShown)}…` : value}”`;
}

function accepting<T>(rule: string, accepts: (value: unknown) => boolean): Reader<T> {
  return (value, path) => {
    if (!accepts(value)) throw new Refusal(path, rule, value);
    return value as T;
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const text = accepting<string>('must be a string', value => typeof value === 'string');
export const flag = accepting<boolean>('must be true or false', value => typeof value === 'boolean');
// Times, rates and ratios: wider than any machine's, and far from where their quotients overflow.
export const positive = accepting<number>(
  'must be a number above 0 (1e-15 to 1e15)',
  value => isNumber(value) && value >= 1e-15 && value <= 1e15,
);

export function oneOf<T extends string>(...words: T[]): Reader<T> {
  return accepting(`must be one of ${words.join(', ')}`, value => words.includes(value as T));
}

export function integer(least: number, most: number): Reader<number> {
  const rule = `must be an integer from ${least} to ${most}`;
  return accepting(rule, value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
}

export function number(least: number, most: number): Reader<number> {
  const rule = `must be a number from ${least} to ${most}`;
  return accepting(rule, value => isNumber(value) && value >= least && value <= most);
}

export const cell = accepting<string | number | null>(
  'must be a string, a finite number or nothing',
  value => value === null || typeof value === 'string' || isNumber(value),
);

export function list<T>(item: Reader<T>, least = 0, most = Infinity): Reader<T[]> {
  const length =
    least === most
      ? `of ${least}`
      : most < Infinity
        ? `of ${least} to ${most}`
        : least
          ? `of ${least} or more`
          : '';
  const rule = `must be a list ${length}`.trim();
  return (value, path) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      throw new Refusal(path, rule, value);
    return value.map((one, index) => item(one, `${path}[${index}]`));
  };
}

// Members beyond those that are read are left out.
export function object<T>(members: { [K in keyof T]: Reader<T[K]> }): Reader<T> {
  return (value, path) => {
    const own = ownMembers(value, path);
    const read = Object.entries(members) as [keyof T & string, Reader<T[keyof T]>][];
    return Object.fromEntries(
      read.map(([name, reader]) => [name, reader(own[name], path ? `${path}.${name}` : name)]),
    ) as T;
  };
}

// Nothing that an object inherits is taken for a member.
export function ownMembers(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(path || 'the report', 'must be an object', value);
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}
