// SPDX-License-Identifier: MIT
import { choice, type Values } from '../../page/fields';
import { rungNames } from './data';

const sizes = { '512': '512³', '1024': '1024³', '2048': '2048³', '4096': '4096³' };

export const fields = {
  rung: choice('Rung', Object.fromEntries(rungNames.map(name => [name, name])), rungNames[0] ?? ''),
  size: choice('Measured at', sizes, '4096'),
  show: choice(
    'Show',
    {
      page: 'its page',
      source: 'its source',
      change: 'what changed from the rung before',
      numbers: 'predictions and measurements',
      warp: 'how a warp accesses memory',
    },
    'page',
  ),
};

export type Settings = Values<typeof fields>;
