import { describe, expect, test } from 'vitest'
import { type Instance, propagationOf, silentAfterSeconds } from './propagation.ts'

const publishedAt = new Date('2026-11-20T10:00:00.000Z')
const after = (ms: number) => new Date(publishedAt.getTime() + ms)
const now = after(1_000)

const instance = (instanceId: string, revision: number | null, more: Partial<Instance> = {}): Instance => ({
  sdkType: 'node',
  sdkVersion: '1.4.0',
  instanceId,
  revision,
  revisionAt: revision === null ? null : after(-60_000),
  earlier: [],
  firstSeenAt: after(-600_000),
  lastSeenAt: now,
  ...more,
})
const silentSince = after(1_000 - silentAfterSeconds * 1000 - 1)
const of = (instances: Instance[]) => propagationOf({ envId: 'e', revision: 7, publishedAt }, 9, instances, now)

describe('counting instances', () => {
  test.each<[string, Instance[], object]>([
    ['no instances', [], { complete: true, instances: { confirmed: 0, behind: 0, silent: 0, untold: 0 } }],
    ['one instance serves the revision', [instance('a', 7)], { complete: true, instances: { confirmed: 1 } }],
    ['one instance serves a later revision', [instance('a', 8)], { complete: true, instances: { confirmed: 1 } }],
    [
      'one instance is behind',
      [instance('a', 7), instance('b', 6)],
      { complete: false, behind: [{ instanceId: 'b', revision: 6 }] },
    ],
    [
      'one instance is behind and silent',
      [instance('a', 6, { lastSeenAt: silentSince })],
      { complete: true, instances: { silent: 1 } },
    ],
    [
      'one instance serves the revision and is silent',
      [instance('a', 7, { lastSeenAt: silentSince })],
      { instances: { confirmed: 0, silent: 1 } },
    ],
    ['one instance gives no revision', [instance('a', null)], { complete: true, instances: { untold: 1 } }],
    [
      'one instance gives no revision and is silent',
      [instance('a', null, { lastSeenAt: silentSince })],
      { instances: { untold: 0 } },
    ],
    ['one instance has no id', [instance('', 6)], { complete: true, instances: { behind: 0, untold: 1 } }],
  ])('%s', (_what, instances, expected) => {
    expect(of(instances)).toMatchObject(expected)
  })

  test('live instances are counted by revision, latest first', () => {
    const instances = [
      instance('a', 6),
      instance('b', 7),
      instance('c', 6),
      instance('d', 5, { lastSeenAt: silentSince }),
    ]
    expect(of(instances).revisions).toEqual([
      { revision: 7, instances: 1 },
      { revision: 6, instances: 2 },
    ])
  })

  test('long lists are truncated, but the counts are complete', () => {
    const { behind, instances } = of(Array.from({ length: 150 }, (_, place) => instance(`i-${place}`, 6)))
    expect([behind.length, instances.behind]).toEqual([100, 150])
  })
})

describe('the time that propagation took', () => {
  const confirmed = (...ms: number[]) => ms.map((each, place) => instance(`i-${place}`, 7, { revisionAt: after(each) }))

  test.each<[string, Instance[], object | null]>([
    ['no instances', [], null],
    ['one instance', confirmed(12), { p50Ms: 12, p99Ms: 12, lastMs: 12, instances: 1 }],
    ['two instances', confirmed(30, 10), { p50Ms: 10, p99Ms: 30, lastMs: 30, instances: 2 }],
    [
      'two hundred instances',
      confirmed(...Array.from({ length: 200 }, (_, place) => place + 1)),
      { p50Ms: 100, p99Ms: 198, lastMs: 200, instances: 200 },
    ],
    ['a node whose clock is slow', confirmed(-5), { p50Ms: 0, p99Ms: 0, lastMs: 0, instances: 1 }],
    [
      'an instance that started later does not count',
      [instance('a', 7, { revisionAt: after(500), firstSeenAt: after(500) })],
      null,
    ],
    ['an instance that is behind does not count', [instance('a', 6)], null],
  ])('%s', (_what, instances, took) => {
    expect(of(instances).took).toEqual(took)
  })

  const served = (...revisions: [revision: number, ms: number][]) => {
    const [[revision, ms], ...earlier] = revisions as [[number, number], ...[number, number][]]
    return instance('a', revision, {
      revisionAt: after(ms),
      earlier: earlier.map(([revision, ms]) => ({ revision, revisionAt: after(ms).toISOString() })),
    })
  }

  test.each<[string, Instance, number | undefined]>([
    ['moved on from the revision', served([8, 500], [7, 12], [6, -500]), 12],
    ['moved on from the revision, the oldest known one', served([8, 500], [7, 12]), 12],
    ['skipped the revision', served([9, 500], [8, 30], [6, -500]), 30],
    ['fell behind and came back', served([8, 500], [6, 100], [7, 12]), 500],
    ['is only known with later revisions', served([9, 500], [8, 30]), undefined],
  ])('an instance that %s', (_what, each, lastMs) => {
    expect(of([each]).took?.lastMs).toBe(lastMs)
  })

  test('is unknown for a revision without a publish time', () => {
    const unknown = propagationOf({ envId: 'e', revision: 7, publishedAt: null }, 8, confirmed(12), now)
    expect(unknown).toMatchObject({ publishedAt: null, took: null, complete: true })
  })
})
