import { expect, it } from 'vitest'
import type { Segment } from './segment.ts'
import { actsAtOnce, editInWords, foundInWords, shownInWords, usesInWords } from './segment-words.ts'

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

it.each([
  ['replace', 0, 1400, 'Ada uploaded 1,400 ids'],
  ['replace', 1200, 1400, 'Ada replaced the list, from 1,200 to 1,400 ids,'],
  ['add', 3, 4, 'Ada added 1 id (4 in all),'],
  ['remove', 3, 1, 'Ada removed 2 ids (1 in all),'],
] as const)('a change by %s from %i to %i reads as a sentence', (edit, before, after, words) =>
  expect(editInWords({ edit, before, after, at: '', by: { type: 'user', id: null, name: 'Ada' } })).toBe(words),
)

it('says how many of the ids are shown', () => {
  expect([shownInWords(100, 1400), shownInWords(3, 3)]).toEqual(['The first 100 of 1,400 ids, in order.', ''])
})

it.each([
  [['u-4'], false, 'u-4 is in this segment.'],
  [['u-4', 'u-42'], false, 'u-4 is in this segment. 1 other id begins with it.'],
  [['u-42', 'u-43'], false, 'u-4 is not in this segment. 2 ids begin with it.'],
  [['u-42', 'u-43'], true, 'u-4 is not in this segment. At least 2 ids begin with it.'],
  [[], false, 'u-4 is not in this segment, and no id begins with it.'],
])('u-4 among %j is found in words', (ids, hasMore, words) => expect(foundInWords('u-4', ids, hasMore)).toBe(words))
