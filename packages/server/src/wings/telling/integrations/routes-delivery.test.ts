import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../../testing/clock.ts'
import {
  bodiesAt,
  configs,
  goodAnswer,
  newDestination,
  secondWorker,
  type TestDestination,
} from '../../../../testing/destinations.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson } from '../../../../testing/people.ts'
import { createProject } from '../../../../testing/service.ts'
import { changeDuring, deliver, fire, newWebhook, type WebhookTest, webhookTest } from '../../../../testing/webhooks.ts'
import { eventNames } from '../../../catalogue/events.ts'
import { authors, systemActor } from '../../../platform/outbox.ts'
import { claimBatches, fanOut } from '../deliveries/index.ts'

const slackHost = 'hooks.slack.com'
const secondMs = 1_000

const on = webhookTest()
beforeEach(async () => {
  on.project = await createProject(on.service)
  on.receiver.received.splice(0)
  on.receiver.answer(goodAnswer)
})
// Deliveries that a test leaves waiting must not be sent in the next one.
afterEach(async () => {
  const { service, project } = on
  const { key } = await succeed(service, 'GET', project.path)
  const admin = service.people.admin
  const answer = await service.call(admin, 'DELETE', project.path, undefined, { 'x-svc-confirm': key })
  expect(answer.status).toBe(200)
})

/** Gives the organization a setting that it has during a test. */
async function withSetting(
  column: 'quiet_hours' | 'notification_filter',
  value: object,
  run: () => Promise<void>,
): Promise<void> {
  const set = (to: string | null) =>
    sql`update organizations set ${sql.ref(column)} = ${to}::jsonb`.execute(on.service.db)
  await set(JSON.stringify(value))
  await run().finally(() => set(null))
}

const records = ({ service }: WebhookTest, { path }: TestDestination, more = '') =>
  succeed(service, 'GET', `${path}/deliveries?limit=100${more}`)
const read = ({ service }: WebhookTest, { path }: TestDestination) => succeed(service, 'GET', path)

/** Records this number of changes at once, in one transaction. */
async function burst({ service, project, clock }: WebhookTest, count: number): Promise<void> {
  const author = authors([fanOut], clock.now)(systemActor('test'))
  const { orgId } = await succeed(service, 'GET', project.path)
  const segmentNames = { id: project.id, shortId: 1, key: 'segment' }
  await service.db.transaction().execute((tx) =>
    author.recordAll(
      tx,
      Array.from({ length: count }, (_, index) => ({
        by: author,
        change: {
          orgId,
          projectId: project.id,
          action: 'segment.create' as const,
          object: { type: 'segment' as const, id: project.id, name: `Segment ${index}` },
          events: [
            {
              name: 'segment.created' as const,
              payload: { segment: { ...segmentNames, name: `Segment ${index}`, count: 0 } },
            },
          ],
        },
      })),
    ),
  )
}

async function inTurns(on: WebhookTest, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await deliver(on)
    on.clock.move(secondMs)
  }
}

test('an event becomes a message at once', async () => {
  const slack = await newDestination(on, 'SLACK')
  await fire(on)
  await deliver(on)
  expect(bodiesAt(on.receiver, slackHost)).toMatchObject([{ text: expect.stringContaining('created the flag') }])
  expect(await records(on, slack)).toMatchObject([
    { status: 'DELIVERED', attempts: 1, responseStatus: 200, eventType: 'flag.created' },
  ])
})

test('messages keep the pace of their kind over two nodes', async () => {
  await newDestination(on, 'SLACK')
  const second = secondWorker(on)
  for (let flags = 0; flags < 3; flags++) await fire(on)
  for (let messages = 1; messages <= 3; messages++) {
    second.wake()
    await Promise.all([deliver(on), second.idle()])
    second.wake()
    await Promise.all([deliver(on), second.idle()])
    expect(bodiesAt(on.receiver, slackHost)).toHaveLength(messages)
    on.clock.move(secondMs)
  }
})

test('500 events at once are ten messages and 500 delivered records', async () => {
  const slack = await newDestination(on, 'SLACK', { events: ['segment.created'] })
  await burst(on, 500)
  await inTurns(on, 12)
  const bodies = bodiesAt(on.receiver, slackHost)
  expect(bodies).toHaveLength(10)
  expect(bodies[0].text).toMatch(/^50 events in /)
  const delivered = await records(on, slack, '&status=DELIVERED')
  expect(delivered).toHaveLength(100)
  expect(await records(on, slack, '&status=PENDING')).toEqual([])
})

