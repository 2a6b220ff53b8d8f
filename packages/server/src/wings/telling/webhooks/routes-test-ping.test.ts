import { expect, test } from 'vitest'
import { dayMs } from '../../../../testing/clock.ts'
import { held } from '../../../../testing/vendors/receiver.ts'
import {
  deliver,
  isSigned,
  newWebhook,
  recordsOf,
  type TestWebhook,
  webhookOf,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

const ping = ({ path }: TestWebhook) => on.service.call(on.service.people.admin, 'POST', `${path}/test`)

test('a ping that arrives gets 200 with the whole record', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => ({ status: 202, body: 'thanks' }))
  const { status, body } = await ping(webhook)
  const now = on.clock.now().toISOString()
  expect(status).toBe(200)
  expect(body.data).toEqual({
    id: expect.any(String),
    destinationId: webhook.id,
    deliveryId: expect.any(String),
    eventType: 'webhook.test',
    sourceEntityId: null,
    payload: {
      id: body.data.deliveryId,
      event: 'webhook.test',
      timestamp: now,
      project: { id: on.project.id },
      test: true,
      message: expect.any(String),
    },
    status: 'DELIVERED',
    attempts: 1,
    lastAttemptAt: now,
    nextRetryAt: null,
    responseStatus: 202,
    responseBody: 'thanks',
    errorMessage: null,
    createdAt: now,
  })
  expect(body.data.id).not.toBe(body.data.deliveryId)
  expect(await recordsOf(on, webhook)).toEqual([body.data])
  const [request] = on.receiver.at(webhook.url)
  expect(JSON.parse(request!.body)).toEqual(body.data.payload)
  expect(isSigned(request!, webhook.secret)).toBe(true)
})

test.each([
  ['an error', { status: 500, body: 'no' }, { responseStatus: 500, responseBody: 'no', errorMessage: null }],
  ['410', { status: 410, body: '' }, { responseStatus: 410, responseBody: '', errorMessage: null }],
  [
    'a timeout',
    { status: null, error: 'The endpoint did not answer within 10 s' },
    { responseStatus: null, responseBody: null, errorMessage: 'The endpoint did not answer within 10 s' },
  ],
  [
    'a failure of our own proxy',
    { status: null, error: 'The proxy did not answer', charged: false },
    { responseStatus: null, responseBody: null, errorMessage: 'The proxy did not answer' },
  ],
])('a ping that fails with %s gets 200 with FAILED and is not retried', async (_what, answer, shown) => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => answer)
  const { status, body } = await ping(webhook)
  expect([status, body.data.status, body.data.nextRetryAt]).toEqual([200, 'FAILED', null])
  expect(body.data).toMatchObject(shown)
  on.clock.move(dayMs)
  await deliver(on)
  expect(on.receiver.at(webhook.url)).toHaveLength(1)
})

test('pings neither count as failures nor reset the count', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(() => 500)
  for (let at = 0; at < 6; at += 1) await ping(webhook)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
})

test('a ping works without a subscription and while disabled, and leaves the ETag unchanged', async () => {
  const webhook = await newWebhook(on, { events: ['flag.deleted'] })
  await on.service.call(on.service.people.admin, 'PATCH', webhook.path, { enabled: false })
  const { etag } = (await on.service.call(on.service.people.admin, 'GET', webhook.path)).headers
  on.receiver.answer(() => 200)
  expect((await ping(webhook)).body.data.status).toBe('DELIVERED')
  expect((await on.service.call(on.service.people.admin, 'GET', webhook.path)).headers.etag).toBe(etag)
})

test('a ping gets 404 and leaves no record if its webhook is deleted meanwhile', async () => {
  const webhook = await newWebhook(on)
  const arrived = held<void>()
  const answer = held<number>()
  on.receiver.answer(() => {
    arrived.resolve()
    return answer.promise
  })
  const pinged = ping(webhook)
  await arrived.promise
  expect((await on.service.call(on.service.people.admin, 'DELETE', webhook.path)).status).toBe(200)
  answer.resolve(204)
  expect((await pinged).status).toBe(404)
})
