// SPDX-License-Identifier: MIT
export const kernels: string[];
export const shape: string;
export function sampleOf(trace: Record<string, unknown>): Record<string, unknown>;
