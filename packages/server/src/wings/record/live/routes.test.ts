import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { standingClock } from '../../../../testing/clock.ts'
import { execute } from '../../../../testing/databases/postgres.ts'
import { newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import {
  createProject,
  joinTestService,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { openStream, type TestStream } from '../../../../testing/streams.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { recordedChannel } from '../../../platform/outbox.ts'
import { signedInSessions } from '../../people/sessions/index.ts'
import { liveChanges, roundIntervalMs } from './worker.ts'

let service: TestService
let url: string
let orgId: string
let project: TestProject
let other: TestProject
let flag: TestFlag
let roles: Record<string, string>
const open: TestStream[] = []

beforeAll(async () => {
  service = await startTestService()
  url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  orgId = (await succeed(service, 'GET', '/api/v1/organization')).id
  project = await createProject(service)
  other = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  roles = await roleIds(service)
})
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})
afterAll(() => service.close())

interface Heard {
  event: string
  id: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a message
  data: any
}

const path = (query = '', org = orgId) => `/api/dashboard/stream?orgId=${org}${query}`

async function listen({ cookie }: TestPerson, { query = '', headers = {}, org = orgId, node = url } = {}) {
  const stream = await openStream(`${node}${path(query, org)}`, { cookie, ...headers })
  open.push(stream)
  return stream
}

/** Skips pings and hints. Null if the stream has ended. */
async function next(stream: TestStream): Promise<Heard | null> {
  for (;;) {
    const block = await stream.next()
    if (block === null) return null
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)))
    if (fields.data !== undefined)
      return { event: fields.event ?? 'message', id: Number(fields.id), data: JSON.parse(fields.data) }
  }
}

