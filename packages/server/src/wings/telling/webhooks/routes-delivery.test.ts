import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../../testing/clock.ts'
import {
  changeDuring,
  deliver,
  fire,
  isSigned,
  newWebhook,
  recordsOf,
  type TestWebhook,
  webhookOf,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

const ladderMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs]
const patch = ({ path }: TestWebhook, body: unknown) => on.service.call(on.service.people.admin, 'PATCH', path, body)
const rotate = async ({ path }: TestWebhook) =>
  (await on.service.call(on.service.people.admin, 'POST', `${path}/secret`)).body.data.secret as string

/** Sets the answer of one webhook. All others answer 204. */
function answerAt({ url }: TestWebhook, answer: Parameters<typeof on.receiver.answer>[0]): void {
  on.receiver.answer((request) => (request.url === url ? answer(request) : 204))
}

describe('the request', () => {
  test('has exactly the documented headers and a signature of the raw body', async () => {
    const webhook = await newWebhook(on)
    on.receiver.answer(() => 204)
    await fire(on)
    await deliver(on)
    const [request] = on.receiver.at(webhook.url)
    const id = JSON.parse(request!.body).id
    expect(request!.headers).toEqual({
      'content-type': 'application/json',
      'x-svc-delivery-id': id,
      'x-svc-event': 'flag.created',
      'x-svc-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'x-svc-timestamp': on.clock.now().toISOString(),
      'user-agent': 'Svc-Webhooks/1.0',
    })
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(isSigned(request!, webhook.secret)).toBe(true)
    expect(isSigned({ ...request!, body: `${request!.body} ` }, webhook.secret)).toBe(false)
  })

  test('sends and signs text beyond ASCII as UTF-8', async () => {
    const webhook = await newWebhook(on, { events: ['webhook.updated'] })
    on.receiver.answer(() => 204)
    await patch(webhook, { name: 'Grüße 😀 "\\ 日本' })
    await deliver(on)
    const [request] = on.receiver.at(webhook.url)
    expect(JSON.parse(request!.body).webhook.name).toBe('Grüße 😀 "\\ 日本')
    expect(isSigned(request!, webhook.secret)).toBe(true)
  })

  test('is sent to each of two webhooks with its own id and secret', async () => {
    const [one, two] = [await newWebhook(on), await newWebhook(on)]
    on.receiver.answer(() => 204)
    await fire(on)
    await deliver(on)
    const [first, second] = [on.receiver.at(one.url)[0]!, on.receiver.at(two.url)[0]!]
    expect(first.headers['x-svc-delivery-id']).not.toBe(second.headers['x-svc-delivery-id'])
    expect([isSigned(first, one.secret), isSigned(second, two.secret), isSigned(first, two.secret)]).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('the ladder', () => {
  test('makes six attempts over 14 h 36 min with the same id and body, each with a new timestamp and signature', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => 503)
    const from = on.clock.now().getTime()
    await fire(on)
    await deliver(on)
    for (const [index, stepMs] of ladderMs.entries()) {
      const [record] = await recordsOf(on, webhook)
      const dueAt = new Date(on.clock.now().getTime() + stepMs).toISOString()
      expect(record).toMatchObject({ status: 'PENDING', attempts: index + 1, nextRetryAt: dueAt, responseStatus: 503 })
      on.clock.move(stepMs - 1)
      await deliver(on)
      expect(on.receiver.at(webhook.url)).toHaveLength(index + 1)
      on.clock.move(1)
      await deliver(on)
      expect(on.receiver.at(webhook.url)).toHaveLength(index + 2)
    }
    expect(on.clock.now().getTime() - from).toBe(14 * hourMs + 36 * minuteMs)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'FAILED', attempts: 6, nextRetryAt: null }])
    on.clock.move(1000 * hourMs)
    await deliver(on)

    const requests = on.receiver.at(webhook.url)
    expect(requests).toHaveLength(6)
    const distinct = (name: string) => new Set(requests.map(({ headers }) => headers[name])).size
    expect([distinct('x-svc-delivery-id'), new Set(requests.map(({ body }) => body)).size]).toEqual([1, 1])
    expect([distinct('x-svc-timestamp'), distinct('x-svc-signature')]).toEqual([6, 6])
    for (const request of requests) expect(isSigned(request, webhook.secret)).toBe(true)
  })

  test('counts delays from the end of the failed attempt', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => {
      on.clock.move(9_000)
      return 500
    })
    await fire(on)
    await deliver(on)
    const [{ lastAttemptAt, nextRetryAt }] = await recordsOf(on, webhook)
    expect(lastAttemptAt).toBe(on.clock.now().toISOString())
    expect(Date.parse(nextRetryAt) - on.clock.now().getTime()).toBe(minuteMs)
  })

  test('lengthens one step for Retry-After, up to the next step', async () => {
    const webhook = await newWebhook(on)
    const waits = []
    for (const retryAfter of ['180', '999999']) {
      answerAt(webhook, () => ({ status: 429, retryAfter }))
      if (waits.length === 0) await fire(on)
      await deliver(on)
      const [{ nextRetryAt }] = await recordsOf(on, webhook)
      waits.push(Date.parse(nextRetryAt) - on.clock.now().getTime())
      on.clock.move(waits.at(-1)!)
    }
    expect(waits).toEqual([3 * minuteMs, 30 * minuteMs])
  })

  test('ends with the first success', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => (on.receiver.at(webhook.url).length < 3 ? { status: null, error: 'No answer' } : 200))
    await fire(on)
    for (const stepMs of [0, ...ladderMs]) {
      on.clock.move(stepMs)
      await deliver(on)
    }
    expect(on.receiver.at(webhook.url)).toHaveLength(3)
    expect(await recordsOf(on, webhook)).toMatchObject([
      { status: 'DELIVERED', attempts: 3, errorMessage: null, responseStatus: 200 },
    ])
  })

  test('ends at once after 410', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => 410)
    await fire(on)
    await deliver(on)
    expect(await recordsOf(on, webhook)).toMatchObject([
      { status: 'PERMANENTLY_FAILED', attempts: 1, nextRetryAt: null, responseStatus: 410 },
    ])
  })

  test('does not count failures of our own proxy as attempts', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => ({ status: null, error: 'The proxy did not answer', charged: false }))
    await fire(on)
    for (let at = 0; at < 8; at += 1) {
      // First without a move: the worker begins an attempt by itself, and its lease must not end meanwhile.
      await deliver(on)
      on.clock.move(minuteMs)
    }
    await deliver(on)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'PENDING', attempts: 0, responseStatus: null }])
    answerAt(webhook, () => 204)
    on.clock.move(minuteMs)
    await deliver(on)
    await expect.poll(() => recordsOf(on, webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
    expect(await webhookOf(on, webhook)).toMatchObject({ consecutiveFailures: 0 })
  })

  test.each([
    ['two hours forward', 2 * hourMs],
    ['half an hour back', -30 * minuteMs],
    ['a year forward', 365 * 24 * hourMs],
  ])('makes at most one extra attempt and none early if the clock jumps %s', async (_what, jumpMs) => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => 500)
    await fire(on)
    await deliver(on)
    on.clock.move(jumpMs)
    for (let at = 0; at < 3; at += 1) await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(jumpMs > 0 ? 2 : 1)
    await patch(webhook, { enabled: false })
    on.clock.move(Math.max(0, -jumpMs))
  })
})

