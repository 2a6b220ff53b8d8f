import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../testing/clock.ts'
import {
  createFlag,
  createProject,
  joinTestService,
  metricsBearer,
  startTestService,
  type TestService,
} from '../../testing/service.ts'

const pollMs = 20

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await later(pollMs)
}

const attemptsBy = async (node: TestService): Promise<number> => {
  const { text } = await node.call(null, 'GET', '/metrics', undefined, metricsBearer)
  const counts = text.matchAll(/^svc_webhook_attempts_total\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('an api node does no background work, and a worker serves only health and metrics', async () => {
  const api = await startTestService({ settings: { SVC_ROLE: 'api', SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1' } })
  const { admin } = api.people
  const project = await createProject(api)
  const hook = { name: 'Orders', url: 'https://localhost:1/hook', events: ['flag.created'] }
  expect((await api.call(admin, 'POST', `${project.path}/webhooks`, hook)).status).toBe(201)
  await createFlag(api, project, 'delivered')

  const worker = await joinTestService({ ...api, settings: { ...api.settings, SVC_ROLE: 'worker' } })
  await until(async () => (await attemptsBy(worker)) > 0)
  // A node that delivers would have been woken by the flag long before the other one started.
  expect(await attemptsBy(api)).toBe(0)

  expect((await worker.call(null, 'GET', '/healthz')).status).toBe(200)
  expect((await worker.call(null, 'GET', '/readyz')).status).toBe(200)
  const dataFile = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  for (const path of ['/', '/api/v1/me', '/api/dashboard/session', '/docs', '/openapi.json', dataFile])
    expect([path, (await worker.call(admin, 'GET', path)).status]).toEqual([path, 404])
  expect((await api.call(null, 'GET', dataFile)).status).toBe(200)
  await worker.close()
  await api.close()
})

test('an api node logs once that no worker has been seen for a minute, and that one is back', async () => {
  const clock = standingClock()
  const api = await startTestService({ now: clock.now, settings: { SVC_ROLE: 'api' } })
  const said = () => api.logged().match(/no worker has been seen|a worker is running again/g) ?? []
  clock.move(minuteMs - 1)
  await api.workers.look()
  expect(said()).toEqual([])
  clock.move(1)
  await api.workers.look()
  await api.workers.look()
  expect(said()).toEqual(['no worker has been seen'])

  const worker = await startTestService({
    address: api.address,
    now: clock.now,
    settings: { ...api.settings, SVC_ROLE: 'worker' },
  })
  await expect.poll(() => api.workers.count()).toBe(1)
  await api.workers.look()
  expect(said()).toEqual(['no worker has been seen', 'a worker is running again'])
  await worker.close()
  expect(await api.workers.count()).toBe(0)
  await api.close()
})
