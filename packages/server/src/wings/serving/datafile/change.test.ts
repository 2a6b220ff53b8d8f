import type { DataFile } from '@svc/core'
import { compile } from '@svc/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { succeed } from '../../../../../sdk/src/data-file/held.ts'
import { patched } from '../../../../../sdk/src/data-file/patch.ts'
import { blocksOf, type FragmentChange, withChanges } from './blocks.ts'
import { fragmentText } from './bytes.ts'
import { changeBetween } from './change.ts'
import { type DataFileHead, dataFileOf, noSections, type StoredDataFile } from './file.ts'

const environment = { id: 'e', key: 'production' }
const publishedAt = new Date('2026-11-20T10:00:00Z')
const headOf = (revision: number, more: Partial<DataFileHead> = {}) => ({ environment, revision, publishedAt, ...more })

/** `text` makes the fragment larger. */
const fragmentOf = (key: string, text = '') =>
  fragmentText(key, {
    id: key,
    type: 'STRING',
    enabled: true,
    variations: { a: text },
    defaultVariation: 'a',
    rules: [],
  })
const fileWith = (keys: readonly string[], more: Partial<DataFileHead> = {}) =>
  dataFileOf(headOf(1, more), blocksOf(keys.map((key) => fragmentOf(key))))
const heldOf = (file: StoredDataFile) =>
  succeed(undefined, JSON.parse(file.bytes().toString()) as DataFile, file.etag, compile)

const someKey = fc.integer({ min: 0, max: 60 }).map((number) => `flag-${number}`)
/** A flag is added, changed, removed or gets a new key. */
const edit = fc.record({ key: someKey, to: fc.option(someKey), text: fc.string({ unit: 'grapheme' }) })

test('applying the change to the old file gives the new file, with the same content and ETag', () => {
  let changes = 0
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 8 }), { maxLength: 12 }), (revisions) => {
      let file = fileWith(['flag-1', 'flag-2', 'flag-3'])
      let held = heldOf(file)
      const keys = new Set(['flag-1', 'flag-2', 'flag-3'])
      for (const [index, edits] of revisions.entries()) {
        const done = edits.map(({ key, to, text }): FragmentChange => {
          const left = keys.delete(key) ? key : null
          if (to !== null) keys.add(to)
          return { leftKey: left === to ? null : left, fragment: to && fragmentOf(to, text) }
        })
        const revision = index + 2
        const next = dataFileOf(headOf(revision), withChanges(file.blocks, done), file)
        const change = changeBetween(file, next)!
        const told = { etag: next.etag, change: { ...change, publishedAt, flags: JSON.parse(change.flags) } }
        const taken = patched(held, revision, JSON.stringify(told))!
        held = succeed(held, taken.file, taken.etag, compile)
        expect(held.file).toEqual(JSON.parse(next.bytes().toString()))
        expect(held.etag).toBe(next.etag)
        file = next
        changes += 1
      }
    }),
  )
  expect(changes).toBeGreaterThan(100)
})

test('the change is the same if the node has read the whole file again', () => {
  const before = fileWith(['a', 'b', 'c'])
  const anew = dataFileOf(headOf(2), blocksOf([fragmentOf('a'), fragmentOf('c', 'new')]))
  expect(changeBetween(before, anew)).toEqual({ from: before.etag, flags: `{${fragmentOf('c', 'new')},"b":null}` })
})

test.each([
  ['an audience', { sections: { ...noSections, audiences: '"x":{"all":[]}' } }],
  ['a segment', { sections: { ...noSections, segments: '"x":{"ids":"","salt":""}' } }],
  ['an exclusion group', { sections: { ...noSections, exclusionGroups: '"1":{"salt":"","slots":[]}' } }],
  ['a holdout', { sections: { ...noSections, holdouts: '"1":{"salt":"","share":1}' } }],
  ['the environment’s key', { environment: { ...environment, key: 'live' } }],
])('there is no change to send if %s differs: clients must fetch the file', (_what, more) => {
  expect(changeBetween(fileWith(['a']), fileWith(['a'], more))).toBeNull()
})

test('a change that is too long for one line of a stream is not sent', () => {
  const before = fileWith(['a'])
  const next = (length: number) => dataFileOf(headOf(2), blocksOf([fragmentOf('a', 'x'.repeat(length))]))
  expect(changeBetween(before, next(7_000))).not.toBeNull()
  expect(changeBetween(before, next(8_000))).toBeNull()
})
