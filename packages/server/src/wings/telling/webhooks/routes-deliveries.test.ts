import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import { comparableError } from '../../../../testing/comparable-error.ts'
import { nobody } from '../../../../testing/flags.ts'
import {
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

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  on.service.call(on.service.people.admin, method, path, body)

/** A webhook with one delivery that got this answer. */
async function withDelivery(answer: number | null): Promise<{ webhook: TestWebhook; record: { id: string } }> {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? { status: answer } : 204))
  await fire(on)
  await deliver(on)
  const [record] = await recordsOf(on, webhook)
  return { webhook, record }
}

const retry = ({ path }: TestWebhook, id: string) => call('POST', `${path}/deliveries/${id}/retry`)

test('the record of a delivery has every field', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => ({ status: 200, body: 'ok' }))
  const flag = await fire(on)
  await deliver(on)
  const now = on.clock.now().toISOString()
  const records = await recordsOf(on, webhook)
  const [request] = on.receiver.at(webhook.url)
  expect(records).toEqual([
    {
      id: expect.any(String),
      destinationId: webhook.id,
      deliveryId: request?.headers['x-svc-delivery-id'],
      eventType: 'flag.created',
      sourceEntityId: flag.id,
      payload: JSON.parse(request!.body),
      status: 'DELIVERED',
      attempts: 1,
      lastAttemptAt: now,
      nextRetryAt: null,
      responseStatus: 200,
      responseBody: 'ok',
      errorMessage: null,
      createdAt: now,
    },
  ])
})

test('the list has the deliveries of one webhook in pages, newest first', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => 204)
  for (let at = 0; at < 5; at += 1) await fire(on)
  await deliver(on)
  const all = await recordsOf(on, webhook)
  expect(all).toHaveLength(5)
  const ids = all.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  const pages = []
  let cursor = ''
  do {
    const { body } = await call('GET', `${webhook.path}/deliveries?limit=2${cursor}`)
    pages.push(body.data.map(({ id }: { id: string }) => id))
    expect(body.page.hasMore).toBe(body.page.nextCursor !== null)
    cursor = body.page.hasMore ? `&cursor=${encodeURIComponent(body.page.nextCursor)}` : ''
  } while (cursor)
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
  expect(pages.flat()).toEqual(ids)
  const other = await newWebhook(on)
  const { body } = await call('GET', `${webhook.path}/deliveries?limit=1`)
  const foreign = await call('GET', `${other.path}/deliveries?cursor=${encodeURIComponent(body.page.nextCursor)}`)
  expect(foreign.status).toBe(400)
})

test('a delivery can be read by its record id under its own webhook only', async () => {
  const { webhook, record } = await withDelivery(204)
  const get = (of: TestWebhook, id: string, token = on.service.people.admin) =>
    on.service.call(token, 'GET', `${of.path}/deliveries/${id}`)
  const { status, body } = await get(webhook, record.id)
  expect([status, body.data]).toEqual([200, record])
  const { webhook: other } = await withDelivery(204)
  for (const answer of [
    await get(other, record.id),
    await get(webhook, body.data.deliveryId),
    await get(webhook, nobody),
    await get(webhook, record.id, on.service.people.stranger),
  ])
    expect(answer.status).toBe(404)
  expect((await get(webhook, record.id, on.service.people.noScopes)).status).toBe(403)
})

test('the list can be filtered by status, event and time, and a cursor belongs to its filters', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? { status: 410 } : 204))
  await fire(on)
  await deliver(on)
  const between = on.clock.now()
  on.clock.move(minuteMs)
  on.receiver.answer(() => 204)
  await fire(on)
  await deliver(on)
  const [second, first] = await recordsOf(on, webhook)
  expect([first.status, second.status]).toEqual(['PERMANENTLY_FAILED', 'DELIVERED'])
  const list = async (query: Record<string, string>) => {
    const { body } = await call('GET', `${webhook.path}/deliveries?${new URLSearchParams(query)}`)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const later = new Date(between.getTime() + 1).toISOString()
  expect(await list({ status: 'PERMANENTLY_FAILED' })).toEqual([first.id])
  expect(await list({ status: 'PENDING' })).toEqual([])
  expect(await list({ eventType: first.eventType })).toEqual([second.id, first.id])
  expect(await list({ eventType: 'flag.deleted' })).toEqual([])
  expect(await list({ since: later })).toEqual([second.id])
  expect(await list({ since: between.toISOString(), until: later })).toEqual([first.id])
  expect(await list({ until: between.toISOString() })).toEqual([])
  expect(await list({ since: later, status: 'PERMANENTLY_FAILED' })).toEqual([])

  const { body } = await call('GET', `${webhook.path}/deliveries?limit=1&eventType=${first.eventType}`)
  const cursor = encodeURIComponent(body.page.nextCursor)
  const next = (filters: string) => call('GET', `${webhook.path}/deliveries?cursor=${cursor}${filters}`)
  expect((await next(`&eventType=${first.eventType}`)).body.data.map(({ id }: { id: string }) => id)).toEqual([
    first.id,
  ])
  expect((await next('')).status).toBe(400)
})

