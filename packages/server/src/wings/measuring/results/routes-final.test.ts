import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { abTest, succeed } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refresh, visit, type WatchedRule, watchedRule } from '../../../../testing/watching.ts'

let on: { service: TestService; project: TestProject; clock: TestClock }
let reader: TestPerson

beforeAll(async () => {
  const clock = standingClock()
  const service = await startTestService({ now: clock.now })
  on = { service, project: await createProject(service), clock }
  reader = await newPerson(service, { role: 'EDITOR' })
  for (const [key, direction] of [
    ['paid', 'INCREASE'],
    ['broken', 'DECREASE'],
  ] as const)
    await succeed(service, 'POST', `${on.project.path}/metrics`, {
      ...proportion(key, { conversionWindowHours: 24, direction }),
      eventKey: 'paid',
    })
})
afterAll(() => on.service.close())

const problemsOf = async ({ id }: WatchedRule) => {
  const { body } = await reader.inSession('GET', '/api/dashboard/attention')
  return body.data.problems.filter(({ object }: { object: { id: string } }) => object.id === id)
}

test('a fixed test keeps its first final verdict, through pauses, publishes and whatever arrives', async () => {
  const statistics = { test: 'FIXED_HORIZON', plannedUnitsPerVariation: 200, minRuntimeDays: 1 }
  const rule = await watchedRule(on, 'fixed', abTest('Copy', { metrics: { primary: ['paid'] }, statistics }))
  await visit(on, rule, { on: 200, off: 200 })
  on.clock.move(23 * hourMs)
  const open = await refresh(on, rule)
  expect(open.recommendation).toMatchObject({
    action: 'KEEP_RUNNING',
    reasons: expect.arrayContaining(['WINDOWS_OPEN']),
  })
  expect(open.progress).toMatchObject({ stage: 'WINDOWS_OPEN', measuredUnits: 0, fraction: 0 })
  on.clock.move(2 * hourMs)
  const final = await refresh(on, rule)
  expect(final.metrics[0]).toMatchObject({
    finalAt: on.clock.now().toISOString(),
    variations: [{ units: 200 }, { units: 200 }],
  })
  expect(final.recommendation.action).toBe('NO_EFFECT')
  await visit(on, rule, { on: 300, off: 300 }, { paid: 'on' })
  on.clock.move(dayMs + hourMs)
  const later = await refresh(on, rule)
  expect(later.units.total).toBe(1000)
  expect([later.metrics, later.recommendation]).toEqual([final.metrics, final.recommendation])
  await succeed(on.service, 'POST', `${rule.path}/pause`)
  on.clock.move(2 * dayMs)
  expect((await refresh(on, rule)).metrics).toEqual(final.metrics)
  await succeed(on.service, 'POST', `${rule.path}/run`)
  await succeed(on.service, 'PATCH', rule.path, { statistics: { ...statistics, minConversions: 10 } })
  await succeed(on.service, 'POST', `${on.project.path}/environments/${on.project.production.id}/publish`)
  on.clock.move(hourMs)
  expect((await refresh(on, rule)).metrics).toEqual(final.metrics)
})

test('a breached guardrail is under the bell until it has recovered', async () => {
  const metrics = { primary: [], guardrails: ['broken'] }
  const rule = await watchedRule(on, 'harmful', abTest('Copy', { metrics }))
  await visit(on, rule, { on: 200, off: 200 }, { paid: 'on' })
  on.clock.move(dayMs + hourMs)
  const harmful = await refresh(on, rule)
  expect(harmful.recommendation).toMatchObject({
    action: 'ROLLBACK',
    reasons: ['GUARDRAIL_BREACHED'],
    breached: [{ name: expect.any(String), variationId: rule.flag.ids.on }],
  })
  expect(await problemsOf(rule)).toMatchObject([
    { kind: 'GUARDRAIL_BREACHED', since: on.clock.now().toISOString(), object: { kind: 'rule', name: 'Copy' } },
  ])
  await visit(on, rule, { on: 0, off: 400 }, { paid: 'off' })
  await visit(on, rule, { on: 400, off: 0 })
  on.clock.move(dayMs + hourMs)
  expect((await refresh(on, rule)).recommendation.breached).toEqual([])
  expect(await problemsOf(rule)).toEqual([])
})

test('exposures that stop are seen, although visitors came before', async () => {
  const rule = await watchedRule(on, 'stopped', abTest('Copy'))
  await visit(on, rule, { on: 40, off: 40 })
  const lastAt = on.clock.now().toISOString()
  const check = async () => {
    await on.service.call(null, 'POST', '/api/sdk/heartbeat', {
      ...{
        sdkKey: on.project.production.sdkKey,
        sdkType: 'node',
        sdkVersion: '1.0.0',
        instanceId: `at-${on.clock.now()}`,
      },
    })
    on.clock.move(60_000)
    const { health } = await refresh(on, rule)
    return health.checks.find((each: { check: string }) => each.check === 'NO_EXPOSURES')
  }
  on.clock.move(12 * hourMs)
  expect(await check()).toMatchObject({ status: 'OK', lastAt })
  on.clock.move(13 * hourMs)
  await expect.poll(check).toMatchObject({ status: 'FAILED', lastAt })
  expect(await problemsOf(rule)).toMatchObject([{ kind: 'TEST_UNHEALTHY' }])
  await visit(on, rule, { on: 1, off: 1 })
  expect(await check()).toMatchObject({ status: 'OK' })
})

test.each(['INCLUDE', 'EXCLUDE'])('a metric judges the visitors that it has measured only (%s)', async (mode) => {
  const key = `added-${mode.toLowerCase()}`
  await succeed(on.service, 'POST', `${on.project.path}/metrics`, {
    ...proportion(key, { conversionWindowHours: 24 }),
    eventKey: 'paid',
  })
  const statistics = {
    ...{ test: 'FIXED_HORIZON', plannedUnitsPerVariation: 400, minRuntimeDays: 1 },
    inProgressConversions: mode,
  }
  const rule = await watchedRule(on, key, abTest('Copy', { metrics: { primary: ['paid'] }, statistics }))
  await visit(on, rule, { on: 300, off: 300 })
  on.clock.move(dayMs + hourMs)
  await refresh(on, rule)
  on.clock.move(91 * dayMs)
  const change = async (body: object) => {
    await succeed(on.service, 'PATCH', rule.path, body)
    await succeed(on.service, 'POST', `${on.project.path}/environments/${on.project.production.id}/publish`)
    on.clock.move(hourMs)
    return await refresh(on, rule)
  }
  const added = await change({ metrics: { primary: [key] } })
  expect(added.units.total).toBe(600)
  expect(added.metrics).toMatchObject([{ key, finalAt: null, variations: [{ units: 0 }, { units: 0 }] }])
  expect(added.progress).toMatchObject({ stage: 'COLLECTING', measuredUnits: 0, fraction: 0 })
  expect(added.recommendation.action).toBe('KEEP_RUNNING')
  // This one had measured these visitors while their events were there.
  const again = await change({ metrics: { primary: ['paid'] } })
  expect(again.progress).toMatchObject({ stage: 'COLLECTING', measuredUnits: 300 })
  on.clock.move(2 * dayMs)
  await visit(on, rule, { on: 200, off: 200 })
  on.clock.move(2 * dayMs)
  const final = await refresh(on, rule)
  expect(final.metrics).toMatchObject([
    { finalAt: on.clock.now().toISOString(), variations: [{ units: 500 }, { units: 500 }] },
  ])
})
