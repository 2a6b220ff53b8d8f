import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { authoredChanges, authorshipAfter, withDraft } from './authorship.ts'
import type { Authorship, Version } from './version.ts'

const a = deliveryRule('a')
const b = deliveryRule('b')
const c = deliveryRule('c')
const live = versionOf([a, b])

const person = (name: string, minute: number) => ({
  actor: { type: 'user', id: `id-${name}`, name },
  now: new Date(Date.UTC(2026, 10, 23, 10, minute)),
})
const ada = person('Ada', 1)
const bo = person('Bo', 2)

/** The record after drafts that Ada and then Bo left, as the names of the authors. */
function after(...drafts: [by: typeof ada, draft: Version][]) {
  const first = { live, draft: live, stagedBy: {} as Authorship }
  const { stagedBy } = drafts.reduce((row, [by, draft]) => withDraft(row, draft, by), first)
  return Object.fromEntries(Object.entries(stagedBy).map(([path, { by }]) => [path, by.name]))
}

const half = { ...a, trafficAllocation: 5000 }
const renamed = { variations: [{ ...on, key: 'yes' }, off] }

test.each<[string, [typeof ada, Version][], Record<string, string>]>([
  ['a change has its author', [[ada, versionOf([half, b])]], { 'rules.a.trafficAllocation': 'Ada' }],
  [
    'a change keeps its author when a different person changes something else',
    [
      [ada, versionOf([half, b])],
      [bo, versionOf([half, { ...b, name: 'Other' }])],
    ],
    { 'rules.a.trafficAllocation': 'Ada', 'rules.b.name': 'Bo' },
  ],
  [
    'the last person to change a value is its author',
    [
      [ada, versionOf([half, b])],
      [bo, versionOf([{ ...a, trafficAllocation: 100 }, b])],
    ],
    { 'rules.a.trafficAllocation': 'Bo' },
  ],
  [
    'a change that is undone has no author, and a new one has a new author',
    [
      [ada, versionOf([half, b])],
      [ada, live],
      [bo, versionOf([half, b])],
    ],
    { 'rules.a.trafficAllocation': 'Bo' },
  ],
  [
    'a move keeps its author when a rule is created between',
    [
      [ada, versionOf([b, a])],
      [bo, versionOf([b, c, a])],
    ],
    { ruleOrder: 'Ada', 'rules.c': 'Bo' },
  ],
  [
    'a change keeps its author when its variation gets a new key',
    [
      [ada, versionOf([a, b], { defaultVariationId: on.id })],
      [bo, versionOf([a, b], { defaultVariationId: on.id, ...renamed })],
    ],
    { defaultVariationKey: 'Ada', 'variations.on': 'Bo' },
  ],
])('%s', (_what, drafts, expected) => {
  expect(after(...drafts)).toEqual(expected)
})

test('a rule that goes live alone leaves the record, and other changes stay', () => {
  const draft = versionOf([half, b, c])
  const stagedBy = authorshipAfter({ live, draft: live, stagedBy: {} }, { live, draft }, ada)
  const next = authorshipAfter({ live, draft, stagedBy }, { live: versionOf([a, b, c]), draft }, bo)
  expect(next).toEqual({
    'rules.a.trafficAllocation': {
      by: { type: 'user', id: 'id-Ada', name: 'Ada' },
      at: '2026-11-23T10:01:00.000Z',
    },
  })
  expect(authorshipAfter({ live, draft, stagedBy }, { live: draft, draft }, bo)).toEqual({})
})

test('a change from before the record stays without an author', () => {
  const draft = versionOf([half, b])
  const stagedBy = authorshipAfter({ live, draft, stagedBy: {} }, { live, draft: versionOf([half, b, c]) }, bo)
  expect(Object.keys(stagedBy)).toEqual(['rules.c'])
  expect(authoredChanges(live, draft, {})).toEqual([
    {
      path: 'rules.a.trafficAllocation',
      from: 10_000,
      to: 5000,
      rules: [{ id: 'a', shortId: 1, name: 'Rule a', type: 'TARGETED_DELIVERY' }],
      by: null,
      at: null,
    },
  ])
})

test('a change names its rules: those of the overrides, those that moved, a deleted one', () => {
  const list = [{ ruleId: 'b', entries: [{ variationId: on.id, userIds: ['u'] }] }]
  const withRule = versionOf([a, b, c])
  const draft = versionOf([b, a], { overrides: { environmentAllowlist: [], ruleAllowlists: list } })
  const named = authoredChanges(withRule, draft, {}).map(({ path, rules }) => [path, rules.map(({ name }) => name)])
  expect(named).toEqual([
    ['overrides', ['Rule b']],
    ['rules.c', ['Rule c']],
    ['ruleOrder', ['Rule a', 'Rule b', 'Rule c']],
  ])
})

test('what a change was made from stays with it, for as long as its value stays', () => {
  const file = { actor: { ...ada.actor, source: 'svc apply svc.yaml' }, now: ada.now }
  const draft = versionOf([half, b])
  const stagedBy = authorshipAfter({ live, draft: live, stagedBy: {} }, { live, draft }, file)
  const next = versionOf([half, b, c])
  const later = authorshipAfter({ live, draft, stagedBy }, { live, draft: next }, bo)
  expect(authoredChanges(live, next, later).map(({ path, source }) => [path, source])).toEqual([
    ['rules.a.trafficAllocation', 'svc apply svc.yaml'],
    ['rules.c', undefined],
  ])
})
