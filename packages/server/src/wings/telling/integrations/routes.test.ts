import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { comparableError } from '../../../../testing/comparable-error.ts'
import {
  configs,
  destinationBody,
  goodAnswer,
  newDestination,
  secretEnd,
  type TestKind,
} from '../../../../testing/destinations.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson } from '../../../../testing/people.ts'
import { createProject } from '../../../../testing/service.ts'
import { newWebhook, webhookTest } from '../../../../testing/webhooks.ts'

const on = webhookTest()
const kinds = Object.keys(configs) as TestKind[]
const asAdmin = (method: Parameters<typeof on.service.call>[1], path: string, body?: unknown) =>
  on.service.call(on.service.people.admin, method, path, body)
const create = (body: unknown) => asAdmin('POST', `${on.project.path}/destinations`, body)

describe.each(kinds)('%s', (kind) => {
  test('is created, read and listed without its secret', async () => {
    const { path, id } = await newDestination(on, kind)
    const read = await asAdmin('GET', path)
    expect(read.body.data).toMatchObject({ id, kind, events: ['flag.created'], enabled: true, heldUntil: null })
    const listed = await succeed(on.service, 'GET', `${on.project.path}/destinations?kind=${kind}`)
    expect(listed.map((each: { kind: string }) => each.kind)).toContain(kind)
    expect(JSON.stringify([read.body, listed])).not.toMatch(secretEnd)
    expect(JSON.stringify(read.body.data.config)).toContain('…WxYz')
  })

  test('sends a test, and shows how it was received', async () => {
    on.receiver.answer(goodAnswer)
    const { path } = await newDestination(on, kind)
    const { status, body } = await asAdmin('POST', `${path}/test`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'DELIVERED', attempts: 1, errorMessage: null, eventType: 'webhook.test' })
  })

  test('keeps no secret of what the receiver repeats', async () => {
    on.receiver.answer(({ url, headers, body }) => ({
      status: 500,
      body: `${url} ${JSON.stringify(headers)} ${body}`,
      error: 'The endpoint answered 500',
    }))
    const { path } = await newDestination(on, kind)
    const { body } = await asAdmin('POST', `${path}/test`)
    expect(body.data.status).toBe('FAILED')
    expect(body.data.responseBody).toContain('•••')
    expect(JSON.stringify(body)).not.toMatch(secretEnd)
  })

  test('is previewed with the request that it would send, without its secret', async () => {
    const before = on.receiver.received.length
    const { status, body } = await asAdmin('POST', `${on.project.path}/destinations/preview`, {
      kind,
      config: configs[kind],
      event: 'flag.srm_failed',
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ event: 'flag.srm_failed', eventId: null, message: { tone: 'BAD' } })
    expect(body.data.request.method).toBe('POST')
    expect(JSON.stringify(body)).not.toMatch(secretEnd)
    expect(on.receiver.received.length).toBe(before)
  })
})

describe('a preview', () => {
  const preview = (body: object) => asAdmin('POST', `${on.project.path}/destinations/preview`, body)

  test('hides every header of a template, and is JSON whatever a header contains', async () => {
    const config = {
      ...configs.TEMPLATE,
      headers: { 'X-Pin': '7', 'X-Debug': 'true', 'X-Text': 'text', 'X-Quote': '":"{{' },
      body: { text: 'true', debug: true, count: 7 },
    }
    const { status, body } = await preview({ kind: 'TEMPLATE', config, event: 'flag.created' })
    expect(status).toBe(200)
    const { headers, body: sent } = body.data.request
    expect(headers).toMatchObject({ 'X-Pin': '•••', 'X-Debug': '•••', 'X-Text': '•••', 'X-Quote': '•••' })
    expect(sent).toEqual({ '•••': '•••', debug: true, count: 7 })
  })

  test('does not reveal whether a text is the beginning of a secret', async () => {
    const { id } = await newDestination(on, 'TEMPLATE')
    const beginning = configs.TEMPLATE.url.slice('https://alarms.example/'.length, -4)
    const config = { body: { text: beginning } }
    const { body } = await preview({ kind: 'TEMPLATE', config, destinationId: id, event: 'flag.created' })
    expect(body.data.request.body).toEqual({ text: beginning })
  })
})

