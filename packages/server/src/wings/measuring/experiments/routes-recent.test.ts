import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { evenSplit } from '../../../../testing/experiments.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import type { EventStore, NewEvent } from '../events/index.ts'

const day = 86_400_000
let now = new Date('2026-11-10T06:00:00.000Z')
let service: TestService
let events: EventStore
let project: TestProject
let flag: TestFlag

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  service = await startTestService({ now: () => now, settings })
  events = eventStoreOn(service.database, clickHouseUrl)
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  const metric = { ...proportion('order_paid'), conversionWindowHours: 24 }
  await succeed(service, 'POST', `${project.path}/metrics`, metric)
  await succeed(service, 'POST', `${project.path}/metrics`, proportion('signed_up'))
})
afterAll(() => service.close())

const plan = async (body: object = {}) => {
  const metrics = { primary: ['order_paid'], secondary: ['signed_up'] }
  const made = await succeed(service, 'POST', `${project.path}/experiments`, {
    ...{ flagId: flag.id, name: 'Next', metrics, ...evenSplit, ...body },
  })
  return `${project.path}/experiments/${made.shortId}/recent-figures`
}

test('without a measured rule nothing is known', async () => {
  expect(await succeed(service, 'GET', await plan())).toEqual({
    from: '2026-10-27',
    until: '2026-11-10',
    visitors: null,
    metrics: [
      { key: 'order_paid', type: 'PROPORTION', figures: null },
      { key: 'signed_up', type: 'PROPORTION', figures: null },
    ],
  })
})

test('figures come only from tests of the same environment', async () => {
  const other = await newFlag(service, project, { key: 'copy' })
  const rule = await addRule(service, other.production, abTest('Copy', { metrics: { primary: ['order_paid'] } }))
  await succeed(service, 'POST', `${other.production}/run`)
  const sent: NewEvent[] = Array.from({ length: 60 }, (_, index) => {
    const at = now.getTime() + (1 + (index % 3)) * day
    const common = { envId: project.production.id, unit: `u-${index}`, clamped: false }
    const exposure: NewEvent = {
      ...{ ...common, type: 'exposure', id: randomUUID(), at, kind: 0, dimensions: null },
      ...{ ruleId: rule.id, variationId: other.ids[index % 2 ? 'on' : 'off']! },
    }
    const paid: NewEvent = {
      ...{ ...common, type: 'track', id: randomUUID(), at: at + 60_000, kind: 0 },
      ...{ eventKey: 'order_paid', value: null },
    }
    return index % 5 === 0 ? [exposure, paid] : [exposure]
  }).flat()
  now = new Date(now.getTime() + 5 * day)
  await events.append(sent, now)
  await refreshed(service, `${other.path}/rules/${rule.id}/results`)
  const source = { ruleId: rule.id, flagId: other.id, flagKey: 'copy', experimentId: null }
  const known = await succeed(service, 'GET', await plan())
  expect(known.visitors).toEqual({ units: 60, days: 4, perDay: 15, source })
  expect(known.metrics).toEqual([
    { key: 'order_paid', type: 'PROPORTION', figures: { baseline: 0.2, stddev: null, units: 60, source } },
    { key: 'signed_up', type: 'PROPORTION', figures: null },
  ])
  const elsewhere = await succeed(service, 'GET', await plan({ envId: project.development.id }))
  expect([elsewhere.visitors, elsewhere.metrics[0].figures]).toEqual([null, null])
  now = new Date(now.getTime() + 20 * day)
  expect((await succeed(service, 'GET', await plan())).visitors).toBeNull()
})

test('figures need the scope results:read', async () => {
  const path = await plan()
  expect((await service.call(service.people.flagsWrite, 'GET', path)).status).toBe(403)
  expect((await service.call(service.people.editor, 'GET', path)).status).toBe(200)
  expect((await service.call(service.people.stranger, 'GET', path)).status).toBe(404)
})
