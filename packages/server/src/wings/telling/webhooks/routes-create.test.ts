import { describe, expect, test } from 'vitest'
import { createProject } from '../../../../testing/service.ts'
import { webhookBody, webhookTest } from '../../../../testing/webhooks.ts'
import { eventNames } from '../../../catalogue/events.ts'

const on = webhookTest()

const create = (body: unknown, path = on.project.path) =>
  on.service.call(on.service.people.admin, 'POST', `${path}/webhooks`, body)
const listed = async () => {
  const { body } = await on.service.call(on.service.people.admin, 'GET', `${on.project.path}/webhooks`)
  return body.data
}

test('creating a webhook answers 201 with every field, the secret and an ETag', async () => {
  const body = webhookBody({ events: ['flag.published', 'experiment.launched'] })
  const { status, headers, body: answer } = await create(body)
  expect(status).toBe(201)
  expect(headers.etag).toBe('"w1"')
  const now = on.clock.now().toISOString()
  const { body: project } = await on.service.call(on.service.people.admin, 'GET', on.project.path)
  expect(answer).toEqual({
    data: {
      ...body,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      projectId: on.project.id,
      key: body.name.toLowerCase().replace(' ', '-'),
      orgId: project.data.orgId,
      enabled: true,
      disabledAt: null,
      disableReason: null,
      consecutiveFailures: 0,
      retrying: 0,
      retryDelaysMs: [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000],
      createdAt: now,
      updatedAt: now,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
})

test('a webhook has a key, made from the name or chosen, which addresses take in place of the id', async () => {
  const named = async (name: string, more = {}) => create({ ...webhookBody(), name, ...more })
  const keys = [await named('Release log'), await named('Release log'), await named('Chosen', { key: 'my.hook' })]
  expect(keys.map(({ body }) => body.data.key)).toEqual(['release-log', 'release-log-2', 'my.hook'])
  const taken = await named('Again', { key: 'my.hook' })
  expect([taken.status, taken.body.error.details.issues[0].path]).toEqual([409, ['key']])
  const path = `${on.project.path}/webhooks/my.hook`
  const one = (method: 'GET' | 'PATCH', body?: unknown) => on.service.call(on.service.people.admin, method, path, body)
  expect((await one('GET')).body.data).toMatchObject({ id: keys[2]!.body.data.id, key: 'my.hook', name: 'Chosen' })
  expect((await one('PATCH', { key: 'other' })).status).toBe(400)
  const { body } = await on.service.call(
    on.service.people.admin,
    'GET',
    `/api/v1/audit?objectId=${keys[2]!.body.data.id}`,
  )
  expect(body.data[0].after.key).toBe('my.hook')
})

test('only this answer contains the secret, and each webhook has its own', async () => {
  const [one, two] = [await create(webhookBody()), await create(webhookBody())]
  expect(one.body.data.secret).not.toBe(two.body.data.secret)
  const read = await on.service.call(on.service.people.admin, 'GET', `${on.project.path}/webhooks/${one.body.data.id}`)
  expect(Object.keys(read.body.data)).not.toContain('secret')
  for (const webhook of await listed()) expect(Object.keys(webhook)).not.toContain('secret')
})

describe('the body', () => {
  test.each([
    ['without a name', { name: undefined }, ['name']],
    ['without a URL', { url: undefined }, ['url']],
    ['without events', { events: undefined }, ['events']],
    ['with an empty list of events', { events: [] }, ['events']],
    ['with an empty name', { name: '' }, ['name']],
    ['with a name of the wrong type', { name: 1 }, ['name']],
    ['with an unknown field', { secret: 'x' }, ['secret']],
    ['with a field that only updates accept', { enabled: false }, ['enabled']],
    ['with a URL of 2049 characters', { url: `https://a.example/${'x'.repeat(2031)}` }, ['url']],
  ])('is refused %s', async (_what, edit, path) => {
    const before = (await listed()).length
    const { status, body } = await create(webhookBody(edit))
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    expect(body.error.details.issues).toMatchObject([{ path }])
    expect((await listed()).length).toBe(before)
  })

  test('with an unknown event is refused, and the message names the event', async () => {
    const { status, body } = await create(webhookBody({ events: ['flag.created', 'flag.exploded', 'x'] }))
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    expect(body.error.details.issues).toMatchObject([
      { path: ['events', 1], message: expect.stringContaining('flag.exploded') },
      { path: ['events', 2], message: expect.stringContaining('x') },
    ])
  })

  test('can repeat events: duplicates are removed, and the order stays', async () => {
    const { body } = await create(webhookBody({ events: ['flag.updated', 'flag.created', 'flag.updated'] }))
    expect(body.data.events).toEqual(['flag.updated', 'flag.created'])
  })

  test('can subscribe to every event of the catalogue, including webhook.test', async () => {
    expect(eventNames).toContain('webhook.test')
    const { status, body } = await create(webhookBody({ events: eventNames }))
    expect([status, body.data.events]).toEqual([201, [...eventNames]])
  })
})

test('the URL is checked before anything is stored, and the error has the message of the check', async () => {
  const before = (await listed()).length
  on.receiver.forbid((url) => (url.includes('10.0.0.1') ? 'URL must use a hostname, not an IP address' : undefined))
  const url = 'https://10.0.0.1/'
  const { status, body } = await create(webhookBody({ url }))
  on.receiver.forbid(() => undefined)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.message).toBe('url: URL must use a hostname, not an IP address.')
  expect(body.error.details.issues).toEqual([{ path: ['url'], message: body.error.message }])
  expect(on.receiver.checked.at(-1)).toBe(url)
  expect((await listed()).length).toBe(before)
})

test('an organization can have 100 webhooks in all projects: 20 concurrent creations at 95 create exactly 5', async () => {
  const other = await createProject(on.service)
  const missing = 95 - (await listed()).length
  for (let made = 0; made < missing; made += 1)
    expect((await create(webhookBody(), made % 2 ? other.path : on.project.path)).status).toBe(201)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => create(webhookBody(), at % 2 ? other.path : on.project.path)),
  )
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 400)
  expect([made.length, refused.length]).toEqual([5, 15])
  for (const { body } of refused) {
    expect(body.error.code).toBe('validation_failed')
    expect(body.error.message).toMatch(/^Maximum number of webhooks exceeded/)
  }
  const { body } = await on.service.call(on.service.people.stranger, 'POST', '/api/v1/projects', { name: 'Theirs' })
  const theirs = await on.service.call(
    on.service.people.stranger,
    'POST',
    `/api/v1/projects/${body.data.id}/webhooks`,
    webhookBody(),
  )
  expect(theirs.status).toBe(201)
  await on.service.call(on.service.people.admin, 'DELETE', `${on.project.path}/webhooks/${made[0]?.body.data.id}`)
  const [one, two] = [
    await create(webhookBody(), other.path),
    await on.service.call(on.service.people.admin, 'POST', `${other.path}/webhooks`, webhookBody()),
  ]
  expect([one.status, two.status]).toContain(400)
})