describe('an edit', () => {
  test('changes what it names and keeps the secret', async () => {
    on.receiver.answer(goodAnswer)
    const { path } = await newDestination(on, 'SLACK')
    const { status, body } = await asAdmin('PATCH', path, { name: '#releases', digest: 'HOURLY', quietHours: false })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      name: '#releases',
      digest: 'HOURLY',
      quietHours: false,
      config: { url: 'https://hooks.slack.com/…WxYz' },
    })
    await asAdmin('POST', `${path}/test`)
    expect(on.receiver.received.at(-1)!.url).toBe(configs.SLACK.url)
  })

  test('sends to a new address from then on, also what waits', async () => {
    on.receiver.answer(goodAnswer)
    const { path } = await newDestination(on, 'SLACK')
    const url = 'https://hooks.slack.com/services/T0/B0/another0000'
    expect((await asAdmin('PATCH', path, { config: { url } })).body.data.config).toEqual({
      url: 'https://hooks.slack.com/…0000',
    })
    await asAdmin('POST', `${path}/test`)
    expect(on.receiver.received.at(-1)!.url).toBe(url)
  })

  test.each<[string, TestKind, object, object, string[]]>([
    ['a token', 'JIRA', { site: 'https://evil.atlassian.net' }, { token: configs.JIRA.token }, ['config', 'token']],
    ['a token', 'GITHUB', { apiUrl: 'https://evil.example/api/v3' }, { token: 'ghp_otherWxYz' }, ['config', 'token']],
    [
      'headers',
      'TEMPLATE',
      { url: 'https://evil.example/in' },
      { headers: { 'X-Api-Key': 'otherWxYz' } },
      ['config', 'headers'],
    ],
  ])(
    'to a different host needs %s of %s again, so that an editor cannot send it to their own host',
    async (...[, kind, moved, again, field]) => {
      const { path } = await newDestination(on, kind)
      const { config: shown } = (await asAdmin('GET', path)).body.data
      for (const config of [moved, { ...shown, ...moved }]) {
        const { status, body } = await asAdmin('PATCH', path, { config })
        expect(status).toBe(400)
        expect(body.error.details.issues).toMatchObject([{ path: field, message: expect.stringMatching(/again/) }])
      }
      expect((await asAdmin('PATCH', path, { config: { ...moved, ...again } })).status).toBe(200)
    },
  )

  test('is refused if somebody else was faster', async () => {
    const { path } = await newDestination(on, 'SLACK')
    const { status } = await on.service.call(
      on.service.people.admin,
      'PATCH',
      path,
      { name: 'x' },
      { 'x-svc-if-match': '"d9"' },
    )
    expect(status).toBe(412)
  })
})

