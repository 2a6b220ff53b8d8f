import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { newId } from '../../../platform/ids.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
let administrator: TestPerson
let editor: TestPerson

beforeAll(async () => {
  service = await startTestService({ now: clock.now, settings: { SVC_JOB_RETRY_DELAYS: '1m,5m' } })
  administrator = await newPerson(service, { role: 'ADMIN' })
  editor = await newPerson(service, { role: 'EDITOR' })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const jobs = () => `${project.path}/commerce/jobs`
const asked = (unit = 'u-1') => succeed(service, 'POST', `${project.path}/erasures`, { units: [unit] })
const read = (id: string) => succeed(service, 'GET', `${jobs()}/${id}`)
const call = (method: 'GET' | 'POST', path: string) => service.call(service.people.admin, method, path)
const events = async (name: string) => {
  const { body } = await call('GET', `${project.path}/events?after=0&limit=100`)
  return body.data.filter(({ event }: { event: string }) => event === name)
}
const later = (ms: number) => new Date(clock.now().getTime() + ms)
const changed = (id: string, row: { status: string; dueAt: Date; leasedUntil?: Date | null; attempt?: number }) =>
  sql`
    update jobs set status = ${row.status}, due_at = ${row.dueAt}, leased_until = ${row.leasedUntil ?? null},
      attempt = ${row.attempt ?? 0}, ended_at = null, started_at = null, result = null,
      input = '{"units":["u-1"],"ruleIds":[]}'
    where id = ${id}`.execute(service.db)

/** A job that no worker takes yet. */
async function waiting(): Promise<string> {
  const { id } = await asked()
  await service.jobs.run()
  await changed(id, { status: 'QUEUED', dueAt: later(minuteMs) })
  return id
}

/** A job that another node has. */
async function elsewhere(more: { attempt?: number; leasedUntil?: Date; dueAt?: Date } = {}): Promise<string> {
  const { id } = await asked()
  await service.jobs.run()
  await changed(id, { status: 'RUNNING', dueAt: clock.now(), leasedUntil: later(minuteMs), attempt: 1, ...more })
  return id
}

describe('a job', () => {
  test('is answered as it is, and listed with the newest first', async () => {
    const first = await asked('u-1')
    expect(first).toMatchObject({
      ...{ kind: 'visitor_erasure', trigger: 'REQUEST', result: null, reason: null, itemsSkipped: 0 },
      source: { type: 'commerce', id: project.id },
    })
    const second = await asked('u-2')
    await service.jobs.run()
    expect((await succeed(service, 'GET', jobs())).map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    expect(await succeed(service, 'GET', `${jobs()}?status=FAILED`)).toEqual([])
    expect(await succeed(service, 'GET', `${jobs()}?kind=feed_sync`)).toEqual([])
    expect(await succeed(service, 'GET', `${jobs()}?status=SUCCEEDED&sourceId=${project.id}`)).toHaveLength(2)
    expect(await succeed(service, 'GET', `${jobs()}?sourceId=none`)).toEqual([])
    expect(await read(first.id)).toMatchObject({ status: 'SUCCEEDED', attempt: 1, endedAt: clock.now().toISOString() })
    expect(await succeed(service, 'GET', `${jobs()}/${first.id}/errors`)).toEqual([])
  })

  test('waits for another one of its source that is under way, and jobs of other projects do not', async () => {
    await elsewhere()
    const behind = await asked()
    const other = await createProject(service)
    const free = await succeed(service, 'POST', `${other.path}/erasures`, { units: ['u-1'] })
    await service.jobs.run()
    expect(await read(behind.id)).toMatchObject({ status: 'QUEUED' })
    expect(await succeed(service, 'GET', `${other.path}/commerce/jobs/${free.id}`)).toMatchObject({
      status: 'SUCCEEDED',
    })
  })

  test('of a node that died is run by another one after its lease', async () => {
    const id = await elsewhere()
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'RUNNING', attempt: 1 })
    clock.move(2 * minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'SUCCEEDED', attempt: 2 })
  })

  test('is tried again after a passing fault, and fails after the last delay', async () => {
    const id = await waiting()
    // Another node computes the results of a test that has the visitor.
    const ruleId = crypto.randomUUID()
    await sql`
      insert into measured_rules (rule_id, project_id, flag_id, env_id, due_at, leased_until)
      values (${ruleId}, ${project.id}, ${ruleId}, ${project.production.id}, ${later(1e10)}, ${later(1e10)})`.execute(
      service.db,
    )
    await sql`
      insert into rule_units (rule_id, phase, unit, kind, first_at, first_id, variation_id, crossed, busy)
      values (${ruleId}, 1, 'u-1', 0, ${clock.now()}, ${ruleId}, ${ruleId}, false, false)`.execute(service.db)
    for (const [waitMs, status, attempt] of [
      [minuteMs, 'QUEUED', 1],
      [minuteMs, 'QUEUED', 2],
      [5 * minuteMs, 'FAILED', 3],
    ] as const) {
      clock.move(waitMs)
      await service.jobs.run()
      expect(await read(id)).toMatchObject({ status, attempt, reason: expect.stringContaining('Another node') })
    }
    expect(await events('commerce.job_failed')).toMatchObject([
      {
        ...{ kind: 'visitor_erasure', projectId: project.id, triggeredBy: null, job: { id } },
        source: { type: 'commerce', id: project.id },
        link: `http://svc.test/projects/${project.id}/commerce/jobs/${id}`,
      },
    ])
    const problems = async (who: TestPerson) =>
      (await who.inSession('GET', '/api/dashboard/attention')).body.data.problems.filter(
        ({ object }: { object: { id: string } }) => object.id === id,
      )
    expect(await problems(administrator)).toMatchObject([{ kind: 'JOB_FAILED', object: { kind: 'job' } }])
    expect(await problems(editor)).toEqual([])
    await sql`update measured_rules set leased_until = null where rule_id = ${ruleId}`.execute(service.db)
    const again = await succeed(service, 'POST', `${jobs()}/${id}/retry`)
    await service.jobs.run()
    expect(await read(again.id)).toMatchObject({ status: 'SUCCEEDED', retriesJobId: id })
    expect(await problems(administrator)).toEqual([])
  })

  test.each([
    ['to let others go on', '40P01', 'The database or another service did not answer.'],
    ['for want of room on its disk', '53100', 'The disk of the database is full.'],
  ])('that the database ended %s is tried again', async (_why, code, reason) => {
    const id = await waiting()
    await sql`update jobs set progress = null where id = ${id}`.execute(service.db)
    await sql`
      create or replace function ended() returns trigger language plpgsql as
      'begin raise exception ''as it happens'' using errcode = tg_argv[0]; end'`.execute(service.db)
    await sql`
      create trigger ended before update on jobs for each row
      when (old.progress is null and new.progress is not null) execute function ended(${sql.lit(code)})`.execute(
      service.db,
    )
    clock.move(minuteMs)
    await service.jobs.run()
    await sql`drop trigger ended on jobs`.execute(service.db)
    expect(await read(id)).toMatchObject({ status: 'QUEUED', attempt: 1, reason })
    clock.move(minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('that fails for an unexpected reason says so, and is not retried', async () => {
    const id = await waiting()
    await sql`update jobs set input = '{}' where id = ${id}`.execute(service.db)
    clock.move(minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('Its log says what') })
  })
})

describe('jobs that wait', () => {
  const insert = (of: Pick<TestProject, 'id'>, count: number) =>
    sql`
      insert into jobs (id, project_id, kind, source_id, source_name, queues, status, trigger, due_at, input, created_at, updated_at)
      select gen_random_uuid(), ${of.id}::uuid, 'visitor_erasure', ${of.id}::uuid, 'Shop', true, 'QUEUED', 'REQUEST',
        ${later(1e10)}::timestamptz, '{}', ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
      from generate_series(1, ${count}::integer)`.execute(service.db)
  const ask = () =>
    service.call(service.people.admin, 'POST', `${project.path}/erasures`, { units: ['u-1'] }).then((answer) => ({
      ...{ status: answer.status, code: answer.body.error?.code, retryAfter: answer.headers['retry-after'] },
    }))

  async function elsewhereOwned(): Promise<{ id: string }> {
    const [orgId, id] = [newId(), newId()]
    await sql`insert into organizations (id, name, features, created_at)
      values (${orgId}, 'Other', '{}', now())`.execute(service.db)
    await sql`insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
      values (${id}, ${orgId}, 1, 'p', 'P', 'FEATURE_FLAG', now(), now())`.execute(service.db)
    return { id }
  }

  test('are limited for each source, also for a retry, for each organization, and as a whole', async () => {
    const id = await waiting()
    await succeed(service, 'POST', `${jobs()}/${id}/cancel`)
    await insert(project, 50)
    expect(await ask()).toEqual({ status: 429, code: 'rate_limited', retryAfter: '60' })
    expect(await call('POST', `${jobs()}/${id}/retry`)).toMatchObject({ status: 429 })
    const other = await createProject(service)
    await succeed(service, 'POST', `${other.path}/erasures`, { units: ['u-1'] })
    await insert(other, 200)
    project = await createProject(service)
    expect(await ask()).toEqual({ status: 429, code: 'rate_limited', retryAfter: '60' })
    await sql`delete from jobs where project_id = ${other.id} and input = '{}'`.execute(service.db)
    const elsewhere = await elsewhereOwned()
    await insert(elsewhere, 950)
    expect(await ask()).toEqual({ status: 503, code: 'unavailable', retryAfter: '60' })
    await sql`update projects set org_id = null where id = ${elsewhere.id}`.execute(service.db)
    expect(await ask()).toMatchObject({ status: 202 })
    await sql`delete from jobs where status = 'QUEUED' and input = '{}'`.execute(service.db)
  })
})

test('90 days after its end, a job that stays has lost the ids of visitors, and cannot be tried again', async () => {
  const id = await waiting()
  await sql`update jobs set status = 'FAILED', ended_at = ${later(-91 * 24 * 60 * minuteMs)} where id = ${id}`.execute(
    service.db,
  )
  await service.retention.run()
  const { rows } = await sql`select input from jobs where id = ${id}`.execute(service.db)
  expect(rows).toEqual([{ input: null }])
  const { status, body } = await call('POST', `${jobs()}/${id}/retry`)
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('more than 90 days ago')])
})

