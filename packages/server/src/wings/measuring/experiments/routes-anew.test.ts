import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { newExperiment } from '../../../../testing/experiments.ts'
import { newFlag, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import type { NewEvent } from '../events/index.ts'

const day = 86_400_000
const begin = new Date('2026-11-10T06:00:00.000Z')

test('results that a publish restarts count only later events', async () => {
  let now = begin
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  const service = await startTestService({ now: () => now, settings })
  onTestFinished(() => service.close())
  const events = eventStoreOn(service.database, clickHouseUrl)
  const project = await createProject(service)
  const flag = await newFlag(service, project, { key: 'checkout' })
  const post = (path: string, body?: object) => succeed(service, 'POST', path, body)
  const spent = { type: 'MEAN', eventKey: 'paid', valueFrom: 'value', winsorizeAt: 0.5 }
  await post(`${project.path}/metrics`, { key: 'spent', name: 'Spent', ...spent })
  await post(`${flag.production}/run`)
  const { path, ruleId } = await newExperiment(service, project, flag, {
    metrics: { primary: ['spent'] },
    statistics: { inProgressConversions: 'INCLUDE', cuped: true },
  })
  await post(`${path}/launch`)

  /** All visitors come and pay, a day after now. */
  async function visit(amounts: { on: number; off: number }) {
    const at = now.getTime() + day
    const sent = Array.from({ length: 400 }, (_, index): NewEvent[] => {
      const key = index % 2 ? 'on' : 'off'
      const common = { envId: project.production.id, unit: `u-${index}`, clamped: false, kind: 0 as const }
      const exposure = { ...common, type: 'exposure' as const, id: randomUUID(), at, dimensions: '{"country":"NL"}' }
      const paid = { ...common, type: 'track' as const, id: randomUUID(), at: at + 1 }
      // A few pay less, so that visitors of a variation differ.
      return [
        { ...exposure, ruleId, variationId: flag.ids[key]! },
        { ...paid, eventKey: 'paid', value: amounts[key] + (index % 20 < 2 ? -1 : 0) },
      ]
    }).flat()
    now = new Date(at + day)
    await events.append(sent, now)
    return refreshed(service, `${path}/results`)
  }

  const before = await visit({ on: 90, off: 60 })
  expect(before).toMatchObject({ units: { total: 400 }, runtimeDays: 2 })
  expect(before.metrics[0]).toMatchObject({ winsorizedAt: 74.5 })
  expect(before.metrics[0].variations[1].comparison).toMatchObject({ significant: true })

  await post(`${path}/publish`, { newPhase: true })
  const after = await visit({ on: 20, off: 20 })
  expect(after).toMatchObject({ units: { total: 400 }, runtimeDays: 2, phases: [{}, { reason: 'RESTARTED' }] })
  expect(after.metrics[0]).toMatchObject({ winsorizedAt: 20, winsorizedUnits: 0 })
  expect(after.metrics[0].variations[1]).toMatchObject({ units: 200, sum: 3980 })
  expect(after.metrics[0].variations[1].comparison).toMatchObject({ significant: false, firstSignificantAt: null })
  // What they spent during the test is no covariate: the variation may have caused it.
  expect(after.metrics[0].variations[1].comparison.cuped).toEqual({ theta: 0, varianceReduction: 0 })
  const { dimension } = await succeed(service, 'GET', `${path}/results?dimension=country`)
  expect(dimension.values).toMatchObject([{ value: 'NL', units: 400 }])
})
