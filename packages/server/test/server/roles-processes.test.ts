import { expect, test } from 'vitest'
import { booleanFlag } from '../../testing/boolean-flag.ts'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { execute } from '../../testing/databases/postgres.ts'
import { type ServiceProcess, startProcess } from '../../testing/processes/process.ts'
import { callProcess, provisionedSettings } from '../../testing/processes/provisioned.ts'
import { metricsBearer } from '../../testing/service.ts'

const metric = async ({ url }: ServiceProcess, name: string): Promise<number | undefined> => {
  const text = await (await fetch(`${url}/metrics`, { headers: metricsBearer })).text()
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}
const workersAt = (node: ServiceProcess) => expect.poll(() => metric(node, 'svc_workers'))
const attempts = (node: ServiceProcess) => node.printed().match(/"delivery attempt"/g)?.length ?? 0

test('an api process leaves the work to worker processes, and says how many there are', async () => {
  const { address, remove } = await createTestDatabase()
  const settings = {
    ...(await provisionedSettings(address)),
    SVC_METRICS_TOKEN: metricsBearer.authorization.slice('Bearer '.length),
    SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1',
  }
  const api = await startProcess({ ...settings, SVC_ROLE: 'api' })
  expect(await metric(api, 'svc_workers')).toBe(0)
  const { data: project } = await callProcess(api, 'POST', '/api/v1/projects', { name: 'Roles' })
  const path = `/api/v1/projects/${project.id}`
  const hook = { name: 'Orders', url: 'https://localhost:1/hook', events: ['flag.created'] }
  await callProcess(api, 'POST', `${path}/webhooks`, hook)
  await callProcess(api, 'POST', `${path}/flags`, booleanFlag('first'))
  expect(await metric(api, 'svc_webhook_queue_depth')).toBe(1)

  const worker = await startProcess({ ...settings, SVC_ROLE: 'worker' })
  await workersAt(api).toBe(1)
  expect(await metric(worker, 'svc_workers')).toBe(1)
  await expect.poll(() => attempts(worker)).toBe(1)
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
  for (const closed of ['/', '/api/v1/me', '/docs', '/api/sdk/v1/events'])
    expect([closed, (await fetch(`${worker.url}${closed}`)).status]).toEqual([closed, 404])
  // A change at the api wakes the worker, through the database.
  await callProcess(api, 'POST', `${path}/flags`, booleanFlag('second'))
  await expect.poll(() => attempts(worker)).toBe(2)

  const both = await startProcess(settings)
  await workersAt(api).toBe(2)
  expect(await both.stop()).toBe(0)
  await workersAt(api).toBe(1)

  // Its row stays, and counts until the worker is silent for a minute.
  await worker.kill()
  expect(await metric(api, 'svc_workers')).toBe(1)
  await execute(address.url!, `update workers set heard_at = heard_at - interval '61 seconds'`)
  expect(await metric(api, 'svc_workers')).toBe(0)
  expect(attempts(api)).toBe(0)
  expect(await api.stop()).toBe(0)
  await remove()
})
