import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, standingClock } from '../../../../testing/clock.ts'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { newId } from '../../../platform/ids.ts'
import type { EventStore, NewEvent } from '../events/index.ts'

const clock = standingClock('2026-03-01T06:00:00.000Z')
const going = new AbortController().signal
let service: TestService
let project: TestProject
let events: EventStore
let flag: TestFlag
let rule: { id: string; shortId: number }
let administrator: TestPerson

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  service = await startTestService({
    now: clock.now,
    settings: clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {},
  })
  events = eventStoreOn(service.database, clickHouseUrl)
  administrator = await newPerson(service, { role: 'ADMIN' })
})
afterAll(() => service.close())

let flags = 0
beforeEach(async () => {
  project = await createProject(service)
  for (const metric of [
    { key: 'buyers', type: 'PROPORTION', eventKey: 'paid' },
    { key: 'revenue', type: 'MEAN', eventKey: 'paid', valueFrom: 'value' },
  ])
    await succeed(service, 'POST', `${project.path}/metrics`, { name: metric.key, ...metric })
  flag = await newFlag(service, project, { key: `checkout-${++flags}` })
  const metrics = { primary: ['revenue'], secondary: ['buyers'] }
  const statistics = { inProgressConversions: 'INCLUDE', cuped: false }
  rule = await addRule(service, flag.production, abTest('Copy', { metrics, statistics }))
  await succeed(service, 'POST', `${flag.production}/run`)
  clock.move(hourMs)
})

const common = () => ({ envId: project.production.id, id: newId(), at: clock.now().getTime(), clamped: false }) as const
const exposed = (unit: string, variation: 'on' | 'off', country = 'NL'): NewEvent => ({
  ...{ ...common(), type: 'exposure', ruleId: rule.id, unit, variationId: flag.ids[variation]!, kind: 0 },
  dimensions: JSON.stringify({ country }),
})
const paid = (unit: string, value: number): NewEvent => ({
  ...{ ...common(), type: 'track', eventKey: 'paid', unit, value, kind: 0 },
})