test.each(['status=failed', 'eventType=flag.renamed', 'since=yesterday', 'until=2026-11-20'])(
  'the filter ?%s is refused',
  async (query) => {
    const webhook = await newWebhook(on)
    const { status, body } = await call('GET', `${webhook.path}/deliveries?${query}`)
    expect([status, body.error.details.issues[0].path]).toEqual([400, [query.split('=')[0]]])
  },
)

test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'state=FAILED'])(
  'the page parameter ?%s is refused',
  async (query) => {
    const webhook = await newWebhook(on)
    for (const path of [`${webhook.path}/deliveries`, `${on.project.path}/webhooks`]) {
      const { status, body } = await call('GET', `${path}?${query}`)
      expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    }
  },
)

test('the list covers 30 days', async () => {
  const { webhook } = await withDelivery(204)
  on.clock.move(30 * dayMs - minuteMs)
  expect(await recordsOf(on, webhook)).toHaveLength(1)
  on.clock.move(2 * minuteMs)
  expect(await recordsOf(on, webhook)).toHaveLength(0)
})

test('only records past their retention are deleted', async () => {
  const { webhook } = await withDelivery(204)
  on.clock.move(29 * dayMs)
  await fire(on)
  await deliver(on)
  await on.service.retention.run()
  expect(await recordsOf(on, webhook)).toHaveLength(2)
  on.clock.move(dayMs + minuteMs)
  await on.service.retention.run()
  on.clock.move(-2 * minuteMs)
  expect(await recordsOf(on, webhook)).toHaveLength(1)
  on.clock.move(2 * minuteMs)
})

test('rotated secrets are deleted after the retention unless a delivery refers to them', async () => {
  const webhook = await newWebhook(on)
  const rotate = async () => (await call('POST', `${webhook.path}/secret`)).body.data.secret as string
  const secrets = async () => {
    await on.service.retention.run()
    const { rows } = await sql<{ id: string }>`
      select id from destination_secrets where destination_id = ${webhook.id} order by id`.execute(on.service.db)
    return rows.map(({ id }) => id)
  }
  const [first] = await secrets()
  await rotate()
  const [, second] = await secrets()
  on.receiver.answer(() => 204)
  await fire(on)
  await deliver(on)
  const secret = await rotate()
  const [, , third] = await secrets()
  expect(await secrets()).toEqual([first, second, third])

  // Keep this record longer, as if it had been written later.
  on.clock.move(29 * dayMs)
  await sql`update deliveries set created_at = ${on.clock.now()} where destination_id = ${webhook.id}`.execute(
    on.service.db,
  )
  on.clock.move(2 * dayMs)
  expect(await secrets()).toEqual([second, third])
  on.clock.move(29 * dayMs)
  expect(await secrets()).toEqual([third])
  await fire(on)
  await deliver(on)
  expect(isSigned(on.receiver.at(webhook.url).at(-1)!, secret)).toBe(true)
})

test('a webhook and the list of webhooks count the deliveries that are tried again', async () => {
  const { webhook } = await withDelivery(503)
  const fine = await newWebhook(on)
  const counts = async () => {
    const { data } = (await call('GET', `${on.project.path}/webhooks?limit=100`)).body
    const listed = (id: string) => data.find((each: { id: string }) => each.id === id).retrying
    return [(await webhookOf(on, webhook)).retrying, listed(webhook.id), listed(fine.id)]
  }
  expect(await counts()).toEqual([1, 1, 0])
  await fire(on)
  await deliver(on)
  expect(await counts()).toEqual([2, 2, 0])
  on.receiver.answer(() => 204)
  on.clock.move(minuteMs)
  await deliver(on)
  expect(await counts()).toEqual([0, 0, 0])
})

