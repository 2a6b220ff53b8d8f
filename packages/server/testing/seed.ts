import { randomInt } from 'node:crypto'
import { isFull } from './full.ts'

const given = process.env.SVC_TEST_SEED

/**
 * The seed of generated data. It is the same in each run, so that a change cannot fail because of other data. A full
 * run looks for new cases. `SVC_TEST_SEED` repeats one of them.
 */
export const seed: number = given ? Number(given) : isFull ? randomInt(2 ** 31) : 20_261_129
