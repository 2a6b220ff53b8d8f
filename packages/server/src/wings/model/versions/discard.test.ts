import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../testing/full.ts'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { withDraft } from './authorship.ts'
import { differences } from './difference.ts'
import { discarded } from './discard.ts'
import type { Authorship, RuleDefinition, Version } from './version.ts'

const a = deliveryRule('a')
const b = deliveryRule('b')
const c = deliveryRule('c')
const blue = { id: 'v-blue', key: 'blue', value: 'blue' }
const listOf = (ruleId: string) => ({
  environmentAllowlist: [],
  ruleAllowlists: [{ ruleId, entries: [{ variationId: on.id, userIds: ['u-1'] }] }],
})

test.each<[string, Version, Version, string[], Version]>([
  [
    'an edited field gets its live value, and other fields stay',
    versionOf([a]),
    versionOf([{ ...a, name: 'New', trafficAllocation: 100 }]),
    ['rules.a.trafficAllocation'],
    versionOf([{ ...a, name: 'New' }]),
  ],
  [
    'the variation of a rule goes back',
    versionOf([a]),
    versionOf([{ ...a, variationId: off.id }]),
    ['rules.a.variationKey'],
    versionOf([a]),
  ],
  ['a new rule leaves', versionOf([a]), versionOf([b, a, c]), ['rules.b'], versionOf([a, c])],
  [
    'a deleted rule returns to its place',
    versionOf([a, b, c]),
    versionOf([deliveryRule('d'), a, c]),
    ['rules.b'],
    versionOf([deliveryRule('d'), a, b, c]),
  ],
  [
    'moved rules go back, and new rules keep their places',
    versionOf([a, b, c]),
    versionOf([c, deliveryRule('d'), b, a]),
    ['ruleOrder'],
    versionOf([a, deliveryRule('d'), b, c]),
  ],
  [
    'the value of a variation goes back',
    versionOf(),
    versionOf([], {
      variations: [
        { ...on, key: 'yes', value: 'x' },
        { ...off, value: 'y' },
      ],
    }),
    ['variations.on'],
    versionOf([], { variations: [on, { ...off, value: 'y' }] }),
  ],
  [
    'a new variation with a key that was live is named by its id',
    versionOf(),
    versionOf([], { variations: [{ ...on, key: 'yes' }, off, { ...blue, key: 'on' }] }),
    ['variations.v-blue'],
    versionOf([], { variations: [{ ...on, key: 'yes' }, off] }),
  ],
])('%s', (_what, live, draft, paths, expected) => {
  expect(discarded({ live, draft }, paths)).toEqual(expected)
})

const withBlue = { variations: [on, off, blue] }
const split = (first: string, second: string) => [
  { variationId: first, weight: 5000 },
  { variationId: second, weight: 5000 },
]

test.each<[string, Version, Version, string, string]>([
  [
    'a new variation that a rule serves',
    versionOf([a]),
    versionOf([{ ...a, variationId: blue.id }], withBlue),
    'variations.blue',
    'rules.a.variationKey',
  ],
  [
    'a new variation that a new rule serves',
    versionOf(),
    versionOf([{ ...a, variationId: blue.id }], withBlue),
    'variations.blue',
    'rules.a',
  ],
  [
    'a new variation that is the default',
    versionOf(),
    versionOf([], { ...withBlue, defaultVariationId: blue.id }),
    'variations.blue',
    'defaultVariationKey',
  ],
  [
    'a deleted rule that serves a removed variation',
    versionOf([{ ...a, variationId: blue.id }], withBlue),
    versionOf(),
    'rules.a',
    'variations.blue',
  ],
  ['a new rule with an allowlist', versionOf(), versionOf([a], { overrides: listOf('a') }), 'rules.a', 'overrides'],
  ['the allowlist of a deleted rule', versionOf([a], { overrides: listOf('a') }), versionOf(), 'overrides', 'rules.a'],
  [
    'the variations of a test without its baseline',
    versionOf([abTest('a')], withBlue),
    versionOf([abTest('a', { variations: split(on.id, blue.id), baselineVariationId: blue.id })], withBlue),
    'rules.a.variations',
    'rules.a.baselineVariationKey',
  ],
  [
    'one of two keys that were swapped',
    versionOf(),
    versionOf([], {
      variations: [
        { ...on, key: 'off' },
        { ...off, key: 'on' },
      ],
    }),
    'variations.on',
    'variations.off',
  ],
])('%s cannot be discarded alone', (_what, live, draft, path, needed) => {
  const message = `${path} cannot be discarded without ${needed}. Discard both.`
  expect(discarded({ live, draft }, [path])).toEqual({ issues: [{ path: ['paths', 0], message }] })
  expect(discarded({ live, draft }, [path, needed])).not.toHaveProperty('issues')
})