describe('is refused', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['an unknown kind', destinationBody('SLACK', { kind: 'FAX' }), 'kind', /must be one of SLACK/],
    [
      'a missing field of the kind',
      destinationBody('GITHUB', { config: { owner: 'acme', repo: 'shop' } }),
      'config.token',
      /./,
    ],
    [
      'an address without TLS',
      destinationBody('SLACK', { config: { url: 'http://hooks.slack.com/x' } }),
      'config.url',
      /https/,
    ],
    [
      'an unknown field of the kind',
      destinationBody('SLACK', { config: { ...configs.SLACK, channel: '#x' } }),
      'config.channel',
      /channel/,
    ],
    ['no event', destinationBody('SLACK', { events: [] }), 'events', /at least one/],
    [
      'an environment of nobody',
      destinationBody('SLACK', { environmentIds: ['nobody'] }),
      'environmentIds.0',
      /"environmentIds\[0\]: There is no environment nobody/,
    ],
    [
      'a placeholder that no event has',
      destinationBody('SLACK', { template: { title: '{{flag.colour}}', summary: null } }),
      'template.title',
      /\{\{flag\.colour\}\}/,
    ],
    [
      'a header that is ours',
      destinationBody('TEMPLATE', { config: { ...configs.TEMPLATE, headers: { Host: 'x' } } }),
      'config.headers.Host',
      /service/,
    ],
  ])('%s', async (_, body, field, message) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    const { issues } = answer.body.error.details
    expect(issues.map(({ path }: { path: string[] }) => path.join('.'))).toContain(field)
    expect(JSON.stringify(issues)).toMatch(message)
  })

  test('an address that the outbound rules forbid', async () => {
    on.receiver.forbid(() => 'The address is private.')
    const answer = await create(destinationBody('SLACK'))
    on.receiver.forbid(() => undefined)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues).toEqual([
      { path: ['config', 'url'], message: 'config.url: The address is private.' },
    ])
  })

  test('all projects, to a person who does not see all of them', async () => {
    const { token } = await newPerson(on.service, { role: 'ADMIN', projectIds: [on.project.id] })
    const answer = await on.service.call(
      token,
      'POST',
      `${on.project.path}/destinations`,
      destinationBody('SLACK', { allProjects: true }),
    )
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'role_missing'])
  })
})

test('a webhook is not a destination', async () => {
  const webhook = await newWebhook(on)
  expect((await asAdmin('GET', `${on.project.path}/destinations/${webhook.id}`)).status).toBe(404)
})

describe('a destination is not a webhook: the answer is that of an id that does not exist', () => {
  const unknown = '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00'
  const range = { since: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' }
  test.each<[Parameters<typeof asAdmin>[0], (record: string) => string, object | undefined]>([
    ['GET', () => '', undefined],
    ['PATCH', () => '', { name: 'x' }],
    ['DELETE', () => '', undefined],
    ['POST', () => '/secret', undefined],
    ['POST', () => '/test', undefined],
    ['GET', () => '/deliveries', undefined],
    ['GET', (record) => `/deliveries/${record}`, undefined],
    ['POST', (record) => `/deliveries/${record}/retry`, undefined],
    ['POST', () => '/deliveries/replay', range],
  ])('%s %s', async (method, rest, body) => {
    on.receiver.answer(() => ({ status: 404 }))
    const { id, path } = await newDestination(on, 'SLACK')
    await asAdmin('POST', `${path}/test`)
    const [record] = await succeed(on.service, 'GET', `${path}/deliveries`)
    const answerOf = async (webhookId: string) => {
      const answer = await asAdmin(method, `${on.project.path}/webhooks/${webhookId}${rest(record.id)}`, body)
      return { status: answer.status, error: comparableError(answer, { webhookId }) }
    }
    const answer = await answerOf(id)
    expect(answer).toEqual(await answerOf(unknown))
    expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })
})

test('a deleted destination takes its deliveries and secrets with it', async () => {
  on.receiver.answer(goodAnswer)
  const { id, path } = await newDestination(on, 'SLACK')
  await asAdmin('POST', `${path}/test`)
  expect((await asAdmin('DELETE', path)).status).toBe(200)
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from deliveries where destination_id = ${id})
      + (select count(*) from destination_secrets where destination_id = ${id}))::integer as count`.execute(
    on.service.db,
  )
  expect(rows[0]!.count).toBe(0)
})

test('a template that signs shows its secret once, and signs with it', async () => {
  const config = { ...configs.TEMPLATE, sign: true }
  const made = await create(destinationBody('TEMPLATE', { config }))
  const { id, secret } = made.body.data
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  const path = `${on.project.path}/destinations/${id}`
  expect(JSON.stringify(await asAdmin('GET', path))).not.toContain(secret)
  expect((await asAdmin('PATCH', path, { name: 'Signed' })).body.data.secret).toBeNull()
  await asAdmin('POST', `${path}/test`)
  const { headers } = on.receiver.received.at(-1)!
  expect(headers['x-svc-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
})

describe('without the secret key', () => {
  const breakSecrets = (id: string) =>
    sql`update destination_secrets set sealed = '\\x00'::bytea where destination_id = ${id}`.execute(on.service.db)

  test('a name can be changed, and a config is refused with what to do', async () => {
    const { id, path } = await newDestination(on, 'GITHUB')
    await breakSecrets(id)
    expect((await asAdmin('PATCH', path, { name: 'Renamed' })).status).toBe(200)
    const { status, body } = await asAdmin('PATCH', path, { config: { labels: ['ops'] } })
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'invalid_state',
      expect.stringContaining('secret key'),
    ])
  })

  test('a test fails and says why', async () => {
    const { id, path } = await newDestination(on, 'SLACK')
    await breakSecrets(id)
    const { body } = await asAdmin('POST', `${path}/test`)
    expect(body.data).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining('secret key') })
  })
})

test('deliveries of all projects are hidden from a person who does not see all of them', async () => {
  const { id, path } = await newDestination(on, 'SLACK', { allProjects: true })
  const { token } = await newPerson(on.service, { role: 'ADMIN', projectIds: [on.project.id] })
  const preview = { kind: 'SLACK', config: {}, destinationId: id }
  for (const [method, to, sent] of [
    ['GET', `${path}/deliveries`, undefined],
    ['PATCH', path, { name: 'Mine' }],
    ['POST', `${on.project.path}/destinations/preview`, preview],
  ] as const)
    expect((await on.service.call(token, method, to, sent)).body.error?.code, to).toBe('role_missing')
})

test('no secret is in the audit log', async () => {
  const { path } = await newDestination(on, 'GITHUB')
  await asAdmin('PATCH', path, { config: { token: 'ghp_otherSecretWxYz' } })
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(audit_entries::text, ''), '') as text from audit_entries where object_type = 'destination'`.execute(
    on.service.db,
  )
  expect(rows[0]!.text).toContain('destination.update')
  expect(rows[0]!.text).not.toMatch(secretEnd)
})

