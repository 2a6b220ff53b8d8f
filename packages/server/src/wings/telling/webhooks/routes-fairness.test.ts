import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../../../testing/full.ts'
import { testReceiver } from '../../../../testing/vendors/receiver.ts'
import { startWebhookTest, testWorker, type WebhookTest } from '../../../../testing/webhooks.ts'
import { newId } from '../../../platform/ids.ts'
import { type Claimed, lanes } from '../../../platform/queue/index.ts'
import { sealWith } from '../../../platform/seal.ts'
import { claimDue, insertDeliveries, type Job } from '../deliveries/index.ts'
import { insertSecret } from '../destinations/index.ts'
import { insertWebhook, webhookQueries } from './queries.ts'

/** More than a worker has room for. */
const many = isFull ? 300 : 60

let on: WebhookTest
let hooks: string[] = []

beforeAll(async () => {
  on = await startWebhookTest()
  await on.service.deliveries.stop()
})
afterEach(() =>
  on.service.db.transaction().execute(async (tx) => {
    for (const id of hooks) await webhookQueries.remove(tx, id)
  }),
)
afterAll(() => on.service.close())

/** Creates a webhook for each count, with this many due deliveries. Ignores the limit of webhooks per organization. */
async function busyWebhooks(...counts: number[]): Promise<void> {
  const { db, settings } = on.service
  const seal = sealWith(Buffer.from(settings.SVC_SECRET_KEY!, 'base64url'))
  const now = on.clock.now()
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from projects where id = ${on.project.id}`.execute(db)
  const of = {
    ...rows[0]!,
    projectId: on.project.id,
    events: ['flag.created' as const],
    createdAt: now,
    updatedAt: now,
  }
  const health = { enabled: true, disabledAt: null, disableReason: null, consecutiveFailures: 0, version: 1 }
  hooks = counts.map(newId)
  await db.transaction().execute(async (tx) => {
    for (const [at, id] of hooks.entries()) {
      const secretId = newId()
      await insertWebhook(tx, { ...of, ...health, id, key: id, name: id, url: `https://${id}.example/`, secretId })
      await insertSecret(tx, { id: secretId, destinationId: id, sealed: seal.seal('ab'.repeat(32), secretId) }, now)
      const delivery = {
        destinationId: id,
        secretId,
        eventType: 'flag.created' as const,
        sourceEntityId: null,
        body: '{}',
      }
      const due = { isTest: false, attempts: 0, dueAt: now }
      const ids = () => ({ id: newId(), deliveryId: newId(), eventId: newId() })
      await insertDeliveries(
        tx,
        Array.from({ length: counts[at]! }, () => ({ ...ids(), ...delivery, ...due })),
        now,
      )
    }
  })
}

const claim = (demand: {
  total: number
  after?: string | null
  exceptions?: Map<string, number>
}): Promise<Claimed<Job>> => {
  const now = on.clock.now()
  const leaseUntil = new Date(now.getTime() + 30_000)
  const claim = { perLane: 64, exceptions: new Map(), after: null, ...demand, now, leaseUntil }
  return claimDue(on.service.db, claim, true)
}

const countsOf = (jobs: readonly { destinationId: string }[]) =>
  hooks.map((id) => jobs.filter(({ destinationId }) => destinationId === id).length)

describe('a claim', () => {
  test('takes an equal share of each webhook, regardless of long queues', async () => {
    await busyWebhooks(200, 200, 3, 200)
    expect(countsOf((await claim({ total: 80 })).jobs)).toEqual([20, 20, 3, 20])
    expect(countsOf((await claim({ total: 512 })).jobs)).toEqual([64, 64, 0, 64])
  })

  test('takes no more of a webhook than its lane has room for', async () => {
    await busyWebhooks(100, 100, 100)
    const [full = '', failing = ''] = hooks
    const exceptions = new Map([
      [full, 0],
      [failing, 1],
    ])
    expect(countsOf((await claim({ total: 100, exceptions })).jobs)).toEqual([0, 1, 50])
  })

  test('takes webhooks in turn if there are more than it has room for, so that none waits long', async () => {
    await busyWebhooks(...Array<number>(many).fill(4))
    const held = lanes<Job>(({ destinationId }) => destinationId)
    const jobs: Job[] = []
    for (let round = 0; round < (2 * many) / 40; round += 1) {
      const demand = { ...held.demand(), total: 40 }
      const claimed = await claim({ total: 40, after: demand.after })
      expect([claimed.jobs.length, claimed.share]).toEqual([40, 1])
      held.add(claimed, demand)
      jobs.push(...claimed.jobs)
      const counts = countsOf(jobs)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    }
    expect(countsOf(jobs)).toEqual(Array(many).fill(2))
  })

  test('skips webhooks that are disabled or have nothing due, and rows that a different worker is claiming', async () => {
    await busyWebhooks(10, 10, 10)
    const [disabled, later] = hooks
    await sql`update webhooks set enabled = false where id = ${disabled}`.execute(on.service.db)
    await sql`update deliveries set due_at = due_at + interval '1 minute' where destination_id = ${later}`.execute(
      on.service.db,
    )
    const claims = await Promise.all([claim({ total: 6 }), claim({ total: 6 })])
    const jobs = claims.flatMap((claimed) => claimed.jobs)
    expect(countsOf(jobs)).toEqual([0, 0, 10])
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(10)
  })
})

describe('a worker', () => {
  const work = async () => {
    const receiver = testReceiver()
    const worker = testWorker(on, receiver)
    worker.wake()
    await worker.idle()
    return receiver.received.map(({ url }) => ({ destinationId: new URL(url).host.replace('.example', '') }))
  }

  test('serves busy webhooks equally at all times', async () => {
    await busyWebhooks(...Array<number>(many).fill(6))
    const served = await work()
    const counts = new Map(hooks.map((id) => [id, 0]))
    let widest = 0
    for (const { destinationId } of served) {
      counts.set(destinationId, counts.get(destinationId)! + 1)
      widest = Math.max(widest, Math.max(...counts.values()) - Math.min(...counts.values()))
    }
    expect([...counts.values()]).toEqual(Array(many).fill(6))
    expect(widest).toBeLessThanOrEqual(3)
  })

  test('does not let a webhook with a long queue delay others', async () => {
    await busyWebhooks(1500, ...Array<number>(20).fill(2))
    const served = await work()
    expect(served).toHaveLength(1500 + 20 * 2)
    expect(served.findLastIndex(({ destinationId }) => destinationId !== hooks[0])).toBeLessThan(150)
  })
})
