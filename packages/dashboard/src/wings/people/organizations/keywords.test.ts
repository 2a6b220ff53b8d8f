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
  [null, /^Every event/],
  [{ mode: 'INCLUDE', keywords: ['a', 'b'] } as const, /^Only events .*“a”, “b”\.$/],
  [{ mode: 'EXCLUDE', keywords: ['a'] } as const, /do not reach webhooks: “a”\.$/],
])('the filter %j in words', (filter, expected) => {
  expect(filterInWords(filter)).toMatch(expected)
})
