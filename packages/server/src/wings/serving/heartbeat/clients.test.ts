import { expect, test } from 'vitest'
import { type ClientState, clientsOf } from './clients.ts'
import { type Instance, silentAfterSeconds } from './propagation.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

const instance = (more: Partial<Instance>): Instance => ({
  sdkType: 'node',
  sdkVersion: '1.4.0',
  instanceId: 'a',
  revision: 9,
  revisionAt: ago(60_000),
  earlier: [],
  firstSeenAt: ago(600_000),
  lastSeenAt: now,
  ...more,
})
const silent = { lastSeenAt: ago(silentAfterSeconds * 1000 + 1) }

test.each<[string, Partial<Instance>, ClientState, number | null]>([
  ['serves the current revision', {}, 'UP_TO_DATE', 0],
  ['serves an earlier revision', { revision: 7 }, 'BEHIND', 2],
  ['was last heard 90 s ago', { lastSeenAt: ago(silentAfterSeconds * 1000) }, 'UP_TO_DATE', 0],
  ['was last heard more than 90 s ago', silent, 'SILENT', 0],
  ['was behind when it was last heard', { ...silent, revision: 7 }, 'SILENT', 2],
  ['gives no revision', { revision: null, revisionAt: null }, 'UNKNOWN', null],
  ['gives no revision and is silent', { ...silent, revision: null, revisionAt: null }, 'SILENT', null],
  ['gives no id', { instanceId: '', revision: 7 }, 'UNKNOWN', null],
  ['gives a revision that does not exist yet', { revision: 10 }, 'UNKNOWN', null],
])('a client that %s', (_what, more, state, revisionsBehind) => {
  expect(clientsOf(9, [instance(more)], now)).toMatchObject([{ state, revisionsBehind }])
})

test('clients that are behind come first, then by type, version and id', () => {
  const instances = [
    instance({ instanceId: 'b' }),
    instance({ instanceId: 'a b' }),
    instance({ instanceId: 'a' }),
    instance({ instanceId: 'z', sdkVersion: '1.3.0' }),
    instance({ instanceId: 'z', sdkType: 'browser' }),
    instance({ instanceId: '', revision: null }),
    instance({ instanceId: 'quiet', ...silent }),
    instance({ instanceId: 'y', revision: 8 }),
  ]
  const clients = clientsOf(9, instances, now).map(({ state, instanceId }) => [state, instanceId])
  expect(clients).toEqual([
    ['BEHIND', 'y'],
    ['SILENT', 'quiet'],
    ['UNKNOWN', ''],
    ['UP_TO_DATE', 'z'],
    ['UP_TO_DATE', 'z'],
    ['UP_TO_DATE', 'a'],
    ['UP_TO_DATE', 'a b'],
    ['UP_TO_DATE', 'b'],
  ])
})
