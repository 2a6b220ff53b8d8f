import { it } from 'vitest'
import { isFull } from './full.ts'

/** What files use of `it`: it and its `each`. */
const leftOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it

/**
 * `it` of a test that only a full run does, because another file keeps its promise in each run. In other runs there is
 * no such test.
 *
 * @param _keeper the end of that file's path without `.test.ts`, such as `flags/flags/routes`. `npm run documents`
 *   prints all into `bench/suite/in-full.md`, and refuses one that no file or several files have
 */
export const inFull = (_keeper: string): typeof it => (isFull ? it : leftOut)