describe('a receiver that asks to wait', () => {
  test.each<[string, Record<string, string>, number]>([
    ['in seconds', { 'retry-after': '30' }, 30],
    ['in parts of a second, at least one', { 'retry-after': '0.4' }, 1],
    ['until a reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'IN 90' }, 90],
    ['without a time', {}, 60],
    ['for longer than an hour', { 'retry-after': '90000' }, 3600],
  ])('%s: nothing is charged, lost or early', async (_, headers, seconds) => {
    const slack = await newDestination(on, 'SLACK')
    const resetAt = (text: string) =>
      text.startsWith('IN ') ? String(Math.ceil(on.clock.now().getTime() / 1000) + Number(text.slice(3))) : text
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, resetAt(value)]))
    on.receiver.answer(() => ({ status: 429, headers: given, retryAfter: given['retry-after'] ?? null }))
    await fire(on)
    await deliver(on)
    const { heldUntil, consecutiveFailures, enabled } = await read(on, slack)
    const waitsMs = new Date(heldUntil).getTime() - on.clock.now().getTime()
    expect(Math.abs(waitsMs - seconds * 1000)).toBeLessThanOrEqual(1000)
    expect([consecutiveFailures, enabled]).toEqual([0, true])
    expect(await records(on, slack)).toMatchObject([{ status: 'PENDING', attempts: 0, responseStatus: 429 }])
    on.receiver.answer(goodAnswer)
    on.clock.move(waitsMs - 1)
    await deliver(on)
    expect(bodiesAt(on.receiver, slackHost)).toHaveLength(1)
    on.clock.move(1)
    await deliver(on)
    expect(bodiesAt(on.receiver, slackHost)).toHaveLength(2)
    expect(await records(on, slack)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
    expect(await read(on, slack)).toMatchObject({ heldUntil: null })
  })

  test('twice as long each time, if it names no time', async () => {
    const slack = await newDestination(on, 'SLACK')
    on.receiver.answer(() => ({ status: 429 }))
    await fire(on)
    const waits: number[] = []
    for (let holds = 0; holds < 3; holds++) {
      await deliver(on)
      const waitsMs = new Date((await read(on, slack)).heldUntil).getTime() - on.clock.now().getTime()
      waits.push(waitsMs / 1000)
      on.clock.move(waitsMs)
    }
    expect(waits).toEqual([60, 120, 240])
  })

  test('for a whole day has failed', async () => {
    const slack = await newDestination(on, 'SLACK')
    on.receiver.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await fire(on)
    for (let hours = 0; hours < 25; hours++) {
      await deliver(on)
      on.clock.move(hourMs)
    }
    expect((await records(on, slack))[0].attempts).toBeGreaterThan(0)
  })
})

test('a destination and the list of destinations count the messages that are tried again', async () => {
  const slack = await newDestination(on, 'SLACK')
  const counts = async () => [
    (await read(on, slack)).retrying,
    ...(await succeed(on.service, 'GET', `${on.project.path}/destinations`)).map(
      ({ retrying }: { retrying: number }) => retrying,
    ),
  ]
  expect(await counts()).toEqual([0, 0])
  on.receiver.answer(() => ({ status: 503 }))
  await fire(on)
  await deliver(on)
  expect(await counts()).toEqual([1, 1])
  on.receiver.answer(goodAnswer)
  on.clock.move(hourMs)
  await deliver(on)
  expect(await counts()).toEqual([0, 0])
})

test('five messages that fail for good disable it, and say so', async () => {
  const slack = await newDestination(on, 'SLACK')
  on.receiver.answer(() => ({ status: 404, body: 'no_service', error: 'The endpoint answered 404' }))
  for (let flags = 0; flags < 5; flags++) {
    await fire(on)
    await deliver(on)
    on.clock.move(secondMs)
  }
  expect(await read(on, slack)).toMatchObject({ enabled: false, disableReason: '5 consecutive deliveries failed.' })
  const events = await succeed(on.service, 'GET', `${on.project.path}/events?limit=100`)
  expect(JSON.stringify(events)).toContain('destination.disabled')
  const [record] = await records(on, slack)
  expect(record).toMatchObject({ status: 'PERMANENTLY_FAILED', errorMessage: 'The endpoint answered 404' })
})

test('a folded message that fails is one failure', async () => {
  const slack = await newDestination(on, 'SLACK', { events: ['segment.created'] })
  on.receiver.answer(() => ({ status: 404, body: 'no_service' }))
  await burst(on, 20)
  await deliver(on)
  expect(await read(on, slack)).toMatchObject({ enabled: true, consecutiveFailures: 1 })
})

test('a failed delivery that is retried by hand has the present form', async () => {
  const slack = await newDestination(on, 'SLACK')
  on.receiver.answer(() => ({ status: 404 }))
  await fire(on)
  await deliver(on)
  on.receiver.answer(goodAnswer)
  await succeed(on.service, 'PATCH', slack.path, { template: { title: 'New: {{flag.key}}', summary: null } })
  const [{ id }] = await records(on, slack)
  await succeed(on.service, 'POST', `${slack.path}/deliveries/${id}/retry`)
  on.clock.move(secondMs)
  await deliver(on)
  expect(await records(on, slack)).toMatchObject([{ status: 'DELIVERED' }])
  expect(bodiesAt(on.receiver, slackHost).at(-1).text).toMatch(/^New: flag-/)
})

