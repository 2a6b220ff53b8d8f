import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { signIn } from '../../../../testing/sessions.ts'
import { readEntries } from './actions.ts'

const url = '/api/v1/audit'
const clock = standingClock()
let service: TestService
let one: TestProject
let two: TestProject
let editor: TestPerson
let flagId: string

interface Entry {
  seq: number
  at: string
  actor: { type: string; id: string | null; name: string }
  action: string
  object: { type: string; id: string; name: string }
  projectId: string | null
  hash: string
  [field: string]: unknown
}

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  one = await createProject(service)
  two = await createProject(service)
  clock.move(minuteMs)
  editor = await newPerson(service, { role: 'EDITOR' })
  flagId = (await createFlag(service, one, 'first')).id
  await service.call(editor.token, 'PATCH', `${one.path}/flags/${flagId}`, { name: 'Named by the editor' })
  clock.move(minuteMs)
  await editor.inSession('PATCH', `${one.path}/flags/${flagId}`, { name: 'Named in the dashboard' })
  const second = await createFlag(service, two, 'second')
  await succeed(service, 'PATCH', `${two.path}/flags/${second.id}/envs/${two.production.id}`, {
    defaultVariationId: second.variations.find(({ key }: { key: string }) => key === 'on').id,
  })
  await succeed(service, 'POST', `${two.path}/environments/${two.production.id}/publish`, { comment: 'Harvest sale' })
  const owner = await signIn(service, 'owner@svc.test')
  await owner.call('POST', '/api/dashboard/service-tokens', { name: 'ci', scopes: [], expiresIn: 'never' })
})
afterAll(() => service.close())

const read = (query = '', who = service.people.admin) => service.call(who, 'GET', `${url}${query}`)

async function readAll(query = '', limit = 100): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await read(`?limit=${limit}${query}${cursor}`)
    expect(status, text).toBe(200)
    entries.push(...body.data)
    expect(body.page.hasMore).toBe(body.page.nextCursor !== null)
    if (!body.page.hasMore) return entries
    cursor = `&cursor=${body.page.nextCursor}`
  }
}

