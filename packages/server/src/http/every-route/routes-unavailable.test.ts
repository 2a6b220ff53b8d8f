import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/service.ts'
import { openLog } from '../../platform/log.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ log: openLog('silent', { write: () => undefined }) })
  project = await createProject(service)
  await createFlag(service, project, 'kept')
  // The node learns of the flag by a notice of the database.
  const path = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  const isThere = async () => expect((await service.call(null, 'GET', path)).body.flags.kept).toBeDefined()
  await vi.waitFor(isThere, { timeout: 120_000 })
  await service.database.close()
})
afterAll(() => service.close())

test.each([
  ['reading', 'GET', '/api/v1/me', undefined],
  ['writing', 'POST', '/api/v1/projects', { name: 'X' }],
] as const)('%s without the database answers 503 and says to try again', async (_what, method, path, body) => {
  const answer = await service.call(service.people.admin, method, path, body)
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { error: { code: 'unavailable' } },
  })
  expect(answer.text).not.toMatch(/stack|pool|kysely|driver/i)
})

test('the node is alive and not ready', async () => {
  expect((await service.call(null, 'GET', '/healthz')).status).toBe(200)
  expect(await service.call(null, 'GET', '/readyz')).toMatchObject({
    status: 503,
    body: { error: { code: 'unavailable' } },
  })
})

test('data files are still served from memory', async () => {
  const path = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  expect(await service.call(null, 'GET', path)).toMatchObject({
    status: 200,
    body: { flags: { kept: { enabled: false } } },
  })
  expect((await service.call(null, 'GET', `/api/sdk/v1/datafile/sdk_${'A'.repeat(32)}.json`)).status).toBe(503)
})

test('a heartbeat answers in its own shape', async () => {
  const beat = { sdkKey: project.production.sdkKey, sdkType: 'node', sdkVersion: '1' }
  const { status, body } = await service.call(null, 'POST', '/api/sdk/heartbeat', beat)
  expect([status, body]).toEqual([503, { error: 'The service is unavailable. Try again later.' }])
})

test('events are not taken, and the answer says when to send them again', async () => {
  const id = '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b55'
  const events = [{ type: 'track', id, ts: '2026-11-20T10:02:31.000Z', unit: 'u-17', eventKey: 'order_paid' }]
  const batch = { sdkKey: project.production.sdkKey, events }
  expect(await service.call(null, 'POST', '/api/sdk/v1/events', batch)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { error: 'The service is unavailable. Try again later.' },
  })
})
