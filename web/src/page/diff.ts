// SPDX-License-Identifier: MIT
//
// The lines that changed between two texts, by their longest common subsequence.

export interface Line {
  kind: 'same' | 'gone' | 'new' | 'skip';
  text: string; // of 'skip', how many lines are left out
}

// Length of the longest common subsequence of the ends of both, from each line on.
function lengths(before: string[], after: string[]): Uint16Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; --i)
    for (let j = after.length - 1; j >= 0; --j)
      rows[i]![j] =
        before[i] === after[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows;
}

export function diff(before: string[], after: string[]): Line[] {
  const rows = lengths(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i++]! });
      ++j;
    } else if (i < before.length && (j === after.length || rows[i + 1]![j]! >= rows[i]![j + 1]!))
      lines.push({ kind: 'gone', text: before[i++]! });
    else lines.push({ kind: 'new', text: after[j++]! });
  }
  return lines;
}

// Fewer lines are shown: saying that they are left out takes as much room.
const leastSkipped = 3;

// Keeps so many unchanged lines round each change, and says how many it left out.
export function condensed(lines: Line[], around: number): Line[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(line => line.kind !== 'same'),
  );
  const kept: Line[] = [];
  for (let index = 0; index < lines.length; ++index) {
    if (near[index]) {
      kept.push(lines[index]!);
      continue;
    }
    const end = near.indexOf(true, index);
    const next = end < 0 ? lines.length : end;
    if (next - index < leastSkipped) kept.push(...lines.slice(index, next));
    else kept.push({ kind: 'skip', text: String(next - index) });
    index = next - 1;
  }
  return kept;
}