async function newestId(org = orgId): Promise<string> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) as seq from audit_entries where org_id = ${org}`.execute(service.db)
  return String(rows[0]!.seq)
}

/** A stream that begins with the next change. */
async function listenFromNow(person: TestPerson, options: { org?: string; node?: string } = {}) {
  const stream = await listen(person, { ...options, query: `&after=${await newestId(options.org)}` })
  expect(await next(stream)).toMatchObject({ event: 'ready' })
  return stream
}

let markers = 0

/** A change of which every member is notified. */
const mark = async () =>
  (await succeed(service, 'POST', '/api/v1/roles', { name: `Marker ${markers++}`, capabilities: [] })).id as string

/** What a stream sends up to the marker, without it. */
async function heardUntil(stream: TestStream, marker: string) {
  const heard = []
  for (;;) {
    const message = await next(stream)
    if (!message) throw new Error('the stream has ended')
    if (message.data.id === marker) return heard
    heard.push(message)
  }
}

const actionsIn = (heard: Heard[]) => heard.map(({ data }) => data.action)

test('every change is sent with kind, id, action, project, author and request, and without content', async () => {
  const [viewer, editor] = [await newPerson(service), await newPerson(service, { role: 'EDITOR' })]
  const stream = await listenFromNow(viewer)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  const run = await editor.inSession('POST', `${flag.production}/run`)
  const told = await next(stream)
  expect(told).toEqual({
    event: 'message',
    id: expect.any(Number),
    data: {
      kind: 'flag',
      id: flag.id,
      action: 'flag.run',
      projectId: project.id,
      by: { type: 'user', id: editor.id, name: editor.name },
      requestId: run.headers['x-request-id'],
      at: expect.stringMatching(/^\d{4}-/),
    },
  })
  await service.call(editor.token, 'POST', `${flag.production}/pause`)
  const second = await next(stream)
  expect(second).toMatchObject({ id: told!.id + 1, data: { action: 'flag.pause', by: { type: 'personal_token' } } })
})

test('people are notified only of what they can read, in their projects and organizations', async () => {
  const people = {
    owner: await newPerson(service, { role: 'OWNER' }),
    viewer: await newPerson(service),
    restricted: await newPerson(service, { role: 'EDITOR', projectIds: [other.id] }),
  }
  const streams = {
    owner: await listenFromNow(people.owner),
    viewer: await listenFromNow(people.viewer),
    restricted: await listenFromNow(people.restricted),
  }
  const stranger = await newPerson(service, { organization: 'Other' })
  const otherOrg = (await service.call(service.people.stranger, 'GET', '/api/v1/organization')).body.data.id
  const elsewhere = await listenFromNow(stranger, { org: otherOrg })

  const token = { name: 'ci', scopes: ['flags:read'], expiresIn: '30d' }
  expect((await people.owner.inSession('POST', '/api/dashboard/service-tokens', token)).status).toBe(201)
  await newFlag(service, project, { key: 'hidden' })
  await newFlag(service, other, { key: 'shown' })
  const personal = { name: 'mine', expiresIn: '7d' }
  expect((await people.viewer.inSession('POST', '/api/dashboard/personal-tokens', personal)).status).toBe(201)
  const marker = await mark()

  const flags = ['flag.create', 'flag.create']
  expect(actionsIn(await heardUntil(streams.owner, marker))).toEqual([
    'service_token.create',
    ...flags,
    'personal_token.create',
  ])
  expect(actionsIn(await heardUntil(streams.viewer, marker))).toEqual([...flags, 'personal_token.create'])
  const restricted = await heardUntil(streams.restricted, marker)
  expect(restricted.map(({ data }) => [data.action, data.projectId])).toEqual([['flag.create', other.id]])

  await service.call(service.people.stranger, 'POST', '/api/v1/roles', { name: 'Elsewhere', capabilities: [] })
  expect(await next(elsewhere)).toMatchObject({ data: { action: 'role.create', by: { name: 'stranger' } } })
})

describe('a stream is refused', () => {
  let viewer: TestPerson
  beforeAll(async () => {
    viewer = await newPerson(service)
  })
  test.each([
    ['without a session', () => service.call(null, 'GET', path()), 401, 'unauthorized'],
    ['with a token', () => service.call(service.people.owner, 'GET', path()), 401, 'unauthorized'],
    ['without an organization', () => viewer.inSession('GET', '/api/dashboard/stream'), 400, 'validation_failed'],
    ['for a different organization', () => viewer.inSession('GET', path('', viewer.id)), 404, 'not_found'],
    ['with an unknown parameter', () => viewer.inSession('GET', path('&all=1')), 400, 'validation_failed'],
  ])('%s', async (_when, ask, status, code) => {
    const answer = await ask()
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  test('to a HEAD, which gets only the headers', async () => {
    const head = await viewer.inSession('HEAD', path())
    expect(head).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
  })
})

describe('a stream ends', () => {
  let person: TestPerson
  let stream: TestStream
  beforeEach(async () => {
    person = await newPerson(service)
    stream = await listenFromNow(person)
  })
  const member = () => `/api/v1/members/${person.id}`

  test.each([
    ['when the person signs out', () => person.inSession('POST', '/api/dashboard/sign-out'), 401],
    ['when the role of the person changes', () => succeed(service, 'PATCH', member(), { roleId: roles.EDITOR }), 200],
    ['when the projects of the person change', () => succeed(service, 'PATCH', member(), { projectIds: [] }), 200],
    ['when the person is removed', () => succeed(service, 'DELETE', member()), 404],
    ['when the person leaves', () => person.inSession('POST', '/api/dashboard/organization/leave'), 404],
  ])('%s, and sends nothing about the change itself', async (_when, act, thenStatus) => {
    const witness = await listenFromNow(await newPerson(service, { role: 'OWNER' }))
    await act()
    expect(await next(witness)).toMatchObject({ event: 'message' })
    expect(await next(stream)).toBeNull()
    expect((await person.inSession('HEAD', path())).status).toBe(thenStatus)
  })

  test('when a custom role loses a scope', async () => {
    const role = await succeed(service, 'POST', '/api/v1/roles', { name: 'Reports', capabilities: ['view_reports'] })
    await succeed(service, 'PATCH', member(), { roleId: role.id })
    stream = await listenFromNow(person)
    await succeed(service, 'PATCH', `/api/v1/roles/${role.id}`, { capabilities: [] })
    expect(await next(stream)).toBeNull()
  })

  test('but not when only the name of the role changes', async () => {
    const role = await succeed(service, 'POST', '/api/v1/roles', { name: 'Named', capabilities: [] })
    await succeed(service, 'PATCH', member(), { roleId: role.id })
    stream = await listenFromNow(person)
    await succeed(service, 'PATCH', `/api/v1/roles/${role.id}`, { name: 'Renamed' })
    expect(await next(stream)).toMatchObject({ data: { action: 'role.update', id: role.id } })
  })
})

describe('a client that reconnects', () => {
  test('gets what it missed, after the header or the parameter', async () => {
    const person = await newPerson(service)
    const stream = await listenFromNow(person)
    const first = await mark()
    const { id } = (await next(stream))!
    await stream.close()
    const missed = [await mark(), await mark()]
    const byHeader = await listen(person, { query: `&after=${id - 1}`, headers: { 'last-event-id': String(id) } })
    expect(await next(byHeader)).toEqual({ event: 'ready', id, data: { upTo: id + 2 } })
    expect([(await next(byHeader))?.data.id, (await next(byHeader))?.data.id]).toEqual(missed)
    const byParameter = await listen(person, { query: `&after=${id - 1}` })
    expect(await next(byParameter)).toMatchObject({ event: 'ready', id: id - 1 })
    expect((await next(byParameter))?.data.id).toBe(first)
  })

  test.each([
    ['that is too high', () => '999999999'],
    ['that is no number', () => 'abc'],
  ])('with an id %s is notified of a gap, then of what follows', async (_what, after) => {
    const stream = await listen(await newPerson(service), { query: `&after=${after()}` })
    const ready = await next(stream)
    expect(ready).toMatchObject({ event: 'ready' })
    expect(await next(stream)).toEqual({ event: 'gap', id: ready!.id, data: {} })
    const marker = await mark()
    expect(await next(stream)).toMatchObject({ event: 'message', data: { id: marker } })
  })

  test('without an id gets the changes of the last seconds', async () => {
    const marker = await mark()
    const stream = await listen(await newPerson(service))
    const ready = (await next(stream))!
    expect(ready.id).toBeLessThan(ready.data.upTo)
    expect(await heardUntil(stream, marker)).toBeInstanceOf(Array)
  })
})

test('the metrics have the number of open streams', async () => {
  await listenFromNow(await newPerson(service))
  const { text } = await service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  expect(text).toMatch(/^svc_dashboard_streams 1$/m)
})

test('a person can have 20 streams on a node', async () => {
  const person = await newPerson(service)
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(person)))
  expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const refused = await person.inSession('GET', path())
  expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([429, 'rate_limited', '10'])
  await streams[0]!.close()
  await expect.poll(async () => (await listen(person)).status).toBe(200)
})

test('a change on a different node is sent, also after the connection for notices was lost', async () => {
  if (service.database.kind === 'embedded') return
  const node = await joinTestService(service)
  const nodeUrl = await node.app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await listenFromNow(await newPerson(service), { node: nodeUrl })
  const marker = await mark()
  expect(await next(stream)).toMatchObject({ data: { id: marker } })
  await execute(
    service.address.url!,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await expect
    .poll(() =>
      service.database.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const missed = await mark()
  expect(await next(stream)).toMatchObject({ data: { id: missed } })
  const closed = node.close()
  expect(await next(stream)).toBeNull()
  await closed
})

/** Streams with a clock, limits and connections of the test. */
describe('a node', () => {
  const clock = standingClock(new Date().toISOString())
  const stops: (() => void)[] = []
  afterEach(() => {
    vi.useRealTimers()
    for (const stop of stops.splice(0)) stop()
  })

  async function startNode(limits?: { streamsPerNode: number; streamsPerPerson: number }) {
    const faults: unknown[] = []
    const onError = (error: unknown) => faults.push(error)
    const { database } = service
    const options = { registry: new Registry(), now: clock.now, onError, ...(limits && { limits }) }
    const presence = { all: () => [], watch: () => undefined }
    const node = liveChanges({ database, presence, ...options })
    await node.start()
    stops.push(node.stop)
    return { node, faults }
  }
  type Node = Awaited<ReturnType<typeof startNode>>['node']

  async function join(node: Node, person: TestPerson, lastEventId?: string) {
    const { rows } = await sql<{ id: string }>`select id from sessions where user_id = ${person.id}`.execute(service.db)
    const [credential] = await signedInSessions(service.db, [rows[0]!.id], new Date())
    const { memberships, ...holder } = credential!
    return node.join({ ...holder, ...memberships[0]!, user: holder.user! }, lastEventId)
  }

  /** A connection that takes a write only when the test lets it. */
  function connection() {
    let text = ''
    let isStuck = false
    const held: (() => void)[] = []
    const response = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        const take = () => {
          text += chunk
          done()
        }
        if (isStuck) held.push(take)
        else take()
      },
    })
    return {
      response: response as unknown as ServerResponse,
      text: () => text,
      held,
      stick() {
        isStuck = true
      },
      release() {
        isStuck = false
        for (const take of held.splice(0)) take()
      },
    }
  }

  async function connect(node: Node, person: TestPerson, lastEventId?: string) {
    const joined = await join(node, person, lastEventId ?? (await newestId()))
    if (isRefusal(joined)) throw new Error(joined.message)
    const connected = connection()
    await joined(connected.response)
    return connected
  }

  /** Many changes in one commit. */
  const record = (count: number) =>
    sql`
    with entries as (
      insert into audit_entries (id, org_id, at, actor_type, actor_name, action, object_type, object_id, object_name)
      select gen_random_uuid(), ${orgId}::uuid, now(), 'system', 'test', 'role.update', 'webhook', gen_random_uuid(), 'r'
      from generate_series(1, ${count}::int) returning id)
    select pg_notify(${recordedChannel}, ${orgId}) from entries limit 1`.execute(service.db)

  test('has a maximum number of streams', async () => {
    const { node } = await startNode({ streamsPerNode: 2, streamsPerPerson: 1 })
    const [one, two] = [await newPerson(service), await newPerson(service)]
    const first = await connect(node, one)
    expect(await join(node, one)).toMatchObject({ refusal: 'rate_limited' })
    await connect(node, two)
    expect(await join(node, await newPerson(service))).toMatchObject({ refusal: 'unavailable' })
    first.response.destroy()
    await once(first.response, 'close')
    expect(isRefusal(await join(node, one))).toBe(false)
  })

  test('counts streams of a person that begin at once', async () => {
    const { node } = await startNode({ streamsPerNode: 9, streamsPerPerson: 1 })
    const person = await newPerson(service)
    const begun = await Promise.allSettled([1, 2, 3].map(() => connect(node, person, '0')))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('that stops ends its streams and refuses others', async () => {
    const { node } = await startNode()
    const { response } = await connect(node, await newPerson(service))
    node.stop()
    expect(response.writableEnded).toBe(true)
    expect(await join(node, await newPerson(service))).toMatchObject({ refusal: 'unavailable' })
  })

  test('pings silent streams, and disconnects clients that read nothing between two pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { node } = await startNode()
    const [silent, stuck] = [
      await connect(node, await newPerson(service)),
      await connect(node, await newPerson(service)),
    ]
    stuck.stick()
    await vi.advanceTimersByTimeAsync(roundIntervalMs)
    expect(silent.text()).toMatch(/\n:\n\n$/)
    await vi.advanceTimersByTimeAsync(roundIntervalMs)
    expect(stuck.response.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(roundIntervalMs)
    expect(stuck.response.destroyed).toBe(true)
    expect(silent.response.destroyed).toBe(false)
  })

  test('ends the stream of a session that has expired', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { node } = await startNode()
    const { response } = await connect(node, await newPerson(service))
    clock.move(25 * 3_600_000)
    await vi.advanceTimersByTimeAsync(roundIntervalMs)
    await expect.poll(() => response.writableEnded).toBe(true)
    clock.move(-25 * 3_600_000)
  })

  test('keeps little for a client that falls behind, and notifies it of a gap', async () => {
    const { node, faults } = await startNode()
    const person = await newPerson(service)
    const [slow, quick] = [await connect(node, person), await connect(node, person)]
    slow.stick()
    await record(100)
    await expect.poll(() => quick.text().match(/"role.update"/g)?.length).toBe(100)
    expect(slow.held).toHaveLength(1)
    await record(300)
    await expect.poll(() => quick.text().match(/"role.update"/g)?.length).toBe(400)
    expect(slow.held).toHaveLength(1)
    slow.release()
    expect(slow.text().match(/"role.update"/g)).toHaveLength(32)
    expect(slow.text()).toMatch(/event: gap\nid: \d+\ndata: {}\n\n$/)
    expect(faults).toEqual([])
  })

  test('notifies a client of a gap if it missed more than the node keeps', async () => {
    const { node } = await startNode()
    const person = await newPerson(service)
    const before = await connect(node, person)
    const [, id] = /event: ready\nid: \d+\ndata: {"upTo":(\d+)}/.exec(before.text())!
    await record(300)
    expect((await connect(node, person, id)).text()).toContain('event: gap')
    expect((await connect(node, person, String(Number(id) + 100))).text()).not.toContain('event: gap')
  })

  test('ends a stream whose session ended while it connected', async () => {
    const { node } = await startNode()
    const person = await newPerson(service)
    const joined = await join(node, person)
    if (isRefusal(joined)) throw new Error(joined.message)
    await person.inSession('POST', '/api/dashboard/sign-out')
    const { response, text } = connection()
    await joined(response)
    expect([response.writableEnded, text()]).toEqual([true, ''])
  })
})
