// SPDX-License-Identifier: MIT
//
// The one model of the pages: no page computes a count or a bound by itself.
export * from './bound';
export * from './exact';
export * from './order';
export * from './phases';
export * from './roofline';
export * from './splits';
export * from './traffic';