describe('the secret', () => {
  test('stays the same for a delivery after a rotation, and the next delivery uses the new one', async () => {
    const webhook = await newWebhook(on)
    answerAt(webhook, () => 500)
    await fire(on)
    await deliver(on)
    const renewed = await rotate(webhook)
    answerAt(webhook, () => 204)
    on.clock.move(minuteMs)
    await fire(on)
    await deliver(on)
    const [first, ...later] = on.receiver.at(webhook.url)
    const retried = later.find(({ body }) => body === first!.body)
    const fresh = later.find(({ body }) => body !== first!.body)
    expect([isSigned(first!, webhook.secret), isSigned(retried!, webhook.secret)]).toEqual([true, true])
    expect([isSigned(fresh!, webhook.secret), isSigned(fresh!, renewed)]).toEqual([false, true])
  })
})

describe('a change during an attempt', () => {
  const during = ({ url }: TestWebhook, change: () => Promise<unknown>, answer = 204) =>
    changeDuring(on, { url, change, answer })

  test('to the URL lets the attempt end at the old URL, and the retry goes to the new one', async () => {
    const webhook = await newWebhook(on)
    const url = 'https://moved.example/in'
    await during(webhook, () => patch(webhook, { url }), 500)
    expect(on.receiver.at(url)).toHaveLength(0)
    on.clock.move(minuteMs)
    await deliver(on)
    expect([on.receiver.at(webhook.url).length, on.receiver.at(url).length]).toEqual([1, 1])
    expect(on.receiver.at(url)[0]?.body).toBe(on.receiver.at(webhook.url)[0]?.body)
  })

  test('that disables the webhook lets the attempt end and holds the retry until the webhook is enabled', async () => {
    const webhook = await newWebhook(on)
    await during(webhook, () => patch(webhook, { enabled: false }), 500)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'PENDING', attempts: 1 }])
    on.clock.move(hourMs)
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(1)
    await patch(webhook, { enabled: true })
    await deliver(on)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  test('of the secret does not affect the attempt and its retry: both use the old one', async () => {
    const webhook = await newWebhook(on)
    await during(webhook, () => rotate(webhook), 500)
    on.clock.move(minuteMs)
    await deliver(on)
    expect(on.receiver.at(webhook.url).map((request) => isSigned(request, webhook.secret))).toEqual([true, true])
  })

  test('that deletes the webhook lets the attempt end, and no record is left', async () => {
    const webhook = await newWebhook(on)
    const other = await newWebhook(on)
    await during(webhook, () => on.service.call(on.service.people.admin, 'DELETE', webhook.path))
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from deliveries
      where not exists (select from webhooks where webhooks.id = destination_id)`.execute(on.service.db)
    expect(rows[0]?.count).toBe(0)
    expect(await recordsOf(on, other)).toMatchObject([{ status: 'DELIVERED' }])
  })
})

test('a result that cannot be stored does not delay other deliveries', async () => {
  const [bad, good] = [await newWebhook(on), await newWebhook(on)]
  on.receiver.answer(({ url }) => (url === bad.url ? { status: 200, body: 'a\u0000b' } : 204))
  await fire(on)
  await deliver(on)
  expect(await recordsOf(on, good)).toMatchObject([{ status: 'DELIVERED' }])
  expect(await recordsOf(on, bad)).toMatchObject([{ status: 'PENDING', attempts: 1 }])
  on.receiver.answer(() => 204)
  on.clock.move(minuteMs)
  await deliver(on)
  expect(await recordsOf(on, bad)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})

test('deliveries with an unreadable secret stay pending and are sent once it can be read', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => 204)
  const flip = () =>
    sql`
    update destination_secrets set sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 255)
    where destination_id = ${webhook.id}`.execute(on.service.db)
  await flip()
  await fire(on)
  await deliver(on)
  expect(await recordsOf(on, webhook)).toMatchObject([
    { status: 'PENDING', attempts: 0, errorMessage: expect.stringContaining('secret key') },
  ])
  const ping = await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/test`)
  expect([ping.status, ping.body.data.status]).toEqual([200, 'FAILED'])
  await flip()
  on.clock.move(minuteMs)
  await deliver(on)
  expect(on.receiver.at(webhook.url)).toHaveLength(1)
  expect((await recordsOf(on, webhook))[1]).toMatchObject({ status: 'DELIVERED', attempts: 1 })
})
