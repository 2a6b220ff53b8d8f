import { expect, it } from 'vitest'
import { startWords } from './start-words.ts'

const start = {
  flag: { name: 'Checkout', status: 'PAUSED' },
  ...{ place: 'Production', isFlagRunning: false, isFirstRun: false, others: [] },
}

it.each([
  [{ isFlagRunning: true }, { runs: false }],
  [
    {},
    {
      runs: true,
      words: 'Checkout is paused in Production, and this runs it first. No other rule begins to serve with it.',
    },
  ],
  [
    { others: ['Staff'] },
    {
      runs: true,
      words: 'Checkout is paused in Production, and this runs it first. With it, another rule begins to serve: Staff.',
    },
  ],
  [
    { isFirstRun: true, others: ['A', 'B'] },
    {
      runs: true,
      words:
        'Checkout is paused in Production, and this runs it first. It was never published there, so its draft is published. With it, 2 other rules begin to serve: A and B.',
    },
  ],
  [
    { flag: { name: 'Checkout', status: 'ARCHIVED' } },
    { runs: false, refused: 'Checkout is archived. Unarchive it, and run it in Production first.' },
  ],
])('%j: %j', (given, words) => {
  expect(startWords({ ...start, ...given })).toEqual(words)
})
