import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { refreshed } from '../../../../../testing/watching.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
let url: string
beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  project = await createProject(service)
  url = `${project.path}/recommendations/placements`
  for (const name of ['Home', 'Cart'])
    await succeed(service, 'POST', url, { name, variants: { default: { strategies: ['RECENTLY_VIEWED'] } } })
})
afterAll(() => service.close())

const measure = (key: string, body: object = {}) =>
  service.call(service.people.admin, 'POST', `${url}/${key}/measure`, body)

const sent = (type: string, unit: string, fields: object) => ({
  ...{ type, id: randomUUID(), ts: clock.now().toISOString(), unit },
  ...fields,
})
const orderOf = (unit: string, total: string) =>
  sent('order', unit, {
    order: { orderId: `o-${unit}`, currency: 'EUR', total, items: [{ itemId: 'SKU-1', quantity: 1, price: total }] },
  })
async function send(events: object[]): Promise<void> {
  const body = { sdkKey: project.production.sdkKey, events }
  const answer = await service.call(null, 'POST', '/api/sdk/v1/events', body)
  expect([answer.status, answer.body.rejected]).toEqual([202, []])
}

test('before the first order, there is nothing to measure', async () => {
  const { status, body } = await measure('home')
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    'invalid_state',
    expect.stringContaining('No order has come in this environment'),
  ])
  // Nothing is left of the attempt.
  expect(await succeed(service, 'GET', `${project.path}/flags`)).toEqual([])
  expect((await measure('home', { controlShare: 99 })).status).toBe(400)
  expect((await measure('home', { envId: randomUUID() })).status).toBe(400)
})

test('one call makes flag, metric and experiment, and launches it', async () => {
  await send([orderOf('first', '10.00')])
  const { status, headers, body } = await measure('home', { controlShare: 1000 })
  expect([status, headers.etag, body.data.measurement]).toEqual([201, '"z2"', null])
  const flag = await succeed(service, 'GET', `${project.path}/flags/recommend-home`)
  expect(flag).toMatchObject({ type: 'STRING', name: 'Recommendations: Home' })
  const [experiment] = await succeed(service, 'GET', `${project.path}/experiments`)
  expect(experiment).toMatchObject({
    ...{ name: 'Recommendations: Home', status: 'RUNNING', baselineVariationKey: 'none' },
    variations: [
      { key: 'default', weight: 9000 },
      { key: 'none', weight: 1000 },
    ],
    metrics: { primary: ['revenue_per_visitor'], guardrails: [] },
    statistics: { test: 'SEQUENTIAL', inProgressConversions: 'INCLUDE' },
  })
  expect(await succeed(service, 'GET', `${project.path}/metrics/revenue_per_visitor`)).toMatchObject({
    ...{ type: 'MEAN', eventKey: 'order', valueFrom: 'value', winsorizeAt: 0.999, unit: 'EUR' },
  })
  const again = await measure('home')
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('recommend-home exists')])
  // The metric that is there serves the second placement, too.
  expect((await measure('cart')).status).toBe(201)
  expect(await succeed(service, 'GET', `${project.path}/metrics`)).toHaveLength(1)
})

test('the placement says what it brings, to those who can read results', async () => {
  const experiments = await succeed(service, 'GET', `${project.path}/experiments`)
  const experiment = experiments.find(({ name }: { name: string }) => name.endsWith('Home'))
  const exposures = Array.from({ length: 120 }, (_none, n) => [`u-${n}`, n % 3 === 0 ? 'none' : 'default'] as const)
  await send(
    exposures.map(([unit, variationKey]) =>
      sent('exposure', unit, { flagKey: 'recommend-home', ruleId: experiment.ruleId, variationKey, reason: 'SPLIT' }),
    ),
  )
  clock.move(minuteMs)
  const buyers = exposures.filter(([, variation], n) => n % 2 === 0 || variation === 'default')
  await send(buyers.map(([unit], n) => orderOf(unit, `${10 + (n % 5)}.00`)))
  await refreshed(service, `${project.path}/experiments/${experiment.id}/results`)
  const { measurement } = await succeed(service, 'GET', `${url}/home`)
  expect(measurement).toMatchObject({
    ...{ experimentId: experiment.id, flagKey: 'recommend-home', status: 'RUNNING', currency: 'EUR' },
    visitors: { shown: 80, control: 40 },
  })
  const { perVisitor, incrementalRevenue } = measurement
  expect(perVisitor.ciLow).toBeLessThan(perVisitor.estimate)
  expect(incrementalRevenue.estimate).toBeCloseTo(80 * perVisitor.estimate, 9)
  expect(incrementalRevenue.ciHigh).toBeCloseTo(80 * perVisitor.ciHigh, 9)
  // Deleting the placement leaves its experiment.
  await succeed(service, 'DELETE', `${url}/home`)
  expect((await succeed(service, 'GET', `${project.path}/experiments/${experiment.id}`)).status).toBe('RUNNING')
})
