import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs, minuteMs, standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { failing, type ScheduledKind, scheduledKind } from '../../../../testing/scheduled-kind.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { held } from '../../../../testing/vendors/receiver.ts'
import type { Schedule } from '../../../platform/jobs/index.ts'

const clock = standingClock('2026-11-20T08:10:00.000Z')
const hourly: Schedule = { every: 'HOUR', at: '00:15', timezone: 'UTC' }
let service: TestService
let kind: ScheduledKind
let project: TestProject
let viewer: TestPerson

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  kind = scheduledKind(service, clock.now)
  kind.addTo(service)
  viewer = await newPerson(service, { role: 'VIEWER' })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  // Each test begins five minutes before a slot of each hour.
  clock.move(hourMs - ((clock.now().getTime() - 10 * minuteMs) % hourMs))
  kind.runs(async () => {})
})
// A schedule of one test would make jobs in the next ones.
afterEach(() => sql`delete from job_schedules`.execute(service.db))

const iso = (at: Date) => `${at.toISOString().slice(0, 19)}Z`
const fromNow = (ms: number) => iso(new Date(clock.now().getTime() + ms))
const runAt = async (ms: number) => {
  clock.move(ms)
  await service.jobs.run()
}
const failed = async () => {
  const { body } = await service.call(service.people.admin, 'GET', `${project.path}/events?after=0&limit=100`)
  return body.data.filter(({ event }: { event: string }) => event === 'commerce.job_failed')
}
const reasons = async () => (await failed()).map(({ reason }: { reason: string }) => reason)
const problems = async () =>
  (await viewer.inSession('GET', '/api/dashboard/attention')).body.data.problems.filter(
    (problem: { project: { id: string } | null }) => problem.project?.id === project.id,
  )

describe('a slot', () => {
  test('makes one job, with the input that its kind gives', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    await runAt(5 * minuteMs - 1)
    expect(await source.jobs()).toEqual([])
    kind.runs(failing)
    await runAt(1)
    expect(await source.jobs()).toMatchObject([{ status: 'FAILED', trigger: 'SCHEDULE', input: { of: source.id } }])
    await runAt(hourMs - 1)
    expect(await source.jobs()).toHaveLength(1)
    kind.runs(async () => {})
    await runAt(1)
    expect((await source.jobs()).map(({ status }) => status)).toEqual(['FAILED', 'SUCCEEDED'])
    expect(await reasons()).toEqual(['The shop did not answer.'])
  })

  test('is taken by a job that is already open', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    const work = held<void>()
    kind.runs(() => work.promise)
    await source.ask()
    clock.move(2 * hourMs)
    await service.jobs.schedule()
    expect(await source.jobs()).toHaveLength(1)
    work.resolve()
    await service.jobs.run()
    expect(await source.jobs()).toMatchObject([{ status: 'SUCCEEDED', trigger: 'REQUEST' }])
    expect(await reasons()).toEqual([])
  })

  test('does not move when the same schedule is set again, and moves with a different one', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    clock.move(6 * minuteMs)
    await source.set({ timezone: 'UTC', at: '00:15', every: 'HOUR' }, 'Second feed')
    await service.jobs.run()
    expect(await source.jobs()).toHaveLength(1)
    await source.set({ cron: '0 0 1 1 *', timezone: 'UTC' })
    await runAt(hourMs)
    expect(await source.jobs()).toHaveLength(1)
  })

  test('of a source whose schedule ends makes no job, and nothing is reported', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    await source.set(null)
    await source.set(null)
    await runAt(48 * hourMs)
    await service.jobs.watch()
    expect([await source.jobs(), await reasons()]).toEqual([[], []])
  })

  test('of a deleted project makes no job, and the schedule is swept with it', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    const { key } = await succeed(service, 'GET', project.path)
    await service.call(service.people.admin, 'DELETE', project.path, undefined, { 'x-svc-confirm': key })
    await runAt(hourMs)
    expect(await source.jobs()).toEqual([])
    await service.retention.run()
    const { rows } = await sql`select from job_schedules where source_id = ${source.id}`.execute(service.db)
    expect(rows).toEqual([])
  })
})

