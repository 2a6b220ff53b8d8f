import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, served, succeed, type TestFlag } from '../../../../../testing/flags.ts'
import { type Answer, createProject, startTestService } from '../../../../../testing/service.ts'

const minuteMs = 60_000
let moment = new Date('2026-11-30T08:00:00Z')
const now = () => moment
const runAt = '2026-12-01T08:00:00.000Z'
const launch = { action: 'RUN', runAt, timezone: 'Europe/Amsterdam', note: 'Launch' }

let flag: TestFlag
let count = 0

const service = await startTestService({ now })
const project = await createProject(service)
afterAll(() => service.close())
beforeEach(async () => {
  moment = new Date('2026-11-30T08:00:00Z')
  count += 1
  flag = await newFlag(service, project, { key: `scheduled-${count}` })
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> =>
  service.call(service.people.admin, method, path, body)
const put = (body: object = launch, path = flag.production) => call('PUT', `${path}/schedule`, body)
const read = (path = flag.production) => succeed(service, 'GET', `${path}/schedule`)
const enabled = async () => (await served(service, project, flag.key)).enabled
const events = async (name: string) =>
  (await succeed(service, 'GET', `${project.path}/events?limit=100`)).filter(
    (event: { event: string; flag?: { key: string } }) => event.event === name && event.flag?.key === flag.key,
  )

describe('a schedule', () => {
  test('can be set, read and cancelled', async () => {
    const set = await put()
    expect(set.status).toBe(200)
    expect(set.body.data).toMatchObject({
      ...launch,
      flagId: flag.id,
      envId: project.production.id,
      ruleId: null,
      status: 'PENDING',
      failureReason: null,
    })
    expect(await read()).toEqual(set.body.data)
    expect((await call('DELETE', `${flag.production}/schedule`)).body).toEqual({ data: null })
    expect((await read()).status).toBe('CANCELLED')
    expect((await call('DELETE', `${flag.production}/schedule`)).status).toBe(404)
  })

  test('stays the same if it is set again with the same values, and is replaced by a different one', async () => {
    const first = (await put()).body.data
    expect((await put()).body.data).toEqual(first)
    const second = (await put({ ...launch, note: 'Later', runAt: '2026-12-02T10:00:00+02:00' })).body.data
    expect(second.id).not.toBe(first.id)
    expect(await read()).toMatchObject({ id: second.id, runAt: '2026-12-02T08:00:00.000Z' })
  })

  test.each([
    ['a time in the past', { runAt: '2026-11-30T08:00:00Z' }, 'runAt'],
    ['a time without an offset', { runAt: '2026-12-01T08:00:00' }, 'runAt'],
    ['a time years ahead', { runAt: '2029-12-01T08:00:00Z' }, 'runAt'],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an unknown action', { action: 'ARCHIVE' }, 'action'],
    ['an unknown field', { repeat: 'daily' }, 'repeat'],
  ])('is refused with %s', async (_what, change, field) => {
    const answer = await put({ ...launch, ...change })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues.map(({ path }: { path: string[] }) => path[0])).toEqual([field])
  })

  test('gets 404 if there never was one, and 409 for an archived flag', async () => {
    expect((await call('GET', `${flag.production}/schedule`)).status).toBe(404)
    await succeed(service, 'POST', `${flag.path}/archive`)
    const refused = await put()
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
  })
})

describe('a due schedule', () => {
  test('runs the flag on time and only once, even with several workers', async () => {
    await put()
    moment = new Date(Date.parse(runAt) - 1)
    await service.schedules.run()
    expect(await enabled()).toBe(false)
    moment = new Date(runAt)
    await Promise.all([service.schedules.run(), service.schedules.run()])
    expect(await enabled()).toBe(true)
    expect((await read()).status).toBe('DONE')
    const told = await events('flag.schedule_updated')
    expect(told.map(({ schedule }: { schedule: { status: string } }) => schedule.status)).toEqual(['PENDING', 'DONE'])
    await succeed(service, 'POST', `${flag.production}/pause`)
    await service.schedules.run()
    expect(await enabled()).toBe(false)
  })

  test('pauses the flag if its action is PAUSE', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    await put({ ...launch, action: 'PAUSE' })
    moment = new Date(runAt)
    await service.schedules.run()
    expect(await enabled()).toBe(false)
  })

  test('fails with an event if it is more than an hour late', async () => {
    await put()
    moment = new Date(Date.parse(runAt) + 60 * minuteMs)
    await service.schedules.run()
    expect(await enabled()).toBe(false)
    expect(await read()).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('more than an hour'),
    })
    expect(await events('flag.schedule_failed')).toHaveLength(1)
  })

  test('fails with the reason if the switch is refused', async () => {
    await put()
    await succeed(service, 'POST', `${flag.path}/archive`)
    moment = new Date(runAt)
    await service.schedules.run()
    expect(await read()).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining('archived') })
  })

  test('has no effect in a deleted project', async () => {
    const { id, gone, remove } = await inProjectToDelete()
    expect((await remove()).status).toBe(200)
    moment = new Date(runAt)
    await service.schedules.run()
    expect(await stateOf(id)).toEqual({ status: 'PENDING', enabled: false })
    const [last] = await succeed(service, 'GET', `/api/v1/audit?projectId=${gone.id}&limit=1`)
    expect(last.action).toBe('project.delete')
  })

  test('either runs before a concurrent deletion of its project or not at all', async () => {
    const { id, remove } = await inProjectToDelete()
    moment = new Date(runAt)
    const [, { status }] = await Promise.all([service.schedules.run(), remove()])
    expect([200, 409]).toContain(status)
    const done = { status: 'DONE', enabled: true }
    expect(await stateOf(id)).toEqual(status === 409 ? done : { status: 'PENDING', enabled: false })
  })
})

