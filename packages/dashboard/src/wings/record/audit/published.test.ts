import { expect, it } from 'vitest'
import { publishedIn } from './published.ts'

it.each([
  ['flags and the comment', { flags: [{ key: 'checkout' }], comment: 'Half' }, { things: 'checkout', comment: 'Half' }],
  [
    'flags and audiences',
    { flags: [{ key: 'a' }], audiences: [{ name: 'Beta users' }] },
    { things: 'a and Beta users', comment: null },
  ],
  ['nothing that is named', { revision: 7 }, { things: 'the changes', comment: null }],
])('a publish of %s', (_what, after, expected) => {
  expect(publishedIn({ action: 'environment.publish', after })).toEqual(expected)
})

it('no other entry is a publish', () => {
  expect(publishedIn({ action: 'flag.run', after: { comment: 'no' } })).toBeUndefined()
})