test('a destination of a different project is not found', async () => {
  const { id } = await newDestination(on, 'SLACK')
  const other = await createProject(on.service)
  expect((await asAdmin('GET', `${other.path}/destinations/${id}`)).status).toBe(404)
})

describe('a key', () => {
  const create = (more: Record<string, unknown>) =>
    on.service.call(on.service.people.admin, 'POST', `${on.project.path}/destinations`, destinationBody('SLACK', more))

  test('is made from the name, and addresses take it in place of the id', async () => {
    const { body } = await create({ name: '#Release notes' })
    expect(body.data.key).toBe('release-notes')
    const again = await create({ name: '#Release notes' })
    expect(again.body.data.key).toBe('release-notes-2')
    const path = `${on.project.path}/destinations/release-notes`
    expect((await succeed(on.service, 'GET', path)).id).toBe(body.data.id)
    await succeed(on.service, 'PATCH', path, { name: 'Other' })
    expect((await succeed(on.service, 'GET', path)).key).toBe('release-notes')
  })

  test('can be chosen, and belongs to one destination only', async () => {
    expect((await create({ key: 'chat' })).body.data.key).toBe('chat')
    const { status, body } = await create({ key: 'chat' })
    expect([status, body.error.details.issues[0].path]).toEqual([409, ['key']])
  })

  test('of a webhook can be used for a destination too', async () => {
    await newWebhook(on, { key: 'both' })
    expect((await create({ key: 'both' })).status).toBe(201)
    expect((await succeed(on.service, 'GET', `${on.project.path}/webhooks/both`)).url).toBeDefined()
  })
})

test('mail is refused where the service sends no mail', async () => {
  const { status, body } = await create({
    ...{ name: 'Mail', kind: 'EMAIL', config: { to: ['a@svc.test'] }, events: ['flag.created'] },
  })
  expect([status, body.error.code]).toEqual([409, 'invalid_state'])
})
