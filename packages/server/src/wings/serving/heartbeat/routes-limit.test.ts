import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../testing/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ settings: { SVC_TRUST_PROXY: 'true' } })
})
afterAll(() => service.close())

const beat = (from: string) =>
  service.call(
    null,
    'POST',
    '/api/sdk/heartbeat',
    { sdkKey: 'sdk_unknown', sdkType: 'node', sdkVersion: '1' },
    { 'x-forwarded-for': from },
  )

test('an address gets 429 after 6,000 heartbeats in a minute, and others do not', async () => {
  for (let sent = 0; sent < 6_000; sent += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => beat('203.0.113.7')))
    for (const { status } of answers) expect(status).toBe(401)
  }
  const refused = await beat('203.0.113.7')
  expect(refused).toMatchObject({ status: 429, body: { error: expect.stringMatching(/^Too many heartbeats/) } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await beat('203.0.113.8')).status).toBe(401)
})