describe('200', () => {
  test('entries have actor, time, source and both versions, newest first', async () => {
    const { headers } = await service.call(
      editor.token,
      'PATCH',
      `${one.path}/flags/${flagId}`,
      { name: 'Again' },
      {
        'user-agent': 'audit/1',
      },
    )
    const [entry] = await readAll()
    expect(entry).toEqual({
      id: expect.any(String),
      seq: expect.any(Number),
      at: clock.now().toISOString(),
      actor: { type: 'personal_token', id: expect.any(String), name: `${editor.name} (laptop)` },
      action: 'flag.update',
      object: { type: 'flag', id: flagId, name: 'Again' },
      projectId: one.id,
      before: expect.objectContaining({ name: 'Named in the dashboard' }),
      after: expect.objectContaining({ name: 'Again' }),
      requestId: headers['x-request-id'],
      ip: '127.0.0.1',
      userAgent: 'audit/1',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('entries are numbered without gaps, on pages of any size', async () => {
    const all = await readAll()
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => all.length - index))
    for (const limit of [1, 3, 7]) expect(await readAll('', limit)).toEqual(all)
  })

  test('entries that arrive while reading do not move a page', async () => {
    const all = await readAll()
    const first = await read('?limit=2')
    await createFlag(service, one, 'meanwhile')
    const second = await read(`?limit=2&cursor=${first.body.page.nextCursor}`)
    expect([...first.body.data, ...second.body.data]).toEqual(all.slice(0, 4))
  })

  test('an organization sees only its own entries', async () => {
    const mine = new Set((await readAll()).map(({ hash }) => hash))
    const { body } = await read('?limit=100', service.people.stranger)
    expect(body.data.length).toBeGreaterThan(0)
    for (const { hash } of body.data) expect(mine.has(hash)).toBe(false)
  })

  const start = Date.parse('2026-11-20T10:00:00.000Z')
  const at = (ms: number) => encodeURIComponent(new Date(start + ms).toISOString())

  test.each<[string, () => string, (entry: Entry) => boolean]>([
    ['from', () => `from=${at(minuteMs)}`, (entry) => Date.parse(entry.at) >= start + minuteMs],
    ['to', () => `to=${at(minuteMs)}`, (entry) => Date.parse(entry.at) < start + minuteMs],
    [
      'from, in a different time zone',
      () => `from=${encodeURIComponent('2026-11-20T12:01:00+02:00')}`,
      (entry) => Date.parse(entry.at) >= start + minuteMs,
    ],
    ['a range', () => `from=${at(1)}&to=${at(minuteMs + 1)}`, (entry) => Date.parse(entry.at) === start + minuteMs],
    ['an action', () => 'action=flag.update', ({ action }) => action === 'flag.update'],
    ['a prefix of actions', () => 'action=flag.', ({ action }) => action.startsWith('flag.')],
    ['a type of actor', () => 'actorType=user', ({ actor }) => actor.type === 'user'],
    ['the system', () => 'actor=system', ({ actor }) => actor.type === 'system'],
    ['a person, including tokens', () => `actor=${editor.id}`, ({ actor }) => actor.name.startsWith(editor.name)],
    ['a type of object', () => 'objectType=service_token', ({ object }) => object.type === 'service_token'],
    ['an object', () => `objectId=${flagId}`, ({ object }) => object.id === flagId],
    ['an object id in capitals', () => `objectId=${flagId.toUpperCase()}`, ({ object }) => object.id === flagId],
    ['a project', () => `projectId=${two.id}`, ({ projectId }) => projectId === two.id],
    ['a word in the name of the actor, in capitals', () => 'q=EDITOR', ({ actor }) => actor.name.includes('EDITOR')],
    ['a word in the name of the object', () => 'q=dashboard', ({ object }) => object.name.includes('dashboard')],
    ['a word of an action', () => 'q=flag.create', ({ action }) => action === 'flag.create'],
    [
      'words of a sentence',
      () => 'q=editor+changed+the+flag',
      ({ action, actor }) => action === 'flag.update' && actor.name.includes('EDITOR'),
    ],
    ['the comment of a publish', () => 'q=harvest', ({ action }) => action === 'environment.publish'],
    ['an id of an object, as a word', () => `q=${flagId.toUpperCase()}`, ({ object }) => object.id === flagId],
    ['an id of a project, as a word', () => `q=${two.id}`, ({ projectId }) => projectId === two.id],
    [
      'a word and a filter',
      () => 'q=flag&actorType=user',
      ({ actor, action }) => actor.type === 'user' && action.startsWith('flag.'),
    ],
    [
      'several',
      () => `projectId=${one.id}&action=flag.&actorType=user`,
      ({ projectId, action, actor }) => projectId === one.id && action.startsWith('flag.') && actor.type === 'user',
    ],
  ])('by %s', async (_what, query, fits) => {
    const all = await readAll()
    const expected = all.filter(fits)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.length)
    expect(await readAll(`&${query()}`)).toEqual(expected)
    expect(await readAll(`&${query()}`, 1)).toEqual(expected)
  })

  test('by a service token, and by the token of one person', async () => {
    const [sample] = (await readAll('&actorType=personal_token')) as [Entry]
    const entries = await readAll(`&actor=${sample.actor.id}`)
    expect(entries.length).toBeGreaterThan(0)
    for (const { actor } of entries) expect(actor).toEqual(sample.actor)
  })

  test.each([
    'action=flag.delete',
    'action=flag',
    'action=%25',
    `objectId=${crypto.randomUUID()}`,
    `q=${crypto.randomUUID()}`,
    'q=flag+nobody',
    'q=%25',
    `projectId=${crypto.randomUUID()}`,
  ])('nothing matches %s', async (query) => {
    expect(await readAll(`&${query}`)).toEqual([])
  })
})

describe('a member with chosen projects', () => {
  test('does not see entries of other projects in lists, exports or filters', async () => {
    const admin = await newPerson(service, { role: 'ADMIN', projectIds: [two.id] })
    const { body } = await read('?limit=100', admin.token)
    const seen = new Set(body.data.map(({ projectId }: Entry) => projectId))
    expect(seen).toEqual(new Set([two.id, null]))
    expect((await read(`?projectId=${one.id}`, admin.token)).body.data).toEqual([])
    expect((await read(`?objectId=${flagId}`, admin.token)).body.data).toEqual([])
    const { text } = await read('/export?format=ndjson', admin.token)
    expect(
      new Set(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).projectId),
      ),
    ).toEqual(seen)
  })

  test('gets a refusal for a cursor after a change of the projects', async () => {
    const admin = await newPerson(service, { role: 'ADMIN', projectIds: [two.id] })
    const { body } = await read('?limit=1', admin.token)
    const cursor = body.page.nextCursor
    expect((await read(`?limit=1&cursor=${cursor}`, admin.token)).status).toBe(200)
    expect((await read(`?limit=1&cursor=${cursor}`)).status).toBe(400)
  })
})