/** A schedule of a flag in a separate project. */
async function inProjectToDelete() {
  const gone = await createProject(service)
  const { key } = await succeed(service, 'GET', gone.path)
  const scheduled = await newFlag(service, gone, { key: 'scheduled' })
  const { id } = (await put(launch, scheduled.production)).body.data as { id: string }
  const headers = { 'x-svc-confirm': key }
  return { id, gone, remove: () => service.call(service.people.admin, 'DELETE', gone.path, undefined, headers) }
}

async function stateOf(scheduleId: string) {
  const { rows } = await sql`
    select status, enabled from schedules join flag_environments using (flag_id, env_id)
    where schedules.id = ${scheduleId}`.execute(service.db)
  return rows[0]
}

describe('the schedule guard', () => {
  test('refuses a run by hand in either way while a scheduled run is pending', async () => {
    const { id } = (await put()).body.data
    for (const answer of [
      await call('POST', `${flag.production}/run`),
      await call('PATCH', flag.production, { enabled: true }),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.body.error).toMatchObject({
        code: 'schedule_pending',
        details: { scheduleId: id, action: 'RUN', runAt },
      })
    }
    expect(await enabled()).toBe(false)
    await call('DELETE', `${flag.production}/schedule`)
    expect((await call('POST', `${flag.production}/run`)).status).toBe(200)
  })

  test('allows a pause, which suspends the pending runs of the environment and its rules', async () => {
    const rule = await addRule(service, flag.production, delivery('One'))
    await succeed(service, 'POST', `${flag.production}/run`)
    await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/pause`)
    const ofEnvironment = (await put()).body.data
    const ofRule = (await put(launch, `${flag.production}/rules/${rule.id}`)).body.data
    expect((await succeed(service, 'GET', `${flag.production}/rules/${rule.id}`)).schedule).toEqual({
      id: ofRule.id,
      action: 'RUN',
      runAt,
      status: 'PENDING',
    })
    const pause = await call('POST', `${flag.production}/pause`)
    expect(pause.status).toBe(200)
    const stopped = pause.body.data.suspendedSchedules
    expect(stopped.map(({ id }: { id: string }) => id).sort()).toEqual([ofEnvironment.id, ofRule.id].sort())
    moment = new Date(runAt)
    await service.schedules.run()
    expect(await enabled()).toBe(false)
    expect((await read()).status).toBe('SUSPENDED')
    expect((await call('POST', `${flag.production}/run`)).status).toBe(200)
  })

  test('allows a run while a pause is scheduled, and keeps that schedule', async () => {
    await put({ ...launch, action: 'PAUSE' })
    expect((await call('POST', `${flag.production}/run`)).status).toBe(200)
    expect((await call('POST', `${flag.production}/pause`)).body.data.suspendedSchedules).toEqual([])
    expect((await read()).status).toBe('PENDING')
  })

  test('of one rule does not affect the others', async () => {
    const [one, two] = [
      await addRule(service, flag.production, { ...delivery('One'), enabled: false }),
      await addRule(service, flag.production, { ...delivery('Two'), enabled: false }),
    ]
    await succeed(service, 'POST', `${flag.production}/run`)
    await put(launch, `${flag.production}/rules/${one.id}`)
    expect((await call('POST', `${flag.production}/rules/${one.id}/run`)).body.error.code).toBe('schedule_pending')
    expect((await call('POST', `${flag.production}/rules/${two.id}/run`)).status).toBe(200)
    moment = new Date(runAt)
    await service.schedules.run()
    expect((await succeed(service, 'GET', `${flag.production}/rules/${one.id}`)).enabled).toBe(true)
  })
})

test('the list of a project has what needs attention first, then what comes next, with names and authors', async () => {
  const listed = await createProject(service)
  const list = async (query = '') => (await call('GET', `${listed.path}/schedules${query}`)).body
  const [one, two] = [
    await newFlag(service, listed, { key: 'one', name: 'One' }),
    await newFlag(service, listed, { key: 'two', name: 'Two' }),
  ]
  const rule = await addRule(service, one.production, delivery('Beta', { enabled: false }))
  const ofRule = `${one.production}/rules/${rule.id}`
  expect(await list()).toEqual({ data: [], page: { nextCursor: null, hasMore: false } })

  await put({ ...launch, action: 'PAUSE', runAt: '2026-12-03T08:00:00Z' }, one.production)
  await put({ ...launch, runAt: '2026-12-02T08:00:00Z' }, two.production)
  await put({ ...launch, runAt: '2026-12-05T08:00:00Z' }, ofRule)
  await succeed(service, 'POST', `${ofRule}/pause`)
  await put(launch, two.development)
  moment = new Date(Date.parse(runAt) + 60 * minuteMs)
  await service.schedules.run()

  const { data } = await list()
  const names = data.map(({ status, flag, environment, rule, by }: Listed) =>
    [status, flag.name, environment.key, rule?.name, by?.name].join(' '),
  )
  expect(names).toEqual([
    'FAILED Two development  schedule',
    'SUSPENDED One production Beta admin',
    'PENDING Two production  admin',
    'PENDING One production  admin',
  ])
  expect(data[1]).toMatchObject({ flag: { id: one.id, shortId: 1, key: 'one' }, rule: { id: rule.id }, flagId: one.id })
  expect((await list(`?flagId=${one.id}`)).data).toEqual([data[1], data[3]])

  const first = await list('?limit=3')
  // What is suspended between two pages does not come again.
  await succeed(service, 'POST', `${two.production}/pause`)
  const second = await list(`?limit=3&cursor=${first.page.nextCursor}`)
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(data.map(({ id }: Listed) => id))

  await put({ ...launch, runAt: '2026-12-09T08:00:00Z' }, two.development)
  const statuses = async () => (await list()).data.map(({ status }: Listed) => status)
  expect(await statuses()).toEqual(['SUSPENDED', 'SUSPENDED', 'PENDING', 'PENDING'])
  await put({ ...launch, runAt: '2026-12-01T10:00:00Z' }, two.development)
  moment = new Date('2026-12-01T12:00:00Z')
  await service.schedules.run()
  expect(await statuses()).toEqual(['FAILED', 'SUSPENDED', 'SUSPENDED', 'PENDING'])
  moment = new Date('2026-12-08T12:00:01Z')
  expect((await statuses()).includes('FAILED')).toBe(false)
})

interface Listed {
  id: string
  status: string
  flag: { name: string }
  environment: { key: string }
  rule: { name: string } | null
  by: { name: string } | null
}