describe('a change during an attempt', () => {
  async function during(on: WebhookTest, change: () => Promise<unknown>, answer: number): Promise<void> {
    await changeDuring(on, { url: configs.SLACK.url, change, answer })
    on.receiver.answer(goodAnswer)
  }
  const call = (on: WebhookTest, method: 'PATCH' | 'DELETE', { path }: TestDestination, body?: object) =>
    on.service.call(on.service.people.admin, method, path, body)
  const urlsOf = (on: WebhookTest) => on.receiver.received.map(({ url }) => url)

  test('to the address lets the attempt end at the old one, and the retry goes to the new one', async () => {
    const slack = await newDestination(on, 'SLACK')
    const url = 'https://hooks.slack.com/services/T0/B0/movedSecretWxYz'
    await during(on, () => call(on, 'PATCH', slack, { config: { url } }), 500)
    on.clock.move(hourMs)
    await deliver(on)
    expect(urlsOf(on)).toEqual([configs.SLACK.url, url])
  })

  test('that disables it lets the attempt end, and holds the retry until it is enabled', async () => {
    const slack = await newDestination(on, 'SLACK')
    await during(on, () => call(on, 'PATCH', slack, { enabled: false }), 500)
    on.clock.move(hourMs)
    await deliver(on)
    expect(await records(on, slack)).toMatchObject([{ status: 'PENDING', attempts: 1 }])
    await call(on, 'PATCH', slack, { enabled: true })
    await deliver(on)
    expect(await records(on, slack)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  test('that deletes it lets the attempt end, and no record is left', async () => {
    const slack = await newDestination(on, 'SLACK')
    await during(on, () => call(on, 'DELETE', slack), 200)
    const { rows } = await sql`select from deliveries where destination_id = ${slack.id}`.execute(on.service.db)
    expect(rows).toEqual([])
    expect((await on.service.call(on.service.people.admin, 'GET', slack.path)).status).toBe(404)
  })
})

test('a ticket is made once, and closed when its cause is over', async () => {
  const pagerduty = await newDestination(on, 'PAGERDUTY', { events: ['webhook.disabled'] })
  const webhook = await newWebhook(on)
  on.receiver.answer((request) => (request.url === webhook.url ? 410 : goodAnswer(request)))
  for (let flags = 0; flags < 5; flags++) {
    await fire(on)
    await deliver(on)
  }
  on.clock.move(secondMs)
  await deliver(on)
  const host = 'events.pagerduty.com'
  expect(bodiesAt(on.receiver, host).map((body) => body.event_action)).toEqual(['trigger'])
  await succeed(on.service, 'PATCH', webhook.path, { enabled: true })
  on.clock.move(secondMs)
  await deliver(on)
  const sent = bodiesAt(on.receiver, host)
  expect(sent.map((body) => body.event_action)).toEqual(['trigger', 'resolve'])
  expect(new Set(sent.map((body) => body.dedup_key)).size).toBe(1)
  expect((await records(on, pagerduty)).map((each: { status: string }) => each.status)).toEqual([
    'DELIVERED',
    'DELIVERED',
  ])
})

test('an open ticket is shown at the flag that it is about, and nowhere else', async () => {
  await newDestination(on, 'GITHUB')
  const [{ id }, other] = [await fire(on), await fire(on)]
  await deliver(on)
  on.clock.move(secondMs)
  await deliver(on)
  const at = async (project: { id: string }, about: string) =>
    succeed(on.service, 'GET', `/api/dashboard/projects/${project.id}/tickets?about=${about}`)
  const ticket = { kind: 'GITHUB', name: '#7', url: 'https://github.com/acme/shop/issues/7', event: 'flag.created' }
  expect(await at(on.project, id)).toMatchObject([ticket])
  expect(await at(on.project, other.id)).toMatchObject([ticket])
  expect(await at(await createProject(on.service), id)).toEqual([])
  expect(await at(on.project, on.project.id)).toEqual([])
})

test('a chat that waits does not delay a webhook', async () => {
  await newDestination(on, 'SLACK')
  const webhook = await newWebhook(on)
  on.receiver.answer((request) => (request.url === configs.SLACK.url ? { status: 429 } : 204))
  for (let flags = 0; flags < 5; flags++) await fire(on)
  await deliver(on)
  expect(on.receiver.at(webhook.url)).toHaveLength(5)
  expect(bodiesAt(on.receiver, slackHost)).toHaveLength(1)
})

test('quiet hours and digests delay messages only at destinations that want them', () =>
  withSetting('quiet_hours', { from: '10:00', to: '12:00', days: [], timezone: 'UTC' }, async () => {
    const { clock } = on
    const tenOClock = 10 * hourMs
    clock.move((tenOClock + dayMs - (clock.now().getTime() % dayMs)) % dayMs)
    const keeps = await newDestination(on, 'SLACK', { quietHours: true })
    const daily = await newDestination(on, 'DISCORD', { quietHours: false, digest: 'DAILY' })
    const never = await newDestination(on, 'TEAMS', { quietHours: false })
    const statuses = async () =>
      Promise.all(
        [keeps, daily, never].map(async (each) =>
          (await records(on, each)).map((one: { status: string }) => one.status),
        ),
      )
    for (let flags = 0; flags < 4; flags++) await fire(on)
    await inTurns(on, 5)
    const [waiting, delivered] = [Array(4).fill('PENDING'), Array(4).fill('DELIVERED')]
    expect(await statuses()).toEqual([waiting, waiting, delivered])
    clock.move(2 * hourMs)
    await deliver(on)
    expect(await statuses()).toEqual([delivered, waiting, delivered])
    expect(bodiesAt(on.receiver, slackHost)).toMatchObject([{ text: expect.stringMatching(/^4 events in /) }])
    clock.move(24 * hourMs)
    await deliver(on)
    expect((await statuses())[1]).toEqual(delivered)
  }))

test('a digest of two events is one message', async () => {
  const daily = await newDestination(on, 'SLACK', { digest: 'DAILY' })
  for (let flags = 0; flags < 2; flags++) await fire(on)
  on.clock.move(24 * hourMs)
  await inTurns(on, 3)
  expect(bodiesAt(on.receiver, slackHost)).toMatchObject([{ text: expect.stringMatching(/^2 events in /) }])
  expect(await records(on, daily)).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }])
})