describe('a cancellation', () => {
  test('ends a job that waits for its next try', async () => {
    const id = await waiting()
    await sql`update jobs set cancel_asked = true, incident = 'No worker took it.' where id = ${id}`.execute(service.db)
    clock.move(minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', reason: null })
  })

  test('closes the problem of a job that no worker took', async () => {
    const id = await waiting()
    await sql`update jobs set incident = 'No worker took it.', incident_at = ${clock.now()} where id = ${id}`.execute(
      service.db,
    )
    await succeed(service, 'POST', `${jobs()}/${id}/cancel`)
    const { data } = (await administrator.inSession('GET', '/api/dashboard/attention')).body
    expect(data.problems.filter(({ object }: { object: { id: string } }) => object.id === id)).toEqual([])
  })

  test('ends a job that waits at once', async () => {
    const id = await waiting()
    expect(await succeed(service, 'POST', `${jobs()}/${id}/cancel`)).toMatchObject({
      ...{ status: 'CANCELLED', isCancelling: false, endedAt: clock.now().toISOString() },
    })
    clock.move(2 * minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'CANCELLED' })
    expect(await events('commerce.job_failed')).toEqual([])
  })

  test('asks the node that has the job to stop', async () => {
    const id = await elsewhere()
    const answer = { status: 'RUNNING', isCancelling: true }
    expect(await succeed(service, 'POST', `${jobs()}/${id}/cancel`)).toMatchObject(answer)
    expect(await succeed(service, 'POST', `${jobs()}/${id}/cancel`)).toMatchObject(answer)
    // That node has died, and another one takes the job.
    clock.move(2 * minuteMs)
    await service.jobs.run()
    expect(await read(id)).toMatchObject({ status: 'CANCELLED' })
    expect(await events('visitor.erased')).toHaveLength(1)
  })

  test('of a job that has ended is refused, as is a retry of one that succeeded', async () => {
    const { id } = await asked()
    await service.jobs.run()
    for (const verb of ['cancel', 'retry'])
      expect(await call('POST', `${jobs()}/${id}/${verb}`)).toMatchObject({
        status: 409,
        body: { error: { code: 'invalid_state', details: { current: 'SUCCEEDED' } } },
      })
  })

  test('can be taken back by a retry, once', async () => {
    const id = await waiting()
    await succeed(service, 'POST', `${jobs()}/${id}/cancel`)
    const { status, body } = await call('POST', `${jobs()}/${id}/retry`)
    expect(status).toBe(202)
    await service.jobs.run()
    expect(await read(body.data.id)).toMatchObject({ status: 'SUCCEEDED', retriesJobId: id })
    expect((await call('POST', `${jobs()}/${id}/retry`)).status).toBe(409)
  })
})

