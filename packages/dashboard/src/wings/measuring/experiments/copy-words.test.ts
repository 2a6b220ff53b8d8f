import { expect, test } from 'vitest'
import { copyWords } from './copy-words.ts'

test.each([
  [null, null, 'Copy made. It is a draft.'],
  ['g', 'g', 'Copy made. It is a draft.'],
  [
    'g',
    null,
    'Copy made. It is a draft. It belongs to no exclusion group, because the one of the original was deleted.',
  ],
])('a copy of a test in the group %s that is in %s', (original, copy, words) => {
  expect(copyWords({ exclusionGroupId: original }, { name: 'Copy', exclusionGroupId: copy })).toBe(words)
})
