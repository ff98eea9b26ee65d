// SPDX-License-Identifier: MIT
//
// The report document, which the program makes and the page only draws.

export interface Column {
  name: string;
  unit: string;
  kind: 'text' | 'count' | 'number' | 'verdict';
  digits?: number;
}
export type Cell = string | number | null;

// A quantity that was sampled: its median, the interval of the median and every sample.
export interface Sampled {
  label: string;
  verdict: string;
  median: number;
  low: number;
  high: number;
  samples: number[];
}
export interface TextBlock {
  kind: 'text';
  paragraphs: string[];
}
export interface TableBlock {
  kind: 'table';
  name: string;
  caption: string;
  columns: Column[];
  rows: Cell[][];
}
export interface LadderBlock {
  kind: 'ladder';
  name: string;
  caption: string;
  top: Rate;
  levels: Rate[];
  bars: (Rate & { note: string })[];
}
export interface Rate {
  label: string;
  tflops: number;
}
export interface RatiosBlock {
  kind: 'ratios';
  name: string;
  caption: string;
  meaning: string;
  band: number;
  rows: (Sampled & { group: string })[];
}
export interface DistributionsBlock {
  kind: 'distributions';
  name: string;
  caption: string;
  unit: string;
  groups: DistributionGroup[];
}
export interface DistributionGroup {
  title: string;
  rows: (Sampled & { role: 'rung' | 'rival' | 'control' })[];
}
export interface RooflineBlock {
  kind: 'roofline';
  name: string;
  caption: string;
  compute: Rate;
  memory: { label: string; gbps: number };
  points: RooflinePoint[];
}
export interface RooflinePoint {
  label: string;
  group: string;
  intensity: number;
  tflops: number;
  above: boolean;
}
export type FigureBlock = LadderBlock | RatiosBlock | DistributionsBlock | RooflineBlock;
export type Block = TextBlock | TableBlock | FigureBlock;

export interface Section {
  id: string;
  title: string;
  lead: string;
  blocks: Block[];
}
export interface Headline {
  label: string;
  value: string;
  note: string;
  tone: 'good' | 'bad' | 'plain';
}
export interface RecordSet {
  name: string;
  files: { name: string; bytes: number; records: number }[];
}
export interface Report {
  title: string;
  made_by: { revision: string; dirty: boolean };
  sets: RecordSet[];
  headline: Headline[];
  sections: Section[];
}