describe('the watchdog', () => {
  const incidents = async () => (await events('commerce.job_failed')).map(({ reason }: { reason: string }) => reason)

  test('reports a job that no worker takes, once', async () => {
    const id = await waiting()
    const dueAt = later(-16 * minuteMs)
    // No worker takes it: this build does not know who would.
    await changed(id, { status: 'QUEUED', dueAt, leasedUntil: later(minuteMs) })
    await Promise.all([service.jobs.watch(), service.jobs.watch()])
    await service.jobs.watch()
    expect(await incidents()).toEqual([`No worker took the run due at ${dueAt.toISOString().slice(0, 19)}Z.`])
  })

  test('reports a job that was taken four times without an end, once', async () => {
    const until = later(minuteMs)
    await elsewhere({ attempt: 4, leasedUntil: until, dueAt: later(-10 * minuteMs) })
    await service.jobs.watch()
    await service.jobs.watch()
    expect(await incidents()).toEqual([`The run stopped answering at ${until.toISOString().slice(0, 19)}Z.`])
  })

  test('does not report a job that waits for another one of its source', async () => {
    await elsewhere({ dueAt: later(-minuteMs) })
    const { id } = await asked()
    await changed(id, { status: 'QUEUED', dueAt: later(-60 * minuteMs) })
    await service.jobs.watch()
    expect(await incidents()).toEqual([])
  })
})
