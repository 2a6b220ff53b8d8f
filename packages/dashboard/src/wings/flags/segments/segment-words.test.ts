import { expect, it } from 'vitest'
import type { Segment } from './segment.ts'
import { actsAtOnce, usesInWords } from './segment-words.ts'

const rules = (count: number): Segment['usedBy'] =>
  Array.from({ length: count }, (_, at) => ({ type: 'rule', id: `r${at}`, flagId: 'f', envId: 'e' }))
const audience: Segment['usedBy'][number] = { type: 'audience', id: 'a' }

it.each([
  [[], undefined],
  [rules(3), '3 rules'],
  [[...rules(1), audience], '1 rule and 1 audience'],
  [[...rules(100), audience], '100 rules or more and 1 audience'],
])('%#: is used by %s', (usedBy, words) => {
  expect(usesInWords(usedBy)).toBe(words)
  expect(actsAtOnce({ usedBy })).toContain(words ?? 'The segment is unused')
})
