import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../../testing/clock.ts'
import { createProject } from '../../../../testing/service.ts'
import { held, type TestReceiver, testReceiver } from '../../../../testing/vendors/receiver.ts'
import {
  fire,
  newWebhook,
  recordsOf,
  startWebhookTest,
  type TestWebhook,
  testWorker,
  type WebhookTest,
  webhookOf,
} from '../../../../testing/webhooks.ts'
import type { DeliveryWorker } from '../deliveries/index.ts'

let on: WebhookTest
/** Workers of two nodes. Each has its own outbound connection, which shows who sent what, and runs only when woken. */
let one: DeliveryWorker
let other: DeliveryWorker
let others: TestReceiver

const longerThanLeaseMs = 10 * minuteMs

beforeAll(async () => {
  on = await startWebhookTest()
  await on.service.deliveries.stop()
  others = testReceiver()
  one = testWorker(on, on.receiver)
  other = testWorker(on, others)
})
beforeEach(async () => {
  // Each test has its own project, so that no delivery of a different test is in progress at the same time.
  on = { ...on, project: await createProject(on.service) }
})
afterEach(async () => {
  for (const receiver of [on.receiver, others]) receiver.answer(() => 204)
  await deliver()
})
afterAll(() => on.service.close())

async function deliver(): Promise<void> {
  one.wake()
  await one.idle()
}

async function deliverElsewhere(): Promise<void> {
  other.wake()
  await other.idle()
}

/** Stops the worker `one` during an attempt until `wake(answer)`. */
async function hangs(webhook: TestWebhook) {
  const [arrived, answer] = [held<void>(), held<number>()]
  on.receiver.answer(({ url }) => {
    if (url !== webhook.url) return 204
    arrived.resolve()
    return answer.promise
  })
  await fire(on)
  one.wake()
  await arrived.promise
  return async (status: number) => {
    answer.resolve(status)
    await one.idle()
  }
}