/** Visitors `u-0` to `u-39` have been seen, and half of them have paid. */
async function visitors(countryOf: (each: number) => string = () => 'NL'): Promise<void> {
  const units = Array.from({ length: 40 }, (_, each) => ({
    unit: `u-${each}`,
    isOn: each % 2 === 0,
    pays: each % 4 < 2,
  }))
  await events.append(
    units.map(({ unit, isOn }, each) => exposed(unit, isOn ? 'on' : 'off', countryOf(each))),
    clock.now(),
  )
  clock.move(1000)
  const paying = units.filter(({ pays }) => pays)
  await events.append(
    paying.map(({ unit }, each) => paid(unit, 10 + each)),
    clock.now(),
  )
  clock.move(1000)
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
async function results(): Promise<any> {
  clock.move(1)
  return refreshed(service, `${flag.path}/rules/${rule.id}/results`)
}
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
const figuresOf = ({ units, metrics, dimensions }: any) => ({ units, metrics, dimensions })

const erasures = () => `${project.path}/erasures`
const erase = (...units: string[]) => succeed(service, 'POST', erasures(), { units })
const jobPath = (id: string) => `${project.path}/commerce/jobs/${id}`
async function erased(...units: string[]) {
  const { id } = await erase(...units)
  await service.jobs.run()
  return succeed(service, 'GET', jobPath(id))
}

/** Where the database of the service names a unit. */
async function tablesNaming(unit: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select distinct table_name as "table" from information_schema.columns
    where table_schema = 'public' and column_name = 'unit' order by 1`.execute(service.db)
  const naming: string[] = []
  for (const { table } of rows) {
    const { rows: found } = await sql`select from ${sql.table(table)} where unit = ${unit} limit 1`.execute(service.db)
    if (found.length > 0) naming.push(table)
  }
  return naming
}

describe('an erasure', () => {
  test('deletes the events of the visitors, renames them in what was counted, and does not move results', async () => {
    await visitors()
    const before = figuresOf(await results())
    expect(await tablesNaming('u-17')).not.toEqual([])
    const job = await erased('u-17', 'u-4')
    expect(job).toMatchObject({ status: 'SUCCEEDED', kind: 'visitor_erasure', result: { visitors: 2, rules: 1 } })
    expect(await tablesNaming('u-17')).toEqual([])
    expect(await tablesNaming('u-4')).toEqual([])
    expect(await tablesNaming('u-5')).not.toEqual([])
    const of = { envIds: [project.production.id], units: ['u-17', 'u-4'] }
    expect(await events.rulesExposedTo(of, going)).toEqual([])
    expect(figuresOf(await results())).toEqual(before)
    clock.move(dayMs)
    expect(figuresOf(await results()).metrics).toEqual(before.metrics)
  })

  test('first counts the events that were not counted yet', async () => {
    await visitors()
    await erased('u-0', 'u-1')
    const found = await results()
    expect(found.units.total).toBe(40)
    const totals = found.metrics.find(({ key }: { key: string }) => key === 'revenue').variations
    // 20 visitors paid 10 to 29.
    expect(totals.reduce((sum: number, each: { sum: number }) => sum + each.sum, 0)).toBe(390)
  })

  test('does not move results when later visitors change the values that results are split by', async () => {
    await visitors((each) => `V${each}`)
    await erased('u-0', 'u-1')
    const before = await results()
    // These countries are larger, and take the places of all before. The visitors of those are counted again.
    const others = Array.from({ length: 300 }, (_, each) =>
      exposed(`new-${each}`, each % 2 ? 'on' : 'off', `C${each % 150}`),
    )
    await events.append(others, clock.now())
    const after = await results()
    expect(after.units.total).toBe(340)
    const sumOf = (of: typeof before) =>
      of.metrics[0].variations.reduce((sum: number, each: { sum: number }) => sum + each.sum, 0)
    expect(sumOf(after)).toBe(sumOf(before))
  })

  test('succeeds in a later attempt if a visitor has come back after the first one has renamed them', async () => {
    const unit = 'who-comes-back'
    await events.append([exposed(unit, 'on')], clock.now())
    await results()
    const { id } = await erased(unit)
    await events.append([exposed(unit, 'on')], clock.now())
    await results()
    expect(await tablesNaming(unit)).not.toEqual([])
    // As if the first attempt had stopped before the next rule.
    await sql`
      update jobs set status = 'QUEUED', ended_at = null, result = null, due_at = ${clock.now()},
        input = ${JSON.stringify({ units: [unit] })}::jsonb where id = ${id}`.execute(service.db)
    await service.jobs.run()
    expect(await succeed(service, 'GET', jobPath(id))).toMatchObject({ status: 'SUCCEEDED', attempt: 2 })
    expect(await tablesNaming(unit)).toEqual([])
  })

  test('deletes the events of a deleted environment, also where no test has counted', async () => {
    const { path } = project
    const { id: envId } = await succeed(service, 'POST', `${path}/environments`, { name: 'Preview' })
    const unit = 'seen-in-preview'
    const of = { envIds: [envId], units: [unit] }
    const stays = { ...exposed('stays', 'on'), envId }
    await events.append([{ ...paid(unit, 10), envId }, { ...exposed(unit, 'on'), envId }, stays], clock.now())
    await succeed(service, 'DELETE', `${path}/environments/${envId}`)
    expect(await events.rulesExposedTo(of, going)).toEqual([rule.id])
    await erased(unit)
    expect(await events.rulesExposedTo(of, going)).toEqual([])
    expect(await tablesNaming(unit)).toEqual([])
    expect(await events.rulesExposedTo({ ...of, units: ['stays'] }, going)).toEqual([rule.id])
  })

  test('lists the segments and allowlists that name a visitor, and leaves them', async () => {
    const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
    await succeed(service, 'POST', `${project.path}/segments/${segment.id}/members/add`, { ids: ['u-1', 'u-2'] })
    await succeed(service, 'PUT', `${flag.production}/overrides`, {
      environmentAllowlist: [{ variationKey: 'on', userIds: ['u-1'] }],
      ruleAllowlists: [],
    })
    const { result } = await erased('u-1')
    expect(result.segments).toEqual([{ id: segment.id, name: 'Testers' }])
    expect(result.allowlists).toMatchObject([{ flagId: flag.id, envName: 'Production' }])
    expect(JSON.stringify(result)).not.toContain('u-1"')
  })

  test('leaves no id of the visitor in the job, the audit log or the events', async () => {
    await visitors()
    const unit = `secret-visitor-${newId()}`
    await events.append([exposed(unit, 'on')], clock.now())
    const { id } = await erased(unit)
    for (const table of ['jobs', 'audit_entries', 'events', 'deliveries', 'rule_units', 'snapshots']) {
      const { rows } = await sql`
        select from ${sql.table(table)} row where row::text like ${`%${unit}%`} limit 1`.execute(service.db)
      expect({ table, rows: rows.length }).toEqual({ table, rows: 0 })
    }
    const { data: entries } = (
      await administrator.inSession('GET', `/api/v1/audit?objectId=${project.id}&action=project.erase_visitors`)
    ).body
    expect(entries).toMatchObject([{ action: 'project.erase_visitors', after: { visitors: 1 } }])
    const { data: told } = (await service.call(service.people.admin, 'GET', `${project.path}/events?after=0`)).body
    expect(told.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['job.updated', 'visitor.erased']),
    )
    expect(told.find(({ event }: { event: string }) => event === 'visitor.erased')).toMatchObject({ visitors: 1 })
    expect(await succeed(service, 'GET', jobPath(id))).toMatchObject({ status: 'SUCCEEDED' })
  })
})

describe('who can ask for an erasure', () => {
  const asked = { units: ['u-1'] }

  test('an administrator who is signed in, and a service token with all scopes', async () => {
    expect((await administrator.inSession('POST', erasures(), asked)).status).toBe(202)
    expect((await service.call(service.people.admin, 'POST', erasures(), asked)).status).toBe(202)
  })

  test('nobody else: an editor in the dashboard, a personal token of an owner, a service token with other scopes', async () => {
    const editor = await newPerson(service, { role: 'EDITOR' })
    const refusal = async (answer: Promise<{ status: number; body: { error: { code: string } } }>) => {
      const { status, body } = await answer
      return `${status} ${body.error.code}`
    }
    expect(await refusal(editor.inSession('POST', erasures(), asked))).toBe('403 role_missing')
    expect(await refusal(service.call(service.people.owner, 'POST', erasures(), asked))).toBe('403 scope_missing')
    expect(await refusal(service.call(service.people.projectsWrite, 'POST', erasures(), asked))).toBe(
      '403 scope_missing',
    )
    expect(await refusal(service.call(service.people.stranger, 'POST', erasures(), asked))).toBe('404 not_found')
  })

  test.each([
    ['no visitor', []],
    ['too many', Array.from({ length: 101 }, (_, each) => `u-${each}`)],
    ['an empty id', ['']],
  ])('an erasure of %s is refused', async (_, units) => {
    expect((await service.call(service.people.admin, 'POST', erasures(), { units })).status).toBe(400)
  })

  test('the jobs of other people do not include it', async () => {
    const editor = await newPerson(service, { role: 'EDITOR' })
    const { id } = await erase('u-1')
    expect((await editor.inSession('GET', `${project.path}/commerce/jobs`)).body.data).toEqual([])
    expect((await editor.inSession('GET', jobPath(id))).status).toBe(404)
    expect((await administrator.inSession('GET', `${project.path}/commerce/jobs`)).body.data).toMatchObject([{ id }])
  })
})
