import { expect, it } from 'vitest'
import { staleWords } from './stale-words.ts'

const now = new Date('2026-11-23T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

it.each([
  [ago(31), ago(40), 'Stale: 31 days unused'],
  [ago(31), ago(100), 'Stale: 31 days unused'],
  [ago(1), ago(94), 'Stale: 94 days unchanged'],
  [null, ago(94), 'Stale: 94 days unchanged'],
  [undefined, ago(1_200), 'Stale: 1,200 days unchanged'],
])('evaluated at %s and edited at %s: %s', (evaluatedAt, updatedAt, words) => {
  expect(staleWords(evaluatedAt, updatedAt, now)).toBe(words)
})
