import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiDescription } from '../../../../../../scripts/api-description.ts'
import { configs, destinationBody } from '../../../../testing/destinations.ts'
import { succeed } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { newPerson, newServiceToken, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest, webhookBody } from '../../../../testing/webhooks.ts'
import { figureEvents } from '../../../catalogue/figures.ts'
import { bodySchemas, type ProducedEvent } from '../../../catalogue/payloads.ts'
import { exampleOf, type Schema } from '../../../http/openapi/example.ts'
import { authors, systemActor } from '../../../platform/outbox.ts'
import { sealWith } from '../../../platform/seal.ts'
import { fanOutToAll } from '../subscriptions/index.ts'

/** One of so many events without figures is told. A full run tells all of them. */
const withoutFigures = isFull ? 1 : 8

/** Those with figures come last, so that they are on the first page of every list. */
const told = [
  ...(Object.keys(bodySchemas) as ProducedEvent[])
    .filter((name) => !figureEvents.includes(name))
    .filter((_name, place) => place % withoutFigures === 0),
  ...(figureEvents as ProducedEvent[]),
].filter((name) => name !== 'webhook.test')
const stepMs = 5_000

let mail: MailServer
let on: WebhookTest
/** A viewer who hears every safety event by mail. */
let blind: TestPerson
/** Chose every event as an editor, and is a viewer now. */
let demoted: TestPerson
let sighted: TestPerson
/** Can change destinations and not read results. */
let writer: string
let doors: { noun: 'webhook' | 'destination'; path: string; recordName: string }[]
/** The deliveries of events with figures, by the path of their destination. */
const records = new Map<string, { id: string; eventType: string }[]>()

