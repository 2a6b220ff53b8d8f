import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { audienceChanges, flagChanges, type StoredFlag, switchOf } from './changes.ts'

const [a, b] = [deliveryRule('a'), deliveryRule('b')]

/** A flag that serves the rules with these letters; null while it is paused, undefined while it is in no file. */
const stored = (served: string | null | undefined, live = versionOf([a, b]), key = 'checkout'): StoredFlag => ({
  key,
  live,
  fragment: served === undefined ? null : `"${key}":${JSON.stringify(fragment(served))}`,
})

const fragment = (served: string | null) =>
  served === null
    ? { enabled: false }
    : { enabled: true, rules: [...served].map((letter) => ({ id: String(letter.charCodeAt(0) - 96) })) }

test.each<[string, StoredFlag | null, StoredFlag, unknown[]]>([
  ['a new flag', null, stored(null), []],
  ['nothing', stored('ab'), stored('ab'), []],
  ['a key', stored('ab'), stored('ab', versionOf([a, b]), 'cart'), [['key', 'checkout', 'cart', []]]],
  ['a run', stored(null), stored('ab'), [['enabled', false, true, []]]],
  ['a pause', stored('a'), stored(null), [['enabled', true, false, []]]],
  ['the switch of a rule', stored('ab'), stored('a'), [['rules.b.enabled', true, false, ['Rule b']]]],
  ['a new rule', stored('a', versionOf([a])), stored('ab'), [['rules.b', null, expect.anything(), ['Rule b']]]],
  [
    'an edit while paused',
    stored(null),
    stored(null, versionOf([a, b], { defaultVariationId: on.id })),
    [['defaultVariationKey', 'off', 'on', []]],
  ],
  [
    'the archive, with an edit before it',
    stored('ab'),
    stored(undefined, versionOf([a, { ...b, variationId: off.id }])),
    [['rules.b.variationKey', 'on', 'off', ['Rule b']]],
  ],
])('a revision with %s', (_what, before, after, expected) => {
  const changes = flagChanges(before, after)
  expect(changes.map(({ path, from, to, rules }) => [path, from, to, rules.map(({ name }) => name)])).toEqual(expected)
})

test.each<[string, StoredFlag, StoredFlag, unknown]>([
  ['ran a flag', stored(null), stored('ab'), { what: 'FLAG', to: 'RUN' }],
  ['ran a flag that was in no file', stored(undefined), stored('ab'), { what: 'FLAG', to: 'RUN' }],
  ['paused a flag', stored('ab'), stored(null), { what: 'FLAG', to: 'PAUSE' }],
  ['ran a rule', stored('b'), stored('ab'), { what: 'RULE', to: 'RUN' }],
  ['paused a rule', stored('ab'), stored('b'), { what: 'RULE', to: 'PAUSE' }],
  ['ran a rule that had served, with a new version', stored('ab'), stored('ab'), null],
])('a switch %s', (_what, before, after, expected) => {
  expect(switchOf(before.fragment, after.fragment)).toEqual(expected)
})

test('conditions of an audience name segments by id', () => {
  const idOf = (kind: string, name: string) => `${kind} ${name}`
  expect(audienceChanges('"1":{"segment":"2"}', '"1":{"not":{"segment":"2"}}', idOf)).toEqual([
    { path: 'conditions', from: { segment: 'segment 2' }, to: { not: { segment: 'segment 2' } } },
  ])
  expect(audienceChanges(null, '"1":{"segment":"2"}', idOf)).toEqual([])
})
