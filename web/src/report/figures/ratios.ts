// SPDX-License-Identifier: MIT
//
// Paired comparisons: ratios on a logarithmic axis around 1, by group.
import { type Frame } from '../../page/plot';
import type { Tree } from '../../page/tree';
import { verdictMark } from '../cells';
import type { RatiosBlock } from '../document';
import { logarithmicScale, rangeOf, widened } from './scale';
import { drawnValues, drawStrips, type Strip } from './strips';

function sentence({ rows, caption, meaning, band }: RatiosBlock): string {
  const above = rows.filter(({ median }) => median > 1 + band).length;
  const below = rows.filter(({ median }) => median < 1 - band).length;
  return (
    `${caption}. ${meaning}. ${rows.length} rows: ${above} above 1, ${below} below it, ` +
    `${rows.length - above - below} within ${+(100 * band).toPrecision(3)} % of it. The numbers are in a table of this section.`
  );
}

function stripOf(row: RatiosBlock['rows'][number], heading: string | undefined): Strip {
  const { mark, tone } = verdictMark(row.verdict);
  const [median, low, high] = [row.median, row.low, row.high].map(value => value.toFixed(3));
  const said = `${mark} ${row.verdict}`;
  return {
    sampled: row,
    over: 1,
    tone: `ratio-${tone}`,
    numbers: `${median} (${low} … ${high}) ${said}`,
    brief: `${median} ${said}`,
    ...(heading === undefined ? {} : { heading }),
  };
}

export function drawRatios(block: RatiosBlock, frame: Frame): Tree {
  const { rows, band, meaning } = block;
  const strips = rows.map((row, index) =>
    stripOf(row, row.group && row.group !== rows[index - 1]?.group ? row.group : undefined),
  );
  const drawn = rangeOf(drawnValues(strips));
  const range = { least: Math.min(drawn.least, 1 - band), most: Math.max(drawn.most, 1 + band) };
  return drawStrips(
    {
      label: sentence(block),
      axis: meaning,
      strips,
      scale: (from, to, leastGap) => logarithmicScale(widened(range, 1.04), from, to, leastGap),
      line: { value: 1, least: 1 - band, most: 1 + band },
    },
    frame,
  );
}
