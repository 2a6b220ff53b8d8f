import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../http/app.ts'
import { roomOf } from '../../../platform/held.ts'
import type { DataFileStore, ServedDataFile } from '../../serving/datafile/index.ts'
import type { Usage } from '../../serving/heartbeat/index.ts'
import { gathering } from './gather.ts'
import { nameStore } from './names.ts'
import type { EventQuota } from './quota/quota.ts'
import { eventRoutes } from './routes.ts'

const store = Promise.withResolvers<readonly boolean[]>()
const refusedAt: number[] = []
const app = buildApp({
  baseUrl: 'http://svc.test',
  isUnavailable: () => false,
  log: pino({ level: 'silent' }),
  trustProxy: false,
})

beforeAll(async () => {
  eventRoutes(app, {
    usage: { used() {} } as unknown as Usage,
    ingestKeys: { admit: async () => ({ lacksKeyFor: 'NONE' }), admitKnown: () => ({ lacksKeyFor: 'NONE' }) },
    dataFiles: { findHeld: () => ({ envId: 'env' }) as ServedDataFile } as unknown as DataFileStore,
    names: nameStore({ load: async () => [], isBehind: async () => false }),
    orders: gathering({ append: async () => [], mostTogether: 10, atOnce: 1, mostWaiting: 3 }),
    gathered: gathering({ append: () => store.promise, mostTogether: 10, atOnce: 1, mostWaiting: 3 }),
    observe: { taken() {}, rejected() {}, full: (waiting) => void refusedAt.push(waiting), wrote() {} },
    quota: { refuses: () => undefined } as unknown as EventQuota,
    addresses: { note() {} },
    takeError: () => undefined,
    background: undefined as never,
    now: () => new Date(),
    requestsPerMinute: 1_000,
    openRoom: () => roomOf(1_000_000),
    isUnavailable: () => false,
  })
  await app.ready()
})
afterAll(() => app.close())

const send = (count: number) => {
  const events = Array.from({ length: count }, () => ({
    ...{ type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' },
  }))
  return app.inject({ method: 'POST', url: '/api/sdk/v1/events', payload: { sdkKey: 'sdk', events } })
}

test('when too many events wait, a batch is refused whole, and the answer says when to send it again', async () => {
  const waiting = Promise.resolve(send(2))
  const refused = await send(2)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ error: 'Too many events wait to be stored. Send the batch again in 2 s.' })
  expect(refused.headers).toMatchObject({
    'retry-after': '2',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After',
  })
  expect(refusedAt).toEqual([2])
  store.resolve([true, true])
  expect((await waiting).json()).toEqual({ accepted: 2, duplicates: 0, rejected: [] })
})
