import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { createFlag, createProject, type TestProject } from '../../../../testing/service.ts'
import { deliver, newWebhook, webhookTest } from '../../../../testing/webhooks.ts'

const on = webhookTest()

interface Pulled {
  seq: number
  id: string
  event: string
  [field: string]: unknown
}

const pull = async (project: TestProject, query = '') =>
  on.service.call(on.service.people.admin, 'GET', `${project.path}/events${query}`)

/** Reads page by page after the last known number, as a receiver does. */
async function pullAll(project: TestProject, limit = 100): Promise<Pulled[]> {
  const events: Pulled[] = []
  for (;;) {
    const { body } = await pull(project, `?limit=${limit}&after=${events.at(-1)?.seq ?? 0}`)
    events.push(...body.data)
    expect(body.page).toEqual({
      hasMore: body.page.hasMore,
      nextCursor: body.page.hasMore ? String(events.at(-1)?.seq) : null,
    })
    if (!body.page.hasMore) return events
  }
}

test('has the events of webhooks, oldest first, numbered from 1', async () => {
  const project = await createProject(on.service)
  const hook = await newWebhook({ ...on, project }, { events: ['flag.created'] })
  const flag = await createFlag(on.service, project, 'one')
  await deliver(on)
  const events = await pullAll(project)
  expect(events.map(({ event }) => event)).toEqual([
    'project.created',
    'webhook.created',
    'flag.created',
    'flag.published',
    'flag.published',
  ])
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  const { id: _delivery, ...delivered } = JSON.parse(on.receiver.at(hook.url)[0]!.body)
  const { seq: _seq, id: _event, ...pulled } = events[2]!
  expect(pulled).toEqual(delivered)
  expect(pulled).toMatchObject({ flag: { id: flag.id } })
})

test('pages of any size with after and limit have the same events', async () => {
  const project = await createProject(on.service)
  for (const key of ['a', 'b', 'c']) await createFlag(on.service, project, key)
  const all = await pullAll(project)
  expect(all).toHaveLength(1 + 3 * 3)
  for (const limit of [1, 3, 10]) expect(await pullAll(project, limit)).toEqual(all)
  expect((await pull(project, '?after=7')).body.data).toEqual(all.slice(7))
  const end = await pull(project, '?after=10')
  expect(end.body).toEqual({ data: [], page: { nextCursor: null, hasMore: false } })
  expect((await pull(project, '?after=999999')).body.data).toEqual([])
})

test('cursor means the same as after, and nextCursor gives its value', async () => {
  const project = await createProject(on.service)
  await createFlag(on.service, project, 'one')
  const first = await pull(project, '?limit=2')
  const next = await pull(project, `?limit=2&cursor=${first.body.page.nextCursor}`)
  expect(next.body).toEqual((await pull(project, '?limit=2&after=2')).body)
})

test('event selects one name and keeps its numbers', async () => {
  const project = await createProject(on.service)
  for (const key of ['a', 'b', 'c']) await createFlag(on.service, project, key)
  const all = (await pullAll(project)).filter(({ event }) => event === 'flag.created')
  const first = await pull(project, '?event=flag.created&limit=2')
  expect(first.body.data).toEqual(all.slice(0, 2))
  expect(first.body.page).toEqual({ hasMore: true, nextCursor: String(all[1]!.seq) })
  const rest = await pull(project, `?event=flag.created&cursor=${first.body.page.nextCursor}`)
  expect(rest.body).toEqual({ data: all.slice(2), page: { hasMore: false, nextCursor: null } })
  expect((await pull(project, '?event=flag.archived')).body.data).toEqual([])
})

test.each([
  'after=-1',
  'after=x',
  'after=1.5',
  'limit=0',
  'limit=101',
  'cursor=x',
  'after=1&cursor=1',
  'event=flag.flown',
  'after=9007199254740993',
])('?%s is refused', async (query) => {
  const { status, body } = await pull(on.project, `?${query}`)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
})

test('events of other projects are not included', async () => {
  const project = await createProject(on.service)
  await createFlag(on.service, on.project, 'elsewhere')
  expect((await pullAll(project)).map(({ event }) => event)).toEqual(['project.created'])
})