test('the preview of the filter is what is then sent', () => {
  const filter = { mode: 'EXCLUDE', keywords: ['stag', 'SEGMENT 1'] }
  return withSetting('notification_filter', filter, async () => {
    const { service, project } = on
    const webhook = await newWebhook(on, { events: eventNames })
    const owner = await newPerson(service, { role: 'OWNER' })
    const counts = async () => {
      const body = { notifications: filter, days: 30 }
      const preview = await owner.inSession('POST', '/api/dashboard/organization/notifications/preview', body)
      const sent = await succeed(service, 'GET', `${webhook.path}/deliveries?limit=100`)
      const byEvent = new Map<string, { passed: number; sent: number }>()
      const of = (name: string) => byEvent.get(name) ?? { passed: 0, sent: 0 }
      for (const { event, passed } of preview.body.data.byEvent) byEvent.set(event, { ...of(event), passed })
      for (const { eventType } of sent) byEvent.set(eventType, { ...of(eventType), sent: of(eventType).sent + 1 })
      return byEvent
    }
    const before = await counts()
    await fire(on)
    await burst(on, 14)
    await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging', key: 'staging' })
    await fire(on)
    await succeed(service, 'PATCH', project.path, { name: 'Stages' })
    const after = await counts()
    const differences = [...after].map(([event, { passed, sent }]) => {
      const earlier = before.get(event) ?? { passed: 0, sent: 0 }
      return { event, passed: passed - earlier.passed, sent: sent - earlier.sent }
    })
    for (const { event, passed, sent } of differences) expect([event, passed]).toEqual([event, sent])
    // Five of the 14 segments have the second word in their names: 1 and 10 to 13.
    expect(differences).toContainEqual({ event: 'segment.created', passed: 9, sent: 9 })
    expect(differences).toContainEqual({ event: 'flag.created', passed: 2, sent: 2 })
    expect(after.get('environment.created')?.sent ?? 0).toBe(before.get('environment.created')?.sent ?? 0)
  })
})

// The last test, because the node of the others delivers nothing afterwards.
test('what a node held when it was killed is sent by another one after the lease', async () => {
  const slack = await newDestination(on, 'SLACK')
  // Otherwise, this one could be faster than the node that is killed.
  await on.service.deliveries.stop()
  const second = secondWorker(on)
  const work = async () => {
    second.wake()
    await second.idle()
  }
  await fire(on)
  const now = on.clock.now()
  const leaseUntil = new Date(now.getTime() + 30 * secondMs)
  const claim = { now, leaseUntil, mailUntil: leaseUntil, folds: [], total: 10, perLane: 8 }
  const all = { exceptions: new Map(), after: null }
  expect(await claimBatches(on.service.db, { ...claim, ...all })).toHaveLength(1)
  on.clock.move(29 * secondMs)
  await work()
  expect(bodiesAt(on.receiver, slackHost)).toEqual([])
  on.clock.move(secondMs)
  await work()
  expect(await records(on, slack)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})
