import { expect, it } from 'vitest'
import { filterInShort, filterInWords, previewInWords } from './filter-words.ts'

it.each([
  [null, /every event/],
  [{ mode: 'INCLUDE', keywords: ['a', 'b'] } as const, /only events .*“a”, “b”\.$/],
  [{ mode: 'EXCLUDE', keywords: ['a'] } as const, /no events .*: “a”\.$/],
])('a sentence describes the filter %j', (filter, expected) => {
  expect(filterInWords(filter)).toMatch(expected)
})

it('a sentence describes a filter in short', () => {
  expect(filterInShort({ mode: 'EXCLUDE', keywords: ['sandbox'] })).toBe('Organization filter: leaves out “sandbox”.')
  expect(filterInShort({ mode: 'INCLUDE', keywords: ['a', 'b'] })).toBe(
    'Organization filter: lets through only “a”, “b”.',
  )
})

it.each([
  [{ events: 0, passed: 0 }, 7, 'No event happened in the last 7 days.'],
  [{ events: 1, passed: 1 }, 1, 'The one event of the last day passes.'],
  [{ events: 1, passed: 0 }, 1, 'The one event of the last day does not pass.'],
  [{ events: 812, passed: 812 }, 30, 'All 812 events of the last 30 days pass.'],
  [{ events: 812, passed: 0 }, 7, 'None of the 812 events of the last 7 days passes.'],
  [{ events: 1812, passed: 1 }, 7, 'Of 1,812 events in the last 7 days, 1 passes.'],
  [{ events: 812, passed: 640 }, 7, 'Of 812 events in the last 7 days, 640 pass.'],
])('a sentence sums up %o in %i days', (counts, days, words) => expect(previewInWords(counts, days)).toBe(words))