test('concurrent writes leave no gaps and no duplicates, and a reader of number n has seen all before it', async () => {
  const project = await createProject(on.service)
  const url = await on.service.app.listen({ host: '127.0.0.1', port: 0 })
  const seen: Pulled[] = []
  let writing = true
  // Uses a real connection: a loop of injected requests would not let the writers run.
  const reader = async () => {
    for (let last = false; !last; ) {
      last = !writing
      const answer = await fetch(`${url}${project.path}/events?limit=100&after=${seen.at(-1)?.seq ?? 0}`, {
        headers: { authorization: `Bearer ${on.service.people.admin}` },
      })
      const { data } = (await answer.json()) as { data: Pulled[] }
      seen.push(...data)
    }
  }
  const reading = reader()
  const flags = await Promise.all(Array.from({ length: 15 }, (_, at) => createFlag(on.service, project, `w-${at}`)))
  await Promise.all(
    flags.map(({ id }) => succeed(on.service, 'POST', `${project.path}/flags/${id}/envs/${project.production.id}/run`)),
  )
  writing = false
  await reading
  const all = await pullAll(project)
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
  expect(all).toHaveLength(1 + 15 * 3 + 15 * 2)
  expect(seen.slice(0, all.length)).toEqual(all.slice(0, seen.length))
  expect(seen.length).toBe(all.length)
})

test('events are in the order of commits, so revisions of an environment only grow', async () => {
  const project = await createProject(on.service)
  await Promise.all(Array.from({ length: 10 }, (_, at) => createFlag(on.service, project, `o-${at}`)))
  const revisions = (await pullAll(project))
    .filter(({ event }) => event === 'flag.published')
    .filter(({ environment }) => (environment as { name: string }).name === 'Production')
    .map(({ dataFile }) => (dataFile as { revision: number }).revision)
  expect(revisions).toEqual(Array.from({ length: 10 }, (_, index) => index + 1))
})

describe('retention', () => {
  const clean = () => on.service.retention.run()
  const expired = (oldest: number) => ({
    status: 410,
    body: { error: expect.objectContaining({ code: 'events_expired', details: { oldest } }) },
  })

  test('the feed begins with the oldest remaining event and never skips silently', async () => {
    const project = await createProject(on.service)
    await createFlag(on.service, project, 'old')
    on.clock.move(29 * dayMs)
    await createFlag(on.service, project, 'young')
    await clean()
    const all = await pullAll(project)
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])

    on.clock.move(dayMs + minuteMs)
    await clean()
    expect(await pullAll(project)).toEqual(all.slice(4))
    for (const after of [1, 2, 3]) expect(await pull(project, `?after=${after}`)).toMatchObject(expired(5))
    expect((await pull(project, '?after=4')).body.data).toEqual(all.slice(4))
    expect((await pull(project, '?after=5')).body.data).toEqual(all.slice(5))
  })

  test('without remaining events, a reader of the last event continues and others get an error', async () => {
    const project = await createProject(on.service)
    await createFlag(on.service, project, 'old')
    on.clock.move(31 * dayMs)
    await clean()
    expect(await pullAll(project)).toEqual([])
    expect(await pull(project, '?after=4')).toMatchObject({ status: 200, body: { data: [] } })
    expect(await pull(project, '?after=3')).toMatchObject(expired(5))
    await createFlag(on.service, project, 'new')
    expect((await pullAll(project)).map(({ seq }) => seq)).toEqual([5, 6, 7])
    expect(await pull(project, '?after=3')).toMatchObject(expired(5))
  })

  test('thousands of events are deleted in batches in every project, without gaps in the rest', async () => {
    const projects = [await createProject(on.service), await createProject(on.service)]
    for (const { id } of projects) await insertEvents(id, 1500, on.clock.now())
    on.clock.move(20 * dayMs)
    for (const { id } of projects) await insertEvents(id, 10, on.clock.now())
    // A node with a slow clock: its event waits for those before it.
    await insertEvents(projects[0]!.id, 1, new Date(on.clock.now().getTime() - 15 * dayMs))
    on.clock.move(11 * dayMs)
    await clean()
    const numbers = await Promise.all(projects.map(async (project) => (await pullAll(project)).map(({ seq }) => seq)))
    expect(numbers).toEqual([11, 10].map((count) => Array.from({ length: count }, (_, at) => 1502 + at)))
  })

  async function insertEvents(projectId: string, count: number, at: Date): Promise<void> {
    await sql`
      with counter as (
        update event_counters set last_seq = last_seq + ${count} where project_id = ${projectId} returning last_seq
      )
      insert into events (project_id, seq, id, org_id, name, payload, occurred_at)
      select projects.id, counter.last_seq - ${count} + number, gen_random_uuid(), projects.org_id, 'project.updated',
        '{}', ${at}
      from projects, counter, generate_series(1, ${count}) as number
      where projects.id = ${projectId}`.execute(on.service.db)
  }
})
