import { expect, test } from 'vitest'
import { minuteMs } from '../../../../testing/clock.ts'
import { createProject } from '../../../../testing/service.ts'
import {
  deliver,
  fire,
  newWebhook,
  recordsOf,
  type TestWebhook,
  webhookOf,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

const patch = ({ path }: TestWebhook, body: unknown) => on.service.call(on.service.people.admin, 'PATCH', path, body)

/** Makes one delivery for each answer, in order. Other webhooks answer 204. */
async function end(webhook: TestWebhook, ...answers: number[]): Promise<void> {
  for (const answer of answers) {
    on.receiver.answer(({ url }) => (url === webhook.url ? answer : 204))
    await fire(on)
    await deliver(on)
  }
}

const isGone = 410

test('five consecutive failed deliveries disable a webhook, with time, reason and a new ETag', async () => {
  const webhook = await newWebhook(on)
  await end(webhook, isGone, isGone, isGone, isGone)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 4, disabledAt: null })
  on.clock.move(minuteMs)
  await end(webhook, isGone)
  const now = on.clock.now().toISOString()
  expect(await webhookOf(on, webhook)).toMatchObject({
    enabled: false,
    consecutiveFailures: 5,
    disabledAt: now,
    updatedAt: now,
    disableReason: '5 consecutive deliveries failed.',
  })
  const { headers } = await on.service.call(on.service.people.admin, 'GET', webhook.path)
  expect(headers.etag).toBe('"w2"')
  await end(webhook, 204)
  expect(on.receiver.at(webhook.url)).toHaveLength(5)
})

test('an exhausted ladder counts as one failure, and its attempts do not count', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? 500 : 204))
  for (let at = 0; at < 5; at += 1) await fire(on)
  for (const waitMinutes of [0, 1, 5, 30, 120]) {
    on.clock.move(waitMinutes * minuteMs)
    for (let at = 0; at < 5; at += 1) await deliver(on)
    expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
  }
  on.clock.move(720 * minuteMs)
  for (let at = 0; at < 5; at += 1) await deliver(on)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: false, consecutiveFailures: 5 })
})

test('a success between failures resets the count', async () => {
  const webhook = await newWebhook(on)
  await end(webhook, 410, 410, 410, 410, 204, 410, 410, 410, 410)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 4 })
})

test('the success of a retry by hand resets the count', async () => {
  const webhook = await newWebhook(on)
  await end(webhook, 410, 410, 410, 410)
  const [{ id }] = await recordsOf(on, webhook)
  on.receiver.answer(() => 204)
  await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/deliveries/${id}/retry`)
  await deliver(on)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
})

test('webhooks of all projects of the organization get webhook.disabled, but not those of others', async () => {
  const elsewhere = { ...on, project: await createProject(on.service) }
  const subscribed = { events: ['webhook.disabled'] }
  const [beside, far, deaf] = [
    await newWebhook(on, subscribed),
    await newWebhook(elsewhere, subscribed),
    await newWebhook(elsewhere),
  ]
  const { people } = on.service
  const { body: foreign } = await on.service.call(people.stranger, 'POST', '/api/v1/projects', { name: 'Theirs' })
  const path = `/api/v1/projects/${foreign.data.id}/webhooks`
  const url = 'https://stranger.example/in'
  const theirs = await on.service.call(people.stranger, 'POST', path, { name: 'Theirs', url, ...subscribed })
  expect(theirs.status).toBe(201)
  const webhook = await newWebhook(on, { events: ['flag.created', 'webhook.disabled'] })
  await end(webhook, 410, 410, 410, 410, 410)
  await deliver(on)
  for (const { url: told } of [beside, far]) {
    const bodies = on.receiver.at(told).map(({ body }) => JSON.parse(body))
    expect(bodies).toMatchObject([
      {
        event: 'webhook.disabled',
        project: { id: on.project.id },
        webhook: { id: webhook.id, enabled: false },
        reason: '5 consecutive deliveries failed.',
        triggeredBy: null,
      },
    ])
  }
  expect([on.receiver.at(deaf.url), on.receiver.at(url)]).toEqual([[], []])
  expect(on.receiver.at(webhook.url)).toHaveLength(5)
})

test('a disabled webhook holds its deliveries and sends them when it is enabled', async () => {
  const webhook = await newWebhook(on)
  on.receiver.answer(({ url }) => (url === webhook.url ? 500 : 204))
  await fire(on)
  await deliver(on)
  await patch(webhook, { enabled: false })
  on.receiver.answer(() => 204)
  on.clock.move(600 * minuteMs)
  await deliver(on)
  await fire(on)
  expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'PENDING', attempts: 1 }])
  await patch(webhook, { enabled: true })
  await deliver(on)
  expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})

test('enabling resets the count, so it takes five more failures to disable it', async () => {
  const webhook = await newWebhook(on)
  await end(webhook, 410, 410, 410, 410, 410)
  const { body } = await patch(webhook, { enabled: true })
  expect(body.data).toMatchObject({ enabled: true, consecutiveFailures: 0, disabledAt: null, disableReason: null })
  await end(webhook, 410, 410, 410, 410)
  expect(await webhookOf(on, webhook)).toMatchObject({ enabled: true, consecutiveFailures: 4 })
})