describe('retrying a delivery', () => {
  test('restarts a failed delivery as PENDING, without attempts and due now, and delivers it', async () => {
    const { webhook, record } = await withDelivery(410)
    expect(record).toMatchObject({ status: 'PERMANENTLY_FAILED', attempts: 1, nextRetryAt: null })
    on.clock.move(hourMs)
    on.receiver.answer(() => 204)
    const { status, body } = await retry(webhook, record.id)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...record,
      status: 'PENDING',
      attempts: 0,
      nextRetryAt: on.clock.now().toISOString(),
    })
    await deliver(on)
    const [again] = await recordsOf(on, webhook)
    expect(again).toMatchObject({ id: record.id, status: 'DELIVERED', attempts: 1, responseStatus: 204 })
    const [first, second] = on.receiver.at(webhook.url)
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['x-svc-delivery-id']).toBe(first?.headers['x-svc-delivery-id'])
  })

  test('signs it with the current secret', async () => {
    const { webhook, record } = await withDelivery(410)
    const { body } = await call('POST', `${webhook.path}/secret`)
    on.receiver.answer(() => 204)
    await retry(webhook, record.id)
    await deliver(on)
    const [first, second] = on.receiver.at(webhook.url)
    expect([isSigned(first!, webhook.secret), isSigned(first!, body.data.secret)]).toEqual([true, false])
    expect([isSigned(second!, webhook.secret), isSigned(second!, body.data.secret)]).toEqual([false, true])
  })

  test('gives it the whole ladder again', async () => {
    const { webhook, record } = await withDelivery(410)
    on.receiver.answer(({ url }) => (url === webhook.url ? 500 : 204))
    await retry(webhook, record.id)
    for (const waitMs of [0, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs]) {
      on.clock.move(waitMs)
      await deliver(on)
    }
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'FAILED', attempts: 6 }])
    expect(on.receiver.at(webhook.url)).toHaveLength(1 + 6)
    expect((await retry(webhook, record.id)).status).toBe(200)
  })

  test.each([
    ['DELIVERED', 204],
    ['PENDING', 500],
  ])('refuses a %s delivery and leaves it unchanged', async (status, answer) => {
    const { webhook, record } = await withDelivery(answer)
    expect(record).toMatchObject({ status })
    const { status: code, body } = await retry(webhook, record.id)
    expect([code, body.error.code]).toEqual([400, 'validation_failed'])
    expect(await recordsOf(on, webhook)).toEqual([record])
  })

  test('answers 404 for its deliveryId, under a different webhook, and for unknown ids', async () => {
    const { webhook, record } = await withDelivery(410)
    const other = await newWebhook(on)
    const [{ deliveryId }] = await recordsOf(on, webhook)
    const asked: [TestWebhook, string][] = [
      [webhook, deliveryId],
      [other, record.id],
      [webhook, nobody],
      [webhook, 'x'],
    ]
    const errors: object[] = []
    for (const [of, id] of asked) {
      const answer = await retry(of, id)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
      errors.push(comparableError(answer, { webhookId: of.id, id }))
    }
    expect(errors).toEqual(errors.map(() => errors[0]))
  })

  test('starts one cycle for 20 concurrent calls', async () => {
    const { webhook, record } = await withDelivery(410)
    on.receiver.answer(() => 204)
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(webhook, record.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(2)
  })

  test('is accepted while the webhook is disabled, and sends when it is enabled', async () => {
    const { webhook, record } = await withDelivery(410)
    await call('PATCH', webhook.path, { enabled: false })
    on.receiver.answer(() => 204)
    expect((await retry(webhook, record.id)).body.data.status).toBe('PENDING')
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(1)
    await call('PATCH', webhook.path, { enabled: true })
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(2)
  })
})

describe('replaying a range', () => {
  const replay = ({ path }: TestWebhook, body: unknown) => call('POST', `${path}/deliveries/replay`, body)

  test('restarts the failed deliveries, or all of them with includeDelivered', async () => {
    const webhook = await newWebhook(on)
    on.receiver.answer(() => 410)
    await fire(on)
    await deliver(on)
    on.clock.move(hourMs)
    const since = on.clock.now().toISOString()
    await fire(on)
    await deliver(on)
    on.receiver.answer(() => 204)
    await fire(on)
    await call('POST', `${webhook.path}/test`)
    await deliver(on)
    on.clock.move(minuteMs)
    const until = on.clock.now().toISOString()
    const sent = on.receiver.at(webhook.url).length

    const { status, body } = await replay(webhook, { since, until })
    expect([status, body.data]).toEqual([200, { replayed: 1 }])
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(sent + 1)
    expect((await replay(webhook, { since, until, includeDelivered: true })).body.data).toEqual({ replayed: 2 })
    await deliver(on)
    expect(on.receiver.at(webhook.url)).toHaveLength(sent + 3)
    const statuses = (await recordsOf(on, webhook)).map((record: { status: string }) => record.status)
    expect(statuses.toSorted()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED', 'PERMANENTLY_FAILED'])
    expect((await replay(webhook, { since: until, until: since })).body.data).toEqual({ replayed: 0 })
  })

  test.each([{}, { since: 'yesterday', until: '2026-11-20T10:00:00Z' }, { since: '2026-11-20T10:00:00Z' }])(
    'refuses the range %j',
    async (body) => {
      const webhook = await newWebhook(on)
      expect((await replay(webhook, body)).status).toBe(400)
    },
  )
})
