import { expect, test } from 'vitest'
import type { Change, Draft } from './draft.ts'
import { elementOf, stepOf } from './sentence.ts'

const text = (id: string, value: string): Change => ({
  ...{ id, type: 'TEXT', page: null, selector: `#${id}`, was: null, value },
})
const draft = (changes: Change[], css: string | null = null): Draft => ({ changes, css })

test.each<[step: string, before: Draft, after: Draft, words: string]>([
  ['a new change', draft([]), draft([text('a', 'A')]), 'Change the text of #a to “A”.'],
  ['another value', draft([text('a', 'A')]), draft([text('a', 'B')]), 'Change the text of #a to “B”.'],
  ['the end of a change', draft([text('a', 'A')]), draft([]), 'Removed: Change the text of #a to “A”.'],
  ['CSS', draft([text('a', 'A')]), draft([text('a', 'A')], 'h1 {}'), 'The CSS of the variation.'],
  [
    'another order',
    draft([text('a', 'A'), text('b', 'B')]),
    draft([text('b', 'B'), text('a', 'A')]),
    'The order of the changes.',
  ],
])('%s is one sentence', (_step, before, after, words) => {
  expect(stepOf(before, after)).toBe(words)
})

test('an element is its tag and its text', () => {
  expect(elementOf('h1', 'Our\n plans')).toBe('h1 “Our plans”')
  expect(elementOf('img', '')).toBe('img')
})