test('each path at which nothing is staged is named with its place', () => {
  const versions = { live: versionOf([a]), draft: versionOf([{ ...a, name: 'New' }]) }
  expect(discarded(versions, ['rules.a.salt', 'rules.a.name', 'ruleOrder'])).toEqual({
    issues: [
      { path: ['paths', 0], message: 'Nothing is staged at rules.a.salt. Read the list again.' },
      { path: ['paths', 2], message: 'Nothing is staged at ruleOrder. Read the list again.' },
    ],
  })
})

const pool = [on, off, blue, { id: 'v-red', key: 'red', value: 'red' }]
const variations = fc
  .shuffledSubarray(pool, { minLength: 2 })
  .chain((chosen) =>
    fc.tuple(fc.constant(chosen), fc.boolean(), fc.shuffledSubarray(['on', 'off', 'blue', 'red'], { minLength: 4 })),
  )
  .map(([chosen, renames, keys]) =>
    chosen.map((variation, place) => (renames ? { ...variation, key: keys[place]!, value: 'new' } : variation)),
  )

/** A valid version: whatever it names is in it. */
const anyVersion: fc.Arbitrary<Version> = variations.chain((held) => {
  const variationId = fc.constantFrom(...held.map(({ id }) => id))
  const name = fc.constantFrom('One', 'Two')
  const delivered = (id: string) =>
    fc
      .record({ variationId, name, trafficAllocation: fc.constantFrom(100, 10_000) })
      .map((edit) => deliveryRule(id, edit))
  const tested = (id: string) =>
    fc.record({ first: variationId, swaps: fc.boolean(), name }).map(({ first, swaps, name }) => {
      const second = held.find(({ id }) => id !== first)!.id
      return abTest(id, { name, variations: split(first, second), baselineVariationId: swaps ? second : first })
    })
  const rules: fc.Arbitrary<RuleDefinition[]> = fc
    .shuffledSubarray(['a', 'b', 'c', 'd', 'e'])
    .chain((ids) => fc.tuple(...ids.map((id) => (id < 'c' ? tested(id) : delivered(id)))))
  return rules.chain((rules) =>
    fc.record({
      variations: fc.constant(held),
      pausedVariationId: variationId,
      defaultVariationId: variationId,
      overrides: fc.tuple(fc.subarray(rules.map(({ id }) => id)), variationId).map(([ids, of]) => ({
        environmentAllowlist: [],
        ruleAllowlists: ids.map((ruleId) => ({ ruleId, entries: [{ variationId: of, userIds: ['u-1'] }] })),
      })),
      rules: fc.constant(rules),
    }),
  )
})

const pathsOf = (live: Version, draft: Version) => differences(live, draft).map(({ path }) => path)

/** Discards a path with what it needs. */
function discardWith(live: Version, draft: Version, path: string): { next: Version; paths: string[] } {
  const paths = [path]
  for (;;) {
    const next = discarded({ live, draft }, paths)
    if (!('issues' in next)) return { next, paths }
    const needed = next.issues.map(({ message }) => /without (\S+)\. /.exec(message)![1]!)
    expect(needed.filter((each) => !paths.includes(each))).not.toEqual([])
    paths.push(...new Set(needed))
  }
}

test('discarding everything, at once or in any order, gives the live version', () => {
  fc.assert(
    fc.property(anyVersion, anyVersion, fc.infiniteStream(fc.nat(1000)), (live, draft, choices) => {
      expect(discarded({ live, draft }, pathsOf(live, draft))).toEqual(live)
      let next = draft
      for (;;) {
        const left = pathsOf(live, next)
        if (left.length === 0) break
        next = discardWith(live, next, left[choices.next().value! % left.length]!).next
      }
      expect(next).toEqual(live)
    }),
    { numRuns: runsOf(300) },
  )
})

test('discarding one change leaves all others, with their authors', () => {
  const by = (name: string) => ({ actor: { type: 'user', id: name, name }, now: new Date(0) })
  fc.assert(
    fc.property(anyVersion, anyVersion, fc.nat(1000), (live, draft, choice) => {
      const all = pathsOf(live, draft)
      fc.pre(all.length > 0)
      const { next, paths } = discardWith(live, draft, all[choice % all.length]!)
      const left = all.filter((path) => !paths.includes(path))
      expect(pathsOf(live, next).sort()).toEqual(left.toSorted())
      const row = withDraft({ live, draft: live, stagedBy: {} as Authorship }, draft, by('Ada'))
      const { stagedBy } = withDraft(row, next, by('Bo'))
      expect(Object.entries(stagedBy).map(([path, edit]) => [path, edit.by.name])).toEqual(
        expect.arrayContaining(left.map((path) => [path, 'Ada'])),
      )
    }),
    { numRuns: runsOf(300) },
  )
})
