import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '../../../testing/flags.ts'
import { createFlag, createProject, type TestProject } from '../../../testing/service.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest } from '../../../testing/webhooks.ts'

let on: WebhookTest

beforeAll(async () => {
  on = await startWebhookTest()
})
afterAll(() => on.service.close())

interface Pulled {
  seq: number
  id: string
  event: string
  [field: string]: unknown
}

const pull = async (project: TestProject, query = '') =>
  on.service.call(on.service.people.admin, 'GET', `${project.path}/events${query}`)

/** As a receiver repairs itself: page by page from behind the last number it has seen. */
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

test('the same events that webhooks get, the oldest first, numbered from 1', async () => {
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

test('after and limit: pages of any size hold the same', async () => {
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

test.each(['after=-1', 'after=x', 'after=1.5', 'limit=0', 'limit=101', 'cursor=1', 'after=9007199254740993'])(
  '?%s is refused',
  async (query) => {
    const { status, body } = await pull(on.project, `?${query}`)
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  },
)

test('another project’s events are not in it', async () => {
  const project = await createProject(on.service)
  await createFlag(on.service, on.project, 'elsewhere')
  expect((await pullAll(project)).map(({ event }) => event)).toEqual(['project.created'])
})

test('under concurrent writes: no gap, no number twice, and whoever saw number n saw all before it', async () => {
  const project = await createProject(on.service)
  const url = await on.service.app.listen({ host: '127.0.0.1', port: 0 })
  const seen: Pulled[] = []
  let writing = true
  // Over a real connection: a loop of injected requests would leave the writers no turn.
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

test('the order is that of the commits: revisions of an environment only grow', async () => {
  const project = await createProject(on.service)
  await Promise.all(Array.from({ length: 10 }, (_, at) => createFlag(on.service, project, `o-${at}`)))
  const revisions = (await pullAll(project))
    .filter(({ event }) => event === 'flag.published')
    .filter(({ environment }) => (environment as { name: string }).name === 'Production')
    .map(({ dataFile }) => (dataFile as { revision: number }).revision)
  expect(revisions).toEqual(Array.from({ length: 10 }, (_, index) => index + 1))
})
