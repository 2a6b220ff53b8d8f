import { hashId } from '@svc/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../canonical-json.ts'
import { namesBy } from './names.ts'
import { audiencePart, hashVisitor, type Part, parsePart, partChanges, segmentPart, segmentSalt } from './parts.ts'

const part = (id: string, text: string): Part => ({ section: 'audiences', id, part: text })

test.each([
  ['no parts before', [], [part('a', '1')], [{ ...part('a', '1'), before: null }]],
  ['the same', [part('a', '1')], [part('a', '1')], []],
  ['another text', [part('a', '1')], [part('a', '2')], [{ ...part('a', '2'), before: '1' }]],
  ['no parts afterwards', [part('a', '1')], [], [{ section: 'audiences', id: 'a', before: '1', part: null }]],
])('finds the changes with %s', (_what, before, wanted, changes) =>
  expect(partChanges(before, wanted)).toEqual(changes),
)

test('a part is written as canonical JSON', () => {
  const test = { value: 1, attribute: 'b', operator: 'equals' as const }
  const live = { not: { any: [test, { segment: 's' }] } }
  const audience = audiencePart({ id: 'a', shortId: 12, live }, namesBy({ s: 3 }))
  const named = { not: { any: [test, { segment: '3' }] } }
  expect(audience).toEqual({ section: 'audiences', id: 'a', part: canonicalJson({ 12: named }).slice(1, -1) })
  expect(parsePart(audience.part)).toEqual(named)
  const { part } = segmentPart({ id: 's', shortId: 3 }, 'salt', ['bb', 'aa'])
  expect(`{${part}}`).toBe(canonicalJson({ 3: { salt: 'salt', ids: 'aabb' } }))
})

test('members are hashed in the same way as in SDKs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      expect(hashVisitor(segmentSalt('e', 's'), id)).toBe(hashId(segmentSalt('e', 's'), id))
    }),
  )
})
