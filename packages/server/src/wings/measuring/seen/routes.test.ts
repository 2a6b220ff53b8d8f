import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs, standingClock } from '../../../../testing/clock.ts'
import { abTest, addRule, newFlag, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { addVisitors } from './actions.ts'
import { deleteUnwanted } from './queries.ts'
import { mostVisitors } from './seen.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const seen = (unit: string, facts: object, more: object = {}) => ({
  ...{ envId: project.production.id, unit, facts: JSON.stringify(facts), seenAt: clock.now().getTime() },
  ...more,
})
const attributes = (environment = 'production') =>
  succeed(service, 'GET', `${project.path}/environments/${environment}/attributes`)
const newAudience = (conditions: object) =>
  succeed(service, 'POST', `${project.path}/audiences`, { name: `Audience ${randomUUID()}`, conditions })
const reach = async (conditions: object) => {
  const { key } = await newAudience(conditions)
  return succeed(service, 'GET', `${project.path}/audiences/${key}/envs/production/reach`)
}
const equals = (attribute: string, value: unknown) => ({ attribute, operator: 'equals', value })
const counted = async () => (await attributes()).sample.visitors

test('attributes come from OFREP and from exposures, of people alone and once for each', async () => {
  const flag = await newFlag(service, project, { key: 'checkout' })
  const rule = await addRule(service, flag.production, abTest('Test'))
  await succeed(service, 'POST', `${flag.production}/run`)
  const { sdkKey } = project.production
  const evaluate = (context: object, headers: Record<string, string> = {}) =>
    service.call(null, 'POST', '/ofrep/v1/evaluate/flags', { context }, { 'x-api-key': sdkKey, ...headers })
  const person = { targetingKey: 'u-1', plan: 'pro', email: 'ada@svc.test', tags: ['a'] }
  for (const context of [person, person, { ...person, targetingKey: 'u-2' }, { plan: 'nobody' }])
    expect((await evaluate(context)).status).toBe(200)
  await evaluate({ ...person, targetingKey: 'bot', userAgent: 'Googlebot/2.1' })
  await service.seen.save()
  const exposure = {
    ...{ type: 'exposure', id: randomUUID(), ts: clock.now().getTime(), unit: 'u-3' },
    ...{ ruleId: String(rule.shortId), variationKey: 'on', reason: 'SPLIT', context: { plan: 'free', age: 30 } },
  }
  const sent = await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events: [exposure] })
  expect(sent.body).toMatchObject({ accepted: 1 })
  await service.seen.save()
  const at = clock.now().toISOString()
  expect(await attributes()).toEqual({
    ...{ envId: project.production.id, samplesVisitors: true, sample: { visitors: 3, from: at, to: at } },
    attributes: [
      { name: 'plan', types: ['STRING'], visitors: 3, values: ['pro'] },
      { name: 'email', types: ['STRING'], visitors: 2, values: [] },
      { name: 'age', types: ['NUMBER'], visitors: 1, values: [] },
    ],
  })
  expect(await attributes('development')).toMatchObject({ sample: { visitors: 0, from: null }, attributes: [] })
  const { rows } = await sql<{ text: string }>`select seen_visitors::text as text from seen_visitors`.execute(
    service.db,
  )
  expect(rows.map(({ text }) => text).join()).not.toContain('ada@')
})

test('the reach of an audience is the share of the sample that matches', async () => {
  await addVisitors(service.db, [
    seen('u-1', { plan: 'pro', country: 'NL' }),
    seen('u-2', { plan: 'pro', email: 'ada@svc.test' }),
    seen('u-3', { plan: 'free', country: 'NL' }),
  ])
  expect(await reach(equals('plan', 'pro'))).toMatchObject({
    ...{ sample: { visitors: 3 }, matching: 2, unknownAttributes: [] },
  })
  expect(await reach({ all: [] })).toMatchObject({ matching: 3 })
  expect(
    await reach({ any: [equals('targetingKey', 'u-1'), equals('email', 'ada@svc.test'), equals('age', 3)] }),
  ).toEqual(expect.objectContaining({ matching: 1, unknownAttributes: ['email', 'age'] }))
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  const other = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Others' })
  await succeed(service, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: ['u-3', 'u-1', 'u-9'] })
  const inSegment = { all: [{ segment: segment.id }, { not: { segment: other.id } }, equals('plan', 'free')] }
  expect(await reach(inSegment)).toMatchObject({ matching: 1, unknownAttributes: [] })
})

test('the newest visitors stay, with their newest attributes, also if two nodes write', async () => {
  const at = clock.now().getTime()
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, place) => seen(`u-${from + place}`, {}, { seenAt: at + from + place }))
  await Promise.all([addVisitors(service.db, some(0, 800)), addVisitors(service.db, some(400, 800))])
  await addVisitors(service.db, [seen('u-1199', { plan: 'old' }), seen('new', { plan: 'new' }, { seenAt: at + 2_000 })])
  const found = await attributes()
  expect(found.sample).toEqual({
    visitors: mostVisitors,
    from: new Date(at + 201).toISOString(),
    to: new Date(at + 2_000).toISOString(),
  })
  expect(found.attributes).toMatchObject([{ name: 'plan', visitors: 1 }])
})

test('visitors who were seen too long ago are deleted', async () => {
  await addVisitors(service.db, [seen('old', {}, { seenAt: clock.now().getTime() - 2 * dayMs }), seen('new', {})])
  await deleteUnwanted(service.db, new Date(clock.now().getTime() - dayMs), 10_000)
  expect(await counted()).toBe(1)
})

test('a project that samples no visitors takes none, and its sample is deleted', async () => {
  await addVisitors(service.db, [seen('u-1', { plan: 'pro' })])
  expect(await succeed(service, 'PATCH', project.path, { samplesVisitors: false })).toMatchObject({
    ...{ name: 'Test project', samplesVisitors: false },
  })
  expect(await attributes()).toMatchObject({ samplesVisitors: false, sample: { visitors: 0 }, attributes: [] })
  await addVisitors(service.db, [seen('u-2', { plan: 'pro' })])
  await deleteUnwanted(service.db, new Date(0), 10_000)
  await succeed(service, 'PATCH', project.path, { samplesVisitors: true })
  expect(await counted()).toBe(0)
  expect(await reach({ all: [] })).toMatchObject({ samplesVisitors: true, sample: { visitors: 0 }, matching: 0 })
})

test('an erasure deletes the visitor from the sample', async () => {
  await addVisitors(service.db, [seen('u-1', { plan: 'pro' }), seen('u-2', { plan: 'pro' })])
  const { id } = await succeed(service, 'POST', `${project.path}/erasures`, { units: ['u-1'] })
  await service.jobs.run()
  expect(await succeed(service, 'GET', `${project.path}/commerce/jobs/${id}`)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await counted()).toBe(1)
})
