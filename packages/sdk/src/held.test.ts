import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../test/datafile.ts'
import type { Held } from './held.ts'
import { isNewer, succeed } from './held.ts'

const held = (succeed(undefined, datafileOf(5, { a: flagOf(true) }), '"5"') as { next: Held }).next
const elsewhere = { environment: { id: 'e-2', key: 'staging' } }

it('takes the first file without reporting changes', () => {
  expect(held.file.revision).toBe(5)
  expect(held.evaluator.evaluate('a', {}).value).toBe(true)
})

it.each([
  ['takes a higher revision', datafileOf(6), { next: { file: { revision: 6 }, etag: '"new"' }, changed: ['a'] }],
  ['takes only the ETag of the same revision', datafileOf(5), { next: { file: held.file, etag: '"new"' } }],
  [
    'takes the same revision with a different time',
    datafileOf(5, {}, { publishedAt: '2026-11-20T11:00:00.000Z' }),
    { next: { file: { revision: 5 }, etag: '"new"' }, changed: ['a'] },
  ],
  ['refuses a lower revision', datafileOf(4), { fault: new Error('revision 4 is older than 5') }],
  [
    'takes a lower revision of a different environment',
    datafileOf(1, {}, elsewhere),
    { next: { file: { revision: 1 } }, changed: ['a'] },
  ],
  ['takes the same revision of a different environment', datafileOf(5, {}, elsewhere), { changed: ['a'] }],
])('%s', (_name, file, expected) => {
  expect(succeed(held, file, '"new"')).toMatchObject(expected)
})

it.each([undefined, null, {}, { id: 7 }])('refuses a lower revision when the environment is %j', (environment) => {
  const file = { ...datafileOf(4), environment } as never
  expect([succeed(held, file, null), isNewer(file, held)]).toMatchObject([{ fault: expect.any(Error) }, false])
})

it('compares files without an environment by revision', () => {
  const bare = (revision: number) => JSON.parse(`{"schemaVersion":1,"revision":${revision},"flags":{}}`)
  const { next } = succeed(undefined, bare(2), null) as { next: Held }
  expect(succeed(next, bare(1), null)).toHaveProperty('fault')
  expect(succeed(next, bare(3), null)).toHaveProperty('changed', [])
})
