import * as parts from './rare-parts.ts'

/** The parts of an evaluation that few data files need. The browser scripts have `rare.page.ts` in place of this. */
export const rare = parts

/** Loads what is missing to evaluate this file; undefined if nothing is. */
export const loadRare = (_file: object): Promise<unknown> | undefined => undefined
