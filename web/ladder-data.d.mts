// SPDX-License-Identifier: MIT
export const alphabet: string;
export function toBase85(bytes: Uint8Array): string;
