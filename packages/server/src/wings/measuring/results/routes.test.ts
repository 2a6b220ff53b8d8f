import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, nobody, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { databaseStore } from '../events/index.ts'

const start = new Date('2026-01-01T00:00:00.000Z')
let now = start
let service: TestService
let project: TestProject
let flag: TestFlag

beforeAll(async () => {
  service = await startTestService({ now: () => now })
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'measured' })
})
afterAll(() => service.close())

const resultsOf = (ruleId: string, who = service.people.owner) =>
  service.call(who, 'GET', `${flag.path}/rules/${ruleId}/results`)

const sharesOf = (on: number, off: number) => [
  { variationId: flag.ids.off, key: 'off', isBaseline: true, weight: off, expectedShare: off, units: 0, share: null },
  { variationId: flag.ids.on, key: 'on', isBaseline: false, weight: on, expectedShare: on, units: 0, share: null },
]
const split = (off: number) => ({
  variations: [
    { variationKey: 'off', weight: off },
    { variationKey: 'on', weight: 10_000 - off },
  ],
})

describe('the results of an A/B test without exposures', () => {
  test('are zeros', async () => {
    const statistics = {
      ...{ test: 'FIXED_HORIZON', alpha: 0.1, correction: 'NONE', cuped: true, conversionWindowHours: 24 },
      ...{ inProgressConversions: 'INCLUDE', minUnits: 500, plannedUnitsPerVariation: 4000 },
    }
    const rule = await addRule(service, flag.production, abTest('Test', { ...split(2500), statistics }))
    const { status, body } = await resultsOf(rule.id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ruleId: rule.id,
      flagId: flag.id,
      envId: project.production.id,
      ruleType: 'AB_TEST',
      ruleStatus: 'DRAFT',
      generatedAt: now.toISOString(),
      dataThrough: null,
      startedAt: null,
      endedAt: null,
      runtimeDays: 0,
      settings: {
        test: 'FIXED_HORIZON',
        alpha: 0.1,
        correction: 'NONE',
        cuped: { enabled: true },
        conversionWindowHours: 24,
        inProgressConversions: 'INCLUDE',
        minUnits: 500,
        sequentialTuningParameter: 8000,
      },
      units: { total: 0, excluded: { crossover: 0, bot: 0, override: 0, paused: 0 }, variations: sharesOf(0.75, 0.25) },
      health: { status: 'NOT_ENOUGH_DATA', checks: [] },
      metrics: [],
      progress: null,
    })
  })

  test('are those of the live version, not of the draft', async () => {
    const rule = await addRule(service, flag.production, abTest('Edited', split(5000)))
    await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/run`)
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, {
      ...split(1000),
      confirmReassignment: true,
    })
    expect((await resultsOf(rule.id)).body.data.units.variations).toEqual(sharesOf(0.5, 0.5))
  })

  test('count the days since the rule was first served, and follow its status', async () => {
    const rule = await addRule(service, flag.development, abTest('Timed'))
    const seen = async () => {
      const { ruleStatus, startedAt, runtimeDays } = (await resultsOf(rule.id)).body.data
      return { ruleStatus, startedAt, runtimeDays }
    }
    now = new Date('2026-02-01T00:00:00.000Z')
    await succeed(service, 'POST', `${flag.development}/run`)
    const startedAt = now.toISOString()
    now = new Date('2026-02-03T12:00:00.000Z')
    expect(await seen()).toEqual({ ruleStatus: 'RUNNING', startedAt, runtimeDays: 2.5 })
    await succeed(service, 'POST', `${flag.development}/pause`)
    expect(await seen()).toMatchObject({ ruleStatus: 'PAUSED', startedAt })
  })
})

test('the results of a targeted delivery are its units without metrics', async () => {
  const rule = await addRule(service, flag.production, delivery('Delivered'))
  const { status, body } = await resultsOf(rule.id)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    ruleType: 'TARGETED_DELIVERY',
    settings: null,
    units: { total: 0, variations: [{ key: 'on', isBaseline: false, weight: 1, units: 0 }] },
    metrics: [],
    health: { status: 'NOT_MEASURED', checks: [] },
    recommendation: null,
  })
})

test('a rule that is deleted but still served keeps its results', async () => {
  const rule = await addRule(service, flag.production, delivery('Leaving'))
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/run`)
  await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
  expect((await resultsOf(rule.id)).status).toBe(200)
})

test('results need the scope results:read', async () => {
  const rule = await addRule(service, flag.production, delivery('Not for all'))
  const { status, body } = await resultsOf(rule.id, service.people.flagsWrite)
  expect(status).toBe(403)
  expect(body.error).toMatchObject({ code: 'scope_missing', details: { scope: 'results:read' } })
})

test.each([nobody, 'no-id', '99'])('a rule %s has no results', async (ruleId) => {
  const { status, body } = await resultsOf(ruleId)
  expect(status).toBe(404)
  expect(body.error.code).toBe('not_found')
})

test('a rule of a different flag has no results', async () => {
  const other = await newFlag(service, project, { key: 'other' })
  const rule = await addRule(service, other.production, delivery('Theirs'))
  expect((await resultsOf(rule.id)).status).toBe(404)
})

test('a visitor with more exposures in an hour than a person causes is a bot, whichever snapshots read them', async () => {
  const busy = await newFlag(service, project, { key: 'busy' })
  const rule = await addRule(service, busy.production, abTest('Test'))
  await succeed(service, 'POST', `${busy.production}/run`)
  const store = databaseStore(service.database)
  const hour = 3_600_000
  const snapshotWith = async (visits: Record<string, { times: number; at: Date }>) => {
    const common = { type: 'exposure', envId: project.production.id, ruleId: rule.id, dimensions: null } as const
    for (const [unit, { times, at }] of Object.entries(visits))
      await store.append(
        Array.from({ length: times }, () => ({
          ...{ ...common, id: randomUUID(), unit, at: at.getTime(), variationId: busy.ids.on! },
          ...{ kind: 0 as const, clamped: false },
        })),
        now,
      )
    const { units } = await refreshed(service, `${busy.path}/rules/${rule.id}/results`)
    return [units.total, units.excluded.bot]
  }
  const [first, second] = [now, new Date(now.getTime() + hour)]
  now = new Date(now.getTime() + 2 * hour)
  expect(
    await snapshotWith({
      ...{ crawler: { times: 501, at: first }, steady: { times: 300, at: first }, person: { times: 2, at: first } },
      regular: { times: 500, at: first },
    }),
  ).toEqual([3, 1])
  now = new Date(now.getTime() + hour)
  expect(
    await snapshotWith({
      steady: { times: 201, at: first },
      regular: { times: 500, at: second },
      person: { times: 3, at: second },
    }),
  ).toEqual([2, 2])
})
