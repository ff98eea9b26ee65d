// SPDX-License-Identifier: MIT
//
// What build.mjs makes of the kernels and the records; see ladder-data.mjs.
declare module 'virtual:ladder' {
  export const names: string[];
  export const packed: { text: string; alphabet: string; length: number };
}
