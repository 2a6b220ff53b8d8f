import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startClickHouse } from '../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed } from '../testing/flags.ts'
import { createProject, metricsBearer, startTestService } from '../testing/service.ts'

test('while ClickHouse is down, events get 503 and the rest works; sent again, each counts once', async () => {
  const clickHouse = await startClickHouse()
  onTestFinished(() => clickHouse.stop())
  await clickHouse.kill()
  // The service starts without it.
  const service = await startTestService({ settings: { SVC_CLICKHOUSE_URL: clickHouse.url } })
  onTestFinished(() => service.close())
  const project = await createProject(service)
  const flag = await newFlag(service, project, { key: 'checkout' })
  const rule = await addRule(service, flag.production, abTest('Copy'))
  await succeed(service, 'POST', `${flag.production}/run`)
  const unit = (place: number) => `visitor-${place}`
  const batch = (from: number) => ({
    sdkKey: project.production.sdkKey,
    events: Array.from({ length: 20 }, (_, place) => ({
      ...{ type: 'exposure', id: randomUUID(), ts: Date.now(), unit: unit(from + place), flagKey: 'checkout' },
      ...{ ruleId: rule.id, variationKey: 'on', reason: 'SPLIT' },
    })),
  })
  const send = async (body: object) => (await service.call(null, 'POST', '/api/sdk/v1/events', body)).status
  const seen = async () => {
    const ready = await service.call(null, 'GET', '/readyz')
    const metrics = await service.app.inject({ url: '/metrics', headers: metricsBearer })
    return [ready.status, ready.body.clickHouse, /^svc_clickhouse_up (\d)$/m.exec(metrics.body)?.[1]]
  }
  const [first, second] = [batch(0), batch(20)]
  expect(await send(first)).toBe(503)
  expect(await seen()).toEqual([200, 'unavailable', '0'])

  await clickHouse.start()
  expect(await seen()).toEqual([200, 'ok', '1'])
  expect([await send(first), await send(second)]).toEqual([202, 202])
  await clickHouse.kill()
  expect(await send(second)).toBe(503)
  await clickHouse.start()
  expect(await send(second)).toBe(202)

  const results = `${flag.path}/rules/${rule.id}/results`
  expect((await succeed(service, 'POST', `${results}/refresh`)).units.total).toBe(40)
})
