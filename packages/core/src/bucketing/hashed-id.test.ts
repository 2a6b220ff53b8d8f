import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileCondition } from '../conditions/conditions.ts'
import { compile } from '../evaluate.ts'
import { hashedIdDigits, hashId, holdsHash } from './hashed-id.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, hashedIdDigits)

test('the hash is SHA-256 of salt and id, for ids of any length', () => {
  for (let length = 0; length < 300; length++) expect(hashId('', 'x'.repeat(length))).toBe(sha256('x'.repeat(length)))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (salt, id) => {
      expect(hashId(salt, id)).toBe(sha256(salt + id))
    }),
  )
})

test('every hash of a sorted list is found, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.string(), (ids, other) => {
      const hashes = ids.map((id) => hashId('s', id)).sort()
      for (const hash of hashes) expect(holdsHash(hashes.join(''), hash)).toBe(true)
      expect(holdsHash(hashes.join(''), hashId('s', other))).toBe(ids.includes(other))
    }),
  )
})

test('a segment contains targeting keys as strings or numbers, but no visitor without a key', () => {
  const ids = ['u-17', '7'].map((id) => hashId('salt', id)).sort()
  const segments = { s: { salt: 'salt', ids: ids.join('') } }
  const inSegment = compileCondition({ segment: 's' }, { segments })
  expect([{ targetingKey: 'u-17' }, { targetingKey: 7 }].map((context) => inSegment(context))).toEqual([true, true])
  for (const context of [{ targetingKey: 'u-18' }, { targetingKey: '' }, {}, null])
    expect(inSegment(context)).toBe(false)
  expect(compileCondition({ segment: 'other' }, { segments })({ targetingKey: 'u-17' })).toBe(false)
  const audience = compileCondition({ audience: 'a' }, { audiences: { a: { not: { segment: 's' } } }, segments })
  expect(audience({ targetingKey: 'u-17' })).toBe(false)
})

test('a malformed segment is refused', () => {
  expect(() => compileCondition({ segment: 's' }, { segments: { s: { salt: 's' } as never } })).toThrow()
})

test('overrides name visitors by hash if the flag has a salt, and in clear otherwise', () => {
  const rule = {
    id: 'r',
    type: 'TARGETED_DELIVERY' as const,
    when: { any: [] },
    bucketBy: ['targetingKey'],
    hashVersion: 1,
    salt: 'r',
    traffic: 10_000,
    variation: 'on',
  }
  const reasons = (overrideSalt: string | undefined, nameOf: (id: string) => string) => {
    const flag = {
      id: 'f',
      type: 'BOOLEAN' as const,
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      ...(overrideSalt !== undefined && { overrideSalt }),
      overrides: { [nameOf('u-1')]: 'on' },
      rules: [{ ...rule, overrides: { [nameOf('u-2')]: 'on' } }],
    }
    const { evaluate } = compile({ ...emptyFile, flags: { f: flag } })
    const given = ['u-1', 'u-2', 'u-3', nameOf('u-1')].map((targetingKey) => evaluate('f', { targetingKey }))
    return given.map(({ reason, ruleId }) => `${reason} ${ruleId}`)
  }
  const [first, second, third] = ['OVERRIDE null', 'OVERRIDE r', 'DEFAULT null']
  expect(reasons('f.', (id) => hashId('f.', id))).toEqual([first, second, third, third])
  expect(reasons('', (id) => hashId('', id))).toEqual([first, second, third, third])
  expect(reasons(undefined, (id) => id)).toEqual([first, second, third, first])
  expect(reasons(7 as never, (id) => id)).toEqual(['u-1', 'u-2', 'u-3', 'u-1'].map(() => 'ERROR null'))
})

const emptyFile = {
  schemaVersion: 1 as const,
  revision: 1,
  environment: { id: 'e', key: 'production' },
  publishedAt: null,
  audiences: {},
  exclusionGroups: {},
  events: {},
}
