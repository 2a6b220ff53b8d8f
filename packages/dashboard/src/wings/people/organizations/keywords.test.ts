import { expect, it } from 'vitest'
import { filterInWords, keywordsIn } from './keywords.ts'

it.each([
  ['', []],
  ['  \n\n', []],
  ['checkout', ['checkout']],
  [' checkout \r\nnew home\ncheckout\n', ['checkout', 'new home']],
])('the keywords in %j', (text, expected) => {
  expect(keywordsIn(text)).toEqual(expected)
})

it.each([
  [null, /every event/],
  [{ mode: 'INCLUDE', keywords: ['a', 'b'] } as const, /only events .*“a”, “b”\.$/],
  [{ mode: 'EXCLUDE', keywords: ['a'] } as const, /no events .*: “a”\.$/],
])('the filter %j in words', (filter, expected) => {
  expect(filterInWords(filter)).toMatch(expected)
})
