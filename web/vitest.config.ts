// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

// One file after another: the browser tests measure time, and the machine may have two cores.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: 'tests/page.setup.ts',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
