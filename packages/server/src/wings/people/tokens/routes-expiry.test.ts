import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../../testing/clock.ts'
import { auditOf } from '../../../../testing/people.ts'
import { startTestService } from '../../../../testing/service.ts'
import { signIn } from '../../../../testing/sessions.ts'
import { startMailServer } from '../../../../testing/vendors/mail.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest } from '../../../../testing/webhooks.ts'
import { bodySchemas } from '../../../catalogue/payloads.ts'
import type { Mail, Mailer } from '../../../platform/mail.ts'
import { authors } from '../../../platform/outbox.ts'
import { fanOut } from '../../telling/deliveries/index.ts'
import { hashOf } from './secret.ts'
import type { Lifetime } from './token.ts'
import { expiryWarnings } from './worker.ts'

const url = '/api/dashboard/service-tokens'
let on: WebhookTest
const mails: Mail[] = []
const mailer: Mailer = {
  post: (mail) => void mails.push(mail),
  send: () => expect.unreachable('awaited'),
  timeoutMs: 1_000,
  close: async () => undefined,
}

beforeAll(async () => {
  on = await startWebhookTest()
})
afterAll(() => on.service.close())

/** The worker of one node. */
const node = (mail: Mailer | null = null) =>
  expiryWarnings({
    db: on.service.db,
    authorOf: authors([fanOut], on.clock.now),
    now: on.clock.now,
    mailer: mail,
    baseUrl: 'http://svc.test',
    onError: (error) => expect.unreachable(String(error)),
  })

const inDashboard = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  (await (await signIn(on.service, 'owner@svc.test')).call(method, path, body)).body.data

const create = (expiresIn: Lifetime, name = 'ci') => inDashboard('POST', url, { name, scopes: [], expiresIn })

const statusOf = async (id: string) =>
  (await inDashboard('GET', `${url}?limit=100`)).find((token: { id: string }) => token.id === id).status

const warningsOf = async (id: string) =>
  (await auditOf(on.service, id)).filter(({ action }) => action === 'service_token.warn')

const eventsOf = async (id: string) => {
  const { rows } = await sql<{ project: string; payload: object; by: unknown }>`
    select project_id as project, payload, triggered_by as by from events
    where name = 'token.expiring' and payload->'token'->>'id' = ${id} order by project_id`.execute(on.service.db)
  return rows
}

test.each<[Lifetime, number, number]>([
  ['7d', 7, 1],
  ['30d', 30, 7],
  ['90d', 90, 7],
  ['1y', 365, 7],
])(
  'a warning about a token for %s is sent once, when its status becomes EXPIRING',
  async (expiresIn, days, leadDays) => {
    const { id, expiresAt } = await create(expiresIn)
    on.clock.move((days - leadDays) * dayMs - 1)
    await node().run()
    expect([await statusOf(id), await warningsOf(id)]).toEqual(['ACTIVE', []])
    on.clock.move(1)
    await node().run()
    expect(await statusOf(id)).toBe('EXPIRING')
    expect(await warningsOf(id)).toEqual([
      { action: 'service_token.warn', actor: 'system', name: 'ci', before: null, after: { expiresAt } },
    ])
    on.clock.move(hourMs)
    await node().run()
    expect(await warningsOf(id)).toHaveLength(1)
  },
)

test('every project of the organization gets the event, and no other organization does', async () => {
  const { id, expiresAt } = await create('7d', 'nightly')
  on.clock.move(6 * dayMs)
  await node().run()
  const { rows } = await sql<{ id: string }>`
    select projects.id from projects join organizations org on org.id = org_id where org.name = 'Acme'
    order by projects.id`.execute(on.service.db)
  expect(rows.length).toBeGreaterThan(1)
  const payload = { token: { id, name: 'nightly', expiresAt } }
  expect(await eventsOf(id)).toEqual(rows.map((project) => ({ project: project.id, payload, by: null })))
})

test('a subscribed webhook gets the event in its documented shape', async () => {
  const hook = await newWebhook(on, { events: ['token.expiring'] })
  const { id } = await create('7d')
  on.clock.move(6 * dayMs)
  await node().run()
  await deliver(on)
  const bodies = on.receiver.at(hook.url).map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([{ event: 'token.expiring', token: { id }, triggeredBy: null }])
  expect(bodySchemas['token.expiring'].parse(bodies[0])).toEqual(bodies[0])
})

test('one of several nodes that check at once sends the warning', async () => {
  const tokens = await Promise.all(['a', 'b', 'c'].map((name) => create('7d', name)))
  on.clock.move(6 * dayMs)
  await Promise.all(Array.from({ length: 5 }, () => node().run()))
  for (const { id } of tokens) {
    expect(await warningsOf(id)).toHaveLength(1)
    expect(new Set((await eventsOf(id)).map(({ project }) => project)).size).toBe((await eventsOf(id)).length)
  }
})

test('revoked tokens, previous secrets and expired tokens get no warning', async () => {
  const revoked = await create('7d')
  await inDashboard('DELETE', `${url}/${revoked.id}`)
  const expired = await create('7d')
  const never = await create('never')
  const { previous, token } = await inDashboard('POST', `${url}/${(await create('7d')).id}/rotate`)
  on.clock.move(7 * dayMs - 1)
  const lateSecret = await create('7d')
  await inDashboard('POST', `${url}/${lateSecret.id}/rotate`)
  on.clock.move(1)
  await node().run()
  for (const { id } of [revoked, expired, never, previous, token, lateSecret]) expect(await warningsOf(id)).toEqual([])
})

test('owners and administrators get a mail if the service has a mail server', async () => {
  const { id } = await create('7d', 'two')
  // Earlier versions accepted such a name.
  await sql`update tokens set name = ${'two\r\nlines'} where id = ${id}`.execute(on.service.db)
  on.clock.move(6 * dayMs)
  const from = mails.length
  await Promise.all([node(mailer).run(), node(mailer).run()])
  expect(await warningsOf(id)).toHaveLength(1)
  const own = mails.slice(from).filter(({ subject }) => subject.includes('two'))
  expect(own.map(({ to }) => to)).toEqual(['owner@svc.test'])
  expect(own[0]!.subject).toBe('A service token of Acme expires soon: two lines')
  expect(own[0]!.text).toContain('http://svc.test')
})

test('a starting service sends due warnings, also by mail', async () => {
  const mail = await startMailServer()
  const soon = new Date(Date.now() + hourMs)
  await sql`
    insert into tokens (id, kind, org_id, name, secret_hash, scopes, expires_at, created_at)
    select ${crypto.randomUUID()}, 'SERVICE', id, 'at start', ${hashOf('of nobody')}, '{}', ${soon}, now()
    from organizations where name = 'Acme'`.execute(on.service.db)
  await on.service.stop()
  const smtp = { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' }
  const again = await startTestService({ address: on.service.address, settings: { ...on.service.settings, ...smtp } })
  expect(await mail.next('owner@svc.test')).toMatchObject({
    from: 'svc@svc.test',
    subject: 'A service token of Acme expires soon: at start',
    text: expect.stringContaining(soon.toUTCString()),
  })
  await again.close()
  await mail.close()
})