beforeAll(async () => {
  mail = await startMailServer()
  on = await startWebhookTest({ settings: { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' } })
  const { service, project } = on
  answerAll()
  blind = await newPerson(service)
  sighted = await newPerson(service, { role: 'EDITOR' })
  demoted = await newPerson(service, { role: 'EDITOR' })
  writer = await newServiceToken(service, [
    'webhooks:read',
    'webhooks:write',
    'integrations:read',
    'integrations:write',
  ])
  await choose(blind, 'SAFETY')
  await choose(sighted, told)
  await choose(demoted, told)
  const to = [blind.email, sighted.email]
  const webhook = await newWebhook(on, { events: told })
  const chat = await succeed(
    service,
    'POST',
    `${project.path}/destinations`,
    destinationBody('SLACK', { events: told }),
  )
  await succeed(service, 'POST', `${project.path}/destinations`, {
    ...{ name: 'Team', kind: 'EMAIL', config: { to }, events: told },
  })
  doors = [
    { noun: 'webhook', path: webhook.path, recordName: 'deliveryId' },
    { noun: 'destination', path: `${project.path}/destinations/${chat.id}`, recordName: 'recordId' },
  ]
  const { VIEWER: roleId } = await roleIds(service)
  await succeed(service, 'PATCH', `/api/v1/members/${demoted.id}`, { roleId })
  for (const name of told) await tell(name)
  // Each mailbox gets one mail at a time.
  while ((await waiting()) > 0);
  for (const { path } of doors)
    records.set(
      path,
      (await succeed(service, 'GET', `${path}/deliveries?limit=100`)).filter(({ eventType }: { eventType: string }) =>
        figureEvents.includes(eventType as never),
      ),
    )
})
afterAll(async () => {
  await on.service.close()
  await mail.close()
})

async function waiting(): Promise<number> {
  on.clock.move(stepMs)
  await deliver(on)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from deliveries where status = 'PENDING'`.execute(on.service.db)
  return rows[0]!.count
}

/** Receivers repeat what they were sent. */
const answerAll = () =>
  on.receiver.answer(({ url, body }) => ({ status: 200, body: url.startsWith(configs.SLACK.url) ? 'ok' : body }))

const choose = async (person: TestPerson, events: 'SAFETY' | readonly string[]) => {
  const subscriptions = [{ projectId: on.project.id, events }]
  const { status } = await person.inSession('PUT', '/api/dashboard/me/subscriptions', { subscriptions })
  return status
}

/** Records an event with an example of its body. Every field of its figures has a value that is easy to find. */
async function tell(name: ProducedEvent): Promise<void> {
  const { service, project, clock } = on
  const seal = sealWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url'))
  const author = authors([fanOutToAll(seal)], clock.now)(systemActor('test'))
  const { orgId } = await succeed(service, 'GET', project.path)
  const { $defs = {}, ...schema } = z.toJSONSchema(bodySchemas[name], { io: 'input', unrepresentable: 'any' })
  const text = JSON.stringify(exampleOf(schema as Schema, $defs as Record<string, Schema>))
  // The address of the examples is a secret where a request has it, and events are stored.
  const example = JSON.parse(text.replaceAll('https://example.org', 'https://files.example')) as Record<string, unknown>
  const { id: _id, event: _event, timestamp: _at, project: _project, triggeredBy: _by, ...payload } = example
  for (const field of ['results', 'alarm'])
    if (figureEvents.includes(name as never) && field in payload) payload[field] = marked(payload[field])
  const object = { type: 'webhook', id: project.id, name: 'Receiver' } as const
  await service.db.transaction().execute((tx) =>
    author.record(tx, {
      ...{ orgId, projectId: project.id, action: 'webhook.disable', object },
      events: [{ name, payload } as never],
    }),
  )
  clock.move(stepMs)
  await deliver(on)
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]))
  if (typeof value === 'string') return 'leaked'
  return typeof value === 'number' ? 0.4711 : value
}

const figure = /leaked|0\.4711|47\.1/
const mailsTo = ({ email }: TestPerson) =>
  mail.received.filter(({ to }) => to.includes(email)).map(({ text }) => text.replaceAll('=\n', ''))

describe('by mail', () => {
  test.each<[string, () => TestPerson]>([
    ['chose safety events, and whom a destination names', () => blind],
    ['chose every event when they could read results', () => demoted],
  ])('no figure comes to a member who %s', (_who, person) => {
    expect(mailsTo(person()).join('\n')).toContain('got worse in the experiment')
    for (const text of mailsTo(person())) expect(text).not.toMatch(figure)
  })

  test('figures come to members who can read results', () => {
    expect(mailsTo(sighted).filter((text) => figure.test(text))).toHaveLength(2 * figureEvents.length)
  })
})

describe('no read shows figures to a caller without results:read', async () => {
  const { paths } = await apiDescription()
  const reads = Object.entries(paths!)
    .filter(([, methods]) => 'get' in methods!)
    .map(([path, methods]) => ({ path, isList: JSON.stringify(methods!.get).includes('"limit"') }))
  const idsOf = (noun: (typeof doors)[number], record: string): Record<string, string> => ({
    ...{ projectId: on.project.id, envId: on.project.production.id, [noun.recordName]: record },
    [`${noun.noun}Id`]: noun.path.split('/').at(-1)!,
  })
  /** Undefined if the address names what this test has not made. */
  const addressOf = (path: string, ids: Record<string, string>) =>
    (path.match(/\{(\w+)\}/g) ?? []).every((name) => ids[name.slice(1, -1)])
      ? path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name]!)
      : undefined

  test('GET of every address', async () => {
    const shown = new Set<string>()
    const asked = new Set<string>()
    for (const door of doors)
      for (const { id } of records.get(door.path)!)
        for (const { path, isList } of reads) {
          const address = addressOf(path, idsOf(door, id))
          if (address === undefined || asked.has(address) || path.includes('stream')) continue
          asked.add(address)
          const url = `${address}${isList ? '?limit=100' : ''}`
          const answer = path.startsWith('/api/v1/')
            ? await on.service.call(blind.token, 'GET', url)
            : await blind.inSession('GET', url)
          expect(answer.text, url).not.toMatch(figure)
          if (path.startsWith('/api/v1/') && figure.test((await on.service.call(sighted.token, 'GET', url)).text))
            shown.add(path)
        }
    // A caller who can read results sees them there, so the test looks at the right places.
    expect([...shown].sort()).toEqual(
      expect.arrayContaining([
        '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries',
        '/api/v1/projects/{projectId}/destinations/{destinationId}/deliveries/{recordId}',
        '/api/v1/projects/{projectId}/events',
        '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries',
        '/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}',
      ]),
    )
  })

  test.each(told)('a preview of %s', async (event) => {
    const { path } = doors[1]!
    const preview = (token: string, body: object) =>
      on.service.call(token, 'POST', `${on.project.path}/destinations/preview`, body)
    const template = {
      kind: 'TEMPLATE',
      config: { ...configs.TEMPLATE, body: { one: '{{results}}', other: '{{alarm}}' } },
    }
    const record = records.get(path)!.find(({ eventType }) => eventType === event)
    const asked = [
      { ...template, event },
      { kind: 'SLACK', config: configs.SLACK, event },
      ...(record ? [{ kind: 'SLACK', config: {}, destinationId: path.split('/').at(-1), recordId: record.id }] : []),
    ]
    for (const body of asked) {
      const { status, text } = await preview(blind.token, body)
      expect([status, figure.test(text)]).toEqual([200, false])
    }
    const isFigure = figureEvents.includes(event as never)
    expect(figure.test((await preview(sighted.token, asked[0]!)).text)).toBe(isFigure)
  })
})

describe.each(['webhook', 'destination'] as const)('a %s that sends figures', (noun) => {
  const door = () => doors.find((each) => each.noun === noun)!
  const call = (method: 'PATCH' | 'POST', path: string, body?: object) => on.service.call(writer, method, path, body)

  test.each(figureEvents)('cannot be created with or subscribed to %s without results:read', async (event) => {
    const create = noun === 'webhook' ? webhookBody({ events: [event] }) : destinationBody('SLACK', { events: [event] })
    const made = await call('POST', `${on.project.path}/${noun}s`, create)
    const changed = await call('PATCH', door().path, { events: [event] })
    for (const { status, body } of [made, changed])
      expect([status, body.error.details.issues[0].path]).toEqual([400, ['events']])
  })

  test('cannot get a new address without results:read, but can be disabled and renamed', async () => {
    const elsewhere =
      noun === 'webhook' ? { url: 'https://mine.example/in' } : { config: { url: 'https://mine.example/in' } }
    const refused = await call('PATCH', door().path, elsewhere)
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, ['events']])
    for (const change of [{ name: 'Renamed' }, { enabled: false }, { enabled: true }])
      expect((await call('PATCH', door().path, change)).status).toBe(200)
  })

  test('cannot get a new address while figures wait, even if it no longer subscribes to them', async () => {
    on.receiver.answer(() => 500)
    const body = { events: ['flag.results_ready'] }
    const made = noun === 'webhook' ? webhookBody(body) : destinationBody('TEMPLATE', body)
    const { id } = await succeed(on.service, 'POST', `${on.project.path}/${noun}s`, made)
    const path = `${on.project.path}/${noun}s/${id}`
    await tell('flag.results_ready')
    expect((await call('PATCH', path, { events: ['flag.created'] })).status).toBe(200)
    const field = noun === 'webhook' ? 'url' : 'config'
    const elsewhere = { url: 'https://mine.example/in' }
    const refused = await call('PATCH', path, noun === 'webhook' ? elsewhere : { config: elsewhere })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, [field]])
    await succeed(on.service, 'DELETE', path)
    answerAll()
  })

  test('sends no figures again for a caller without results:read', async () => {
    const { path } = door()
    for (const { id } of records.get(path)!) {
      const { status, body } = await call('POST', `${path}/deliveries/${id}/retry`)
      expect([status, body.error.code]).toEqual([403, 'scope_missing'])
    }
    const range = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z', includeDelivered: true }
    await deliver(on)
    const all: { status: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const { body } = await on.service.call(on.service.people.admin, 'GET', `${path}/deliveries?${query}`)
      all.push(...body.data)
      cursor = body.page.nextCursor
    }
    const { body } = await call('POST', `${path}/deliveries/replay`, range)
    const ended = all.filter(({ status }) => status !== 'PENDING')
    expect(body.data.replayed).toBe(ended.length - figureEvents.length)
    expect(body.data.replayed).toBeGreaterThan(0)
  })
})

test.each(figureEvents)('%s cannot be chosen by mail without results:read', async (event) => {
  expect(await choose(await newPerson(on.service), [event])).toBe(400)
})
