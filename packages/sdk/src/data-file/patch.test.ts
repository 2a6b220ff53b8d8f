import { compile } from '@svc/core'
import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../../test/datafile.ts'
import { succeed } from './held.ts'
import { patched } from './patch.ts'

const held = succeed(undefined, datafileOf(5, { checkout: flagOf(false), old: flagOf(true) }), '"five"', compile)
const publishedAt = '2026-11-20T11:00:00.000Z'
const change = { from: '"five"', publishedAt, flags: { checkout: flagOf(true), old: null, fresh: flagOf('x') } }
const event = (changed: object = {}) => JSON.stringify({ etag: '"six"', change: { ...change, ...changed } })

it('makes the newer file and leaves the one held unchanged', () => {
  const before = structuredClone(held.file)
  expect(patched(held, 6, event())).toEqual({
    file: { ...before, revision: 6, publishedAt, flags: { checkout: flagOf(true), fresh: flagOf('x') } },
    etag: '"six"',
  })
  expect(held.file).toEqual(before)
})

it.each([
  ['a different file is held', held, event({ from: '"four"' })],
  ['no file is held', undefined, event()],
  ['the ETag of the file held is not known', { ...held, etag: null }, event({ from: null })],
  ['the event of an older service has no change', held, '{"type":"refetchEvaluation","etag":"\\"six\\""}'],
  ['the flags are not an object', held, event({ flags: null })],
  ['the data is not JSON', held, 'x'],
  ['the data is empty', held, ''],
  ['the data is a different kind of JSON', held, 'null'],
])('returns undefined when %s', (_why, has, data) => {
  expect(patched(has, 6, data)).toBeUndefined()
})

it('recognizes the file by an ETag that a proxy made weak', () => {
  expect(patched({ ...held, etag: 'W/"five"' }, 6, event())?.etag).toBe('"six"')
})

it('accepts a flag of any name', () => {
  const data = `{"etag":"e","change":{"from":"\\"five\\"","publishedAt":null,"flags":{"__proto__":{"id":"f"}}}}`
  const flags = patched(held, 6, data)!.file.flags
  expect(Object.keys(flags)).toContain('__proto__')
  expect(Object.getPrototypeOf(flags)).toBe(Object.prototype)
})
