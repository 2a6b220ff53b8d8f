import { expect, it } from 'vitest'
import { filterInWords, keywordsIn } from './keywords.ts'

it.each([
  ['', []],
  ['  \n\n', []],
  ['checkout', ['checkout']],
  [' checkout \r\nnew home\ncheckout\n', ['checkout', 'new home']],
])('reads the keywords in %j', (text, expected) => {
  expect(keywordsIn(text)).toEqual(expected)
})

it.each([
  [null, /every event/],
  [{ mode: 'INCLUDE', keywords: ['a', 'b'] } as const, /only events .*“a”, “b”\.$/],
  [{ mode: 'EXCLUDE', keywords: ['a'] } as const, /no events .*: “a”\.$/],
])('describes the filter %j', (filter, expected) => {
  expect(filterInWords(filter)).toMatch(expected)
})
