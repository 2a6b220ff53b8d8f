import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, standingClock } from '../../../../testing/clock.ts'
import { codedExperiment, ruleNameOf, sendErrors } from '../../../../testing/code-errors.ts'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { newIngestSecret } from '../../../platform/ids.ts'
import { addUsed, deleteOldUsage, usedIn } from './quota/queries.ts'

const eventsPerDay = 6
const clock = standingClock()
let first: TestService
let project: TestProject

beforeAll(async () => {
  first = await startTestService({ settings: { SVC_EVENTS_PER_DAY: String(eventsPerDay) }, now: clock.now })
  project = await createProject(first)
})
afterAll(() => first.close())

const send = (
  service: TestService,
  count: number,
  { sdkKey } = project.production,
  headers: Record<string, string> = {},
) => {
  const event = { type: 'track', ts: clock.now().getTime(), unit: 'u-1', eventKey: 'paid' }
  const events = Array.from({ length: count }, () => ({ ...event, id: randomUUID() }))
  return service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events }, headers)
}
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

test('what two nodes have stored adds up, and days that are over are deleted', async () => {
  const [envId, other] = [randomUUID(), randomUUID()]
  const used = (events: number) => [envId, other].map((id) => ({ envId: id, events, bytes: events * 100 }))
  await Promise.all([addUsed(first.db, '2100-01-01', used(2)), addUsed(first.db, '2100-01-01', used(3).toReversed())])
  const of = async (day: string) => (await usedIn(first.db, day)).filter((each) => each.envId === envId)
  expect(await of('2100-01-01')).toEqual([{ envId, events: 5, bytes: 500 }])
  expect(await of('2100-01-02')).toEqual([])
  await deleteOldUsage(first.db, new Date('2100-01-01T23:59:59Z'), 10)
  expect(await of('2100-01-01')).toHaveLength(1)
  await deleteOldUsage(first.db, new Date('2100-01-02T00:00:00Z'), 10)
  expect(await of('2100-01-01')).toEqual([])
})

test('errors of code use up the quota of their environment, too', async () => {
  const experiment = await codedExperiment(first)
  const visitors = experiment.visitors('price', eventsPerDay)
  const ruleId = await ruleNameOf(first, experiment)
  const ts = clock.now().getTime()
  const told = (units: readonly string[]) =>
    sendErrors(
      first,
      experiment,
      units.map((unit) => ({ unit, ruleId, ts })),
    )
  // What does not count uses up nothing.
  await told(experiment.visitors('original', 2))
  expect((await told(visitors)).body).toMatchObject({ accepted: eventsPerDay, rejected: [] })
  expect((await told(visitors.slice(0, 1))).status).toBe(429)
})

test('a restart forgets nothing of the quota of a day, and the next day starts from zero', async () => {
  expect((await send(first, eventsPerDay)).status).toBe(202)
  await first.stop()
  const again = await startTestService({ address: first.address, settings: first.settings, now: clock.now })
  try {
    const refused = await send(again, 1)
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining('daily limit of events')])
    expect((await send(again, 1, project.development)).status).toBe(202)
    // Above the quota, an unknown ingest key is not looked up.
    const wrong = { authorization: `Bearer ${newIngestSecret()}` }
    const statusOf = async (of: typeof project.production) => (await send(again, 1, of, wrong)).status
    expect([await statusOf(project.production), await statusOf(project.development)]).toEqual([429, 401])
    const { rows } = await sql<{ day: string; events: number }>`
      select day::text, events from event_usage where env_id = ${project.production.id}`.execute(again.db)
    expect(rows).toEqual([{ day: dayOf(clock.now()), events: eventsPerDay }])
    clock.move(dayMs)
    expect((await send(again, 1)).status).toBe(202)
  } finally {
    await again.close()
  }
})

test('events stop while little is left of the size of a database on a server, and flags can still be changed', async () => {
  const isServer = first.address.url !== undefined
  const settings = { SVC_DATABASE_SIZE: '1MiB', ...(isServer && { SVC_EVENT_DISK_RESERVE: '0.1' }) }
  const full = await startTestService({ settings })
  try {
    const made = await createProject(full)
    const post = () => send(full, 1, made.production)
    await expect.poll(async () => (await post()).status).toBe(isServer ? 429 : 202)
    if (isServer) expect((await post()).body.error).toContain('full or almost full')
    const { id } = await createFlag(full, made, 'checkout')
    const run = `${made.path}/flags/${id}/envs/${made.production.id}/run`
    expect((await full.call(full.people.admin, 'POST', run)).body.data).toMatchObject({ enabled: true })
  } finally {
    await full.close()
  }
})
