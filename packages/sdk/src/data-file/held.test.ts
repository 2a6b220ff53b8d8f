import { compile, type DataFile } from '@svc/core'
import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../../test/datafile.ts'
import type { Held } from './held.ts'
import { isNewer, succeed } from './held.ts'

const follow = (held: Held | undefined, file: DataFile, etag: string | null) => succeed(held, file, etag, compile)
const held = follow(undefined, datafileOf(5, { a: flagOf(true) }), '"5"')
const elsewhere = { environment: { id: 'e-2', key: 'staging' } }

it('takes the first file', () => {
  expect(held.file.revision).toBe(5)
  expect(held.evaluator.evaluate('a', {}).value).toBe(true)
})

it.each([
  ['takes a higher revision', datafileOf(6), { file: { revision: 6 }, etag: '"new"' }],
  ['takes only the ETag of the same revision', datafileOf(5), { file: held.file, etag: '"new"' }],
  [
    'takes the same revision with a different time',
    datafileOf(5, {}, { publishedAt: '2026-11-20T11:00:00.000Z' }),
    { file: { publishedAt: '2026-11-20T11:00:00.000Z' }, etag: '"new"' },
  ],
  ['takes a lower revision of a different environment', datafileOf(1, {}, elsewhere), { file: { revision: 1 } }],
  [
    'takes the same revision of a different environment',
    datafileOf(5, {}, elsewhere),
    { file: { environment: { id: 'e-2' } } },
  ],
])('%s', (_name, file, expected) => {
  expect(follow(held, file, '"new"')).toMatchObject(expected)
})

it.each([undefined, null, {}, { id: 7 }])('refuses a lower revision when the environment is %j', (environment) => {
  const file = { ...datafileOf(4), environment } as never
  expect(() => follow(held, file, null)).toThrow('revision 4 is older than 5')
  expect(isNewer(file, held)).toBe(false)
})

it('compares files without an environment by revision', () => {
  const bare = (revision: number) => JSON.parse(`{"schemaVersion":1,"revision":${revision},"flags":{}}`)
  const next = follow(undefined, bare(2), null)
  expect(() => follow(next, bare(1), null)).toThrow('older')
  expect(follow(next, bare(3), null).file.revision).toBe(3)
})