describe('slots that were missed', () => {
  test('become one job, which is reported as late, once until the next success', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    const slot = fromNow(5 * minuteMs)
    kind.runs(failing)
    await runAt(3 * hourMs)
    await service.jobs.watch()
    expect(await source.jobs()).toHaveLength(1)
    const late = `The run due at ${slot} did not start.`
    expect((await reasons()).toSorted()).toEqual([late, 'The shop did not answer.'])
    await runAt(3 * hourMs)
    expect((await reasons()).filter((reason: string) => reason.endsWith('did not start.'))).toEqual([late])
    kind.runs(async () => {})
    await source.ask()
    await service.jobs.run()
    const next = fromNow(5 * minuteMs)
    await runAt(hourMs)
    expect((await reasons()).filter((reason: string) => reason.endsWith('did not start.'))).toEqual([
      late,
      `The run due at ${next} did not start.`,
    ])
  })

  test('are reported by any node while no worker works, once until the next success', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    const late = `The run due at ${fromNow(5 * minuteMs)} did not start.`
    clock.move(11 * minuteMs)
    await Promise.all([service.jobs.watch(), service.jobs.watch()])
    clock.move(3 * hourMs)
    await service.jobs.watch()
    expect([await source.jobs(), await reasons(), (await problems()).length]).toEqual([[], [late], 1])
    await service.jobs.run()
    expect((await source.jobs()).map(({ status }) => status)).toEqual(['SUCCEEDED'])
    expect([await reasons(), await problems()]).toEqual([[late], []])
    const next = fromNow(54 * minuteMs)
    clock.move(hourMs)
    await service.jobs.watch()
    expect(await reasons()).toEqual([late, `The run due at ${next} did not start.`])
  })

  test('by five minutes are not late', async () => {
    const source = kind.source(project)
    await source.set(hourly)
    await runAt(10 * minuteMs)
    expect([(await source.jobs()).length, await reasons()]).toEqual([1, []])
  })
})

test('without a success for three slots and a day, that is an open problem until the next one', async () => {
  const source = kind.source(project)
  const since = clock.now()
  await source.set({
    ...hourly,
    every: 'DAY',
    at: new Date(since.getTime() + 5 * minuteMs).toISOString().slice(11, 16),
  })
  kind.runs(failing)
  for (const ms of [5 * minuteMs, 24 * hourMs, 24 * hourMs]) {
    await runAt(ms)
    await service.jobs.watch()
  }
  expect((await reasons()).filter((reason: string) => reason.startsWith('No run'))).toEqual([])
  clock.move(5 * minuteMs)
  await service.jobs.watch()
  await service.jobs.watch()
  const told = (await failed()).filter(({ job }: { job: unknown }) => job === null)
  const reason = `No run has succeeded since ${iso(since)}.`
  expect(told).toMatchObject([
    {
      ...{ kind: 'test_sync', reason, job: null, projectId: project.id, triggeredBy: null },
      source: { type: 'commerce', id: source.id, name: 'Main feed' },
      link: `http://svc.test/projects/${project.id}/commerce/sources/${source.id}`,
    },
  ])
  const open = { kind: 'JOB_FAILED', object: { kind: 'source', id: source.id, name: 'Main feed' }, details: { reason } }
  expect(await problems()).toContainEqual(expect.objectContaining({ ...open, details: { reason, job: 'test_sync' } }))
  kind.runs(async () => {})
  await source.ask()
  await service.jobs.run()
  expect(await problems()).toEqual([])
})

test('a source that cannot be scheduled stops no other', async () => {
  const [broken, sound] = [kind.source(project), kind.source(project)]
  await broken.set(hourly)
  await sound.set(hourly)
  // Nobody could have saved it.
  await sql`update job_schedules set schedule = '{"cron":"?","timezone":"UTC"}' where source_id = ${broken.id}`.execute(
    service.db,
  )
  await runAt(5 * minuteMs)
  expect([(await broken.jobs()).length, (await sound.jobs()).length]).toEqual([0, 1])
})
