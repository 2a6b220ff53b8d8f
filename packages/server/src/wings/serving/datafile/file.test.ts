import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../canonical-json.ts'
import { type Block, blocksOf, type FragmentChange, withChanges } from './blocks.ts'
import { fragmentText, keyOf } from './bytes.ts'
import { dataFileOf, type StoredDataFile } from './file.ts'

const environment = { id: 'e', key: 'production' }
const publishedAt = new Date('2026-11-20T10:00:00Z')
const fragmentOf = (key: string, id: string = key) =>
  fragmentText(key, {
    id,
    type: 'BOOLEAN',
    enabled: true,
    variations: { on: 'true', off: 'false' },
    defaultVariation: 'off',
    rules: [],
  })

const fileOf = (blocks: readonly Block[], revision = 3, before?: StoredDataFile) =>
  dataFileOf({ environment, revision, publishedAt }, blocks, before)
const added = (fragment: string): FragmentChange => ({ leftKey: null, fragment })
const sha256 = (bytes: Buffer) => `"sha256-${createHash('sha256').update(bytes).digest('hex')}"`

test('the whole file is canonical JSON', () => {
  const { bytes } = fileOf(blocksOf(['zebra', 'apple', '10', '9'].map((key) => fragmentOf(key))))
  const file = JSON.parse(bytes().toString())
  expect(bytes().toString()).toBe(canonicalJson(file))
  expect(file).toMatchObject({ schemaVersion: 1, revision: 3, publishedAt: '2026-11-20T10:00:00.000Z' })
})

test('a change to one flag keeps the objects of all other blocks', () => {
  const keys = Array.from({ length: 5000 }, (_, number) => `flag-${number}`)
  const blocks = blocksOf(keys.map((key) => fragmentOf(key)))
  const next = withChanges(blocks, [added(fragmentOf('flag-2500', 'another'))])
  expect(blocks.length).toBeGreaterThan(20)
  expect(next.filter((block) => !blocks.includes(block))).toHaveLength(1)
})

const someKey = fc.integer({ min: 0, max: 400 }).map((number) => `flag-${number}`)
/** A flag is added, changed, removed or gets a new key. */
const edit = fc.record({ key: someKey, to: fc.option(someKey), size: fc.integer({ min: 0, max: 3000 }) })

test('a file built from changes has the bytes of a file built from scratch, and its ETag is their SHA-256', () => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 60 }), { maxLength: 12 }), (revisions) => {
      const flags = new Map<string, string>()
      let file = fileOf([], 0)
      for (const [index, edits] of revisions.entries()) {
        const changes = edits.map(({ key, to, size }): FragmentChange => {
          const left = flags.delete(key) ? key : null
          if (to === null) return { leftKey: left, fragment: null }
          const fragment = fragmentOf(to, 'x'.repeat(size))
          flags.set(to, fragment)
          return { leftKey: left === to ? null : left, fragment }
        })
        file = fileOf(withChanges(file.blocks, changes), index + 1, file)
        const anew = fileOf(blocksOf([...flags.values()]), index + 1)
        expect(file.bytes().equals(anew.bytes())).toBe(true)
        expect(file.etag).toBe(sha256(file.bytes()))
        expect(anew.etag).toBe(file.etag)
        expect(file.size).toBe(file.bytes().length)
        expect(file.blocks.flatMap(({ fragments }) => fragments.map(keyOf))).toEqual([...flags.keys()].sort())
      }
    }),
    { numRuns: 30 },
  )
})