describe('permissions', () => {
  test.each(['', '/export?format=csv', '/export?format=ndjson'])(
    '%s requires audit:read, which owners and administrators have',
    async (path) => {
      for (const who of [
        service.people.noScopes,
        service.people.flagsWrite,
        service.people.editor,
        service.people.viewer,
      ])
        expect(await read(path, who)).toMatchObject({
          status: 403,
          body: { error: { code: 'scope_missing', details: { scope: 'audit:read' } } },
        })
      expect((await read(path, service.people.owner)).status).toBe(200)
      const admin = await newPerson(service, { role: 'ADMIN' })
      expect((await admin.inSession('GET', `${url}${path}`)).status).toBe(200)
      expect((await editor.inSession('GET', `${url}${path}`)).status).toBe(403)
      expect((await service.call(null, 'GET', `${url}${path}`)).status).toBe(401)
    },
  )

  test('entries cannot be written or removed', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      expect(await service.call(service.people.admin, method, url, {})).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD' },
      })
    expect((await service.call(service.people.admin, 'GET', `${url}/${crypto.randomUUID()}`)).status).toBe(404)
  })
})

test.each([
  ['from=yesterday', 'from'],
  ['to=2026-13-01T00:00:00Z', 'to'],
  ['actor=somebody', 'actor'],
  ['actorType=robot', 'actorType'],
  ['action=', 'action'],
  [`action=${'a'.repeat(101)}`, 'action'],
  ['objectType=thing', 'objectType'],
  ['objectId=1', 'objectId'],
  ['projectId=1', 'projectId'],
  [`q=${'a'.repeat(201)}`, 'q'],
  ['q=a+b+c+d+e+f+g+h+i+j+k', 'q'],
  ['q=%00', 'q'],
  ['limit=101', 'limit'],
  ['cursor=abc', 'cursor'],
  ['who=me', 'who'],
])('400: ?%s', async (query, field) => {
  const { status, body } = await read(`?${query}`)
  expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([400, 'validation_failed', [field]])
})

test('a cursor is refused with a different filter', async () => {
  const { body } = await read('?limit=1&action=flag.')
  const cursor = body.page.nextCursor
  expect((await read(`?limit=1&action=flag.&cursor=${cursor}`)).status).toBe(200)
  for (const query of ['', '&action=flag.&q=x', '&action=rule.', '&action=flag.&actorType=user'])
    expect((await read(`?limit=1&cursor=${cursor}${query}`)).status).toBe(400)
})

test('changes outside projects are included', async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from audit_entries where project_id is null`.execute(
    service.db,
  )
  expect(rows[0]!.n).toBeGreaterThan(0)
  expect((await readAll()).some(({ projectId }) => projectId === null)).toBe(true)
})

test('a search in pieces of any size finds the same entries', async () => {
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/me')
  const filter = { orgId: body.data.organization.id, projects: null, action: 'flag.' }
  const expected = await readEntries(service.db, filter, null, 100)
  expect(expected.length).toBeGreaterThan(3)
  for (const pieceSize of [1, 2, 5]) {
    expect(await readEntries(service.db, filter, null, 100, pieceSize)).toEqual(expected)
    expect(await readEntries(service.db, filter, null, 2, pieceSize)).toEqual(expected.slice(0, 2))
    expect(await readEntries(service.db, filter, expected[1]!.seq, 100, pieceSize)).toEqual(expected.slice(2))
  }
})
