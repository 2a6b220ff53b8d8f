import { expect, test } from 'vitest'
import { startTestService } from '../../../testing/service.ts'

const html = { accept: 'text/html' }
/** A page, an API answer, a refusal and an unknown address. */
const places = [
  ['/', html],
  ['/sign-in', html],
  ['/color-scheme.js', {}],
  ['/docs/errors', html],
  ['/api/v1/me', {}],
  ['/api/dashboard/session', {}],
  ['/nothing', {}],
  ['/%zz', {}],
] as const

test.each([
  ['https://flags.acme.test', 'max-age=63072000'],
  ['http://svc.test', undefined],
])('with %s, every answer has Strict-Transport-Security: %s', async (baseUrl, expected) => {
  const service = await startTestService({ settings: { SVC_BASE_URL: baseUrl } })
  for (const [path, headers] of places) {
    const answer = await service.call(null, 'GET', path, undefined, headers)
    expect(answer.headers['strict-transport-security'], path).toBe(expected)
    expect(answer.headers['x-content-type-options'], path).toBe('nosniff')
  }
  await service.close()
})