describe('a worker that wakes after its lease has ended', () => {
  test('does not overwrite a delivery that succeeded meanwhile', async () => {
    const webhook = await newWebhook(on)
    const wake = await hangs(webhook)
    await deliverElsewhere()
    expect(others.at(webhook.url)).toHaveLength(0)
    on.clock.move(longerThanLeaseMs)
    await deliverElsewhere()
    const records = await recordsOf(on, webhook)
    expect(records).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
    await wake(410)
    expect(await recordsOf(on, webhook)).toEqual(records)
    expect(await webhookOf(on, webhook)).toMatchObject({ consecutiveFailures: 0 })
    expect(others.at(webhook.url)[0]?.body).toBe(on.receiver.at(webhook.url)[0]?.body)
  })

  test('does not overwrite a delivery with the same attempt number after an uncharged attempt', async () => {
    const webhook = await newWebhook(on)
    const wake = await hangs(webhook)
    on.clock.move(longerThanLeaseMs)
    others.answer(() => ({ status: null, charged: false }))
    await deliverElsewhere()
    const records = await recordsOf(on, webhook)
    expect(records).toMatchObject([{ status: 'PENDING', attempts: 1 }])
    await wake(410)
    expect(await recordsOf(on, webhook)).toEqual(records)
  })

  test('does not overwrite a delivery that was retried by hand meanwhile', async () => {
    const webhook = await newWebhook(on)
    const wake = await hangs(webhook)
    on.clock.move(longerThanLeaseMs)
    others.answer(() => 410)
    await deliverElsewhere()
    const [{ id }] = await recordsOf(on, webhook)
    await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/deliveries/${id}/retry`)
    const [arrived, answer] = [held<void>(), held<number>()]
    others.answer(() => {
      arrived.resolve()
      return answer.promise
    })
    other.wake()
    await arrived.promise
    await wake(500)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'PENDING', attempts: 1, responseStatus: 410 }])
    answer.resolve(200)
    await other.idle()
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 1, responseStatus: 200 }])
  })
})

test('a result that was late for its lease is stored before anything else is claimed', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? 503 : 204))
  await fire(on)
  await deliver()
  on.receiver.answer(({ url }) => {
    if (url === webhook.url) on.clock.move(longerThanLeaseMs)
    return 204
  })
  await fire(on)
  await deliver()
  expect(await recordsOf(on, webhook)).toMatchObject([
    { status: 'DELIVERED', attempts: 1 },
    { status: 'DELIVERED', attempts: 2 },
  ])
  expect(on.receiver.at(webhook.url)).toHaveLength(3)
})

test('an interrupted last attempt ends the cycle as FAILED after 6 attempts, not 7', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? 500 : 204))
  await fire(on)
  for (const waitMs of [0, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs]) {
    on.clock.move(waitMs)
    await deliver()
  }
  expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'PENDING', attempts: 5 }])
  const [arrived, answer] = [held<void>(), held<number>()]
  on.receiver.answer(() => {
    arrived.resolve()
    return answer.promise
  })
  on.clock.move(12 * hourMs)
  one.wake()
  await arrived.promise
  on.clock.move(longerThanLeaseMs)
  await deliverElsewhere()
  expect(others.at(webhook.url)).toHaveLength(0)
  expect(await recordsOf(on, webhook)).toMatchObject([
    { status: 'FAILED', attempts: 6, errorMessage: expect.stringContaining('interrupted') },
  ])
  answer.resolve(204)
  await one.idle()
  expect(on.receiver.at(webhook.url)).toHaveLength(6)
})

test('two workers share a queue and send every delivery once', async () => {
  const webhooks = [await newWebhook(on), await newWebhook(on), await newWebhook(on)]
  const before = on.receiver.received.length + others.received.length
  for (let at = 0; at < 10; at += 1) {
    await fire(on)
    other.wake()
  }
  one.wake()
  await Promise.all([one.idle(), other.idle()])
  await deliver()
  for (const webhook of webhooks) {
    const ids = [...on.receiver.at(webhook.url), ...others.at(webhook.url)].map(
      ({ headers }) => headers['x-svc-delivery-id'],
    )
    expect([ids.length, new Set(ids).size]).toEqual([10, 10])
  }
  expect(on.receiver.received.length + others.received.length).toBeGreaterThanOrEqual(before + 30)
})

describe('fairness', () => {
  test('an unresponsive endpoint with a long queue does not delay others', async () => {
    const [slow, quick] = [await newWebhook(on), await newWebhook(on)]
    const answers: ((status: number) => void)[] = []
    on.receiver.answer(({ url }) => {
      if (url !== slow.url) return 204
      const { promise, resolve } = held<number>()
      answers.push(resolve)
      return promise
    })
    for (let at = 0; at < 20; at += 1) await fire(on)
    one.wake()
    const quickest = () => recordsOf(on, quick)
    await expect
      .poll(async () => (await quickest()).map(({ status }: { status: string }) => status))
      .toEqual(Array(20).fill('DELIVERED'))
    expect(on.receiver.at(slow.url)).toHaveLength(8)
    on.receiver.answer(() => 204)
    for (const resolve of answers) resolve(204)
    await deliver()
    expect(on.receiver.at(slow.url)).toHaveLength(20)
  })

  test('a failing endpoint gets one attempt at a time', async () => {
    const dead = await newWebhook(on)
    let underWay = 0
    let most = 0
    on.receiver.answer(async ({ url }) => {
      if (url !== dead.url) return 204
      underWay += 1
      most = Math.max(most, underWay)
      await sql`select 1`.execute(on.service.db)
      underWay -= 1
      return 503
    })
    await fire(on)
    await deliver()
    for (let at = 0; at < 20; at += 1) await fire(on)
    await deliver()
    expect(most).toBe(1)
    expect(on.receiver.at(dead.url)).toHaveLength(21)
    on.receiver.answer(() => 204)
    on.clock.move(minuteMs)
    await deliver()
    expect(on.receiver.at(dead.url)).toHaveLength(42)
  })

  test('deliveries that wait for a slow endpoint past their lease are released without losing attempts', async () => {
    const slow = await newWebhook(on)
    on.receiver.answer(({ url }) => {
      if (url !== slow.url) return 204
      on.clock.move(9_000)
      return 503
    })
    for (let at = 0; at < 8; at += 1) await fire(on)
    await deliver()
    for (let at = 0; at < 8; at += 1) await deliver()
    const records = await recordsOf(on, slow)
    expect(records.every(({ attempts }: { attempts: number }) => attempts <= 3)).toBe(true)
    const attempts = records.reduce((sum: number, record: { attempts: number }) => sum + record.attempts, 0)
    expect(attempts).toBe(on.receiver.at(slow.url).length)
  })
})
