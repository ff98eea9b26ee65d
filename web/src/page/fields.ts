// SPDX-License-Identifier: MIT
//
// The settings of a view, and their text behind the # of its address: `view=stepper&M=17&N=19`. Settings at their
// default are left out; a value that cannot be is replaced by the nearest that can, with a note that says so.

export interface NumberField {
  kind: 'integer' | 'number';
  label: string;
  unit?: string;
  least: number;
  most: number;
  default: number;
}
export interface ChoiceField {
  kind: 'choice';
  label: string;
  options: Record<string, string>; // what the address says: what the page says
  default: string;
}
export interface FlagField {
  kind: 'flag';
  label: string;
}
export type Field = NumberField | ChoiceField | FlagField;
export type Fields = Record<string, Field>;
type ValueOf<F> = F extends NumberField ? number : F extends FlagField ? boolean : string;
export type Values<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> };

export function integer(label: string, least: number, most: number, start: number, unit = ''): NumberField {
  return { kind: 'integer', label, least, most, default: start, unit };
}
export function number(label: string, least: number, most: number, start: number, unit = ''): NumberField {
  return { kind: 'number', label, least, most, default: start, unit };
}
export function choice(label: string, options: Record<string, string>, start: string): ChoiceField {
  return { kind: 'choice', label, options, default: start };
}
export function flag(label: string): FlagField {
  return { kind: 'flag', label };
}

const defaultOf = (field: Field) => (field.kind === 'flag' ? false : field.default);

export function defaults<F extends Fields>(fields: F): Values<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, defaultOf(field)]),
  ) as Values<F>;
}

// The value of a text, or why it cannot be; then `value` is the nearest that can.
export function read(
  key: string,
  field: Field,
  text: string,
): { value: number | string | boolean; note?: string } {
  if (field.kind === 'flag') {
    if (text === '1' || text === '0') return { value: text === '1' };
    return { value: false, note: `${key} = ${shown(text)}: must be 0 or 1; 0 is used` };
  }
  if (field.kind === 'choice') {
    if (Object.hasOwn(field.options, text)) return { value: text };
    const known = Object.keys(field.options).join(', ');
    return {
      value: field.default,
      note: `${key} = ${shown(text)}: must be one of ${known}; ${field.default} is used`,
    };
  }
  return readNumber(key, field, text);
}

function readNumber(key: string, field: NumberField, text: string): { value: number; note?: string } {
  const plain = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);
  const given = plain ? Number(text) : NaN;
  const whole = field.kind === 'integer';
  const rounded = whole ? Math.round(given) : given;
  const value = Number.isNaN(rounded) ? field.default : Math.min(field.most, Math.max(field.least, rounded));
  if (value === given) return { value };
  const rule = `must be ${whole ? 'an integer' : 'a number'} from ${field.least} to ${field.most}`;
  return { value, note: `${key} = ${shown(text)}: ${rule}; ${value} is used` };
}

function shown(text: string): string {
  return `“${text.length > 24 ? `${text.slice(0, 24)}…` : text}”`;
}

export function parse<F extends Fields>(
  fields: F,
  params: URLSearchParams,
): { values: Values<F>; notes: string[] } {
  const values: Record<string, number | string | boolean> = defaults(fields);
  const notes: string[] = [];
  for (const [key, text] of params) {
    if (key === 'view') continue;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) {
      notes.push(`${shown(key)}: there is no such setting here; it is left out`);
      continue;
    }
    const { value, note } = read(key, field, text);
    values[key] = value;
    if (note) notes.push(note);
  }
  return { values: values as Values<F>, notes };
}

// What parse() reads back as the same values.
export function write<F extends Fields>(fields: F, values: Values<F>): [string, string][] {
  return Object.entries(fields)
    .filter(([key, field]) => values[key] !== defaultOf(field))
    .map(([key]) => [key, values[key] === true ? '1' : String(values[key])]);
}
