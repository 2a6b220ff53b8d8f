import { afterAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { openBrowser } from '../../../../testing/sessions.ts'
import { startProvider, visit } from '../../../../testing/vendors/oidc.ts'

let service: TestService

afterAll(() => service.close())

test('303 an unreachable provider stops neither the start of the service nor passwords', async () => {
  const provider = await startProvider()
  await provider.close()
  service = await startTestService({ settings: { SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings]) } })
  const browser = openBrowser(service)
  const answer = await browser.call('GET', '/api/dashboard/oidc/acme/start')
  expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in?error=provider_unreachable'])
  expect(browser.cookie()).toBeUndefined()
})

test('303 to an error when the provider becomes unreachable during a sign-in', async () => {
  const provider = await startProvider()
  provider.account = { sub: 'x', email: 'owner@svc.test', email_verified: true }
  const other = await startTestService({ settings: { SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings]) } })
  const browser = openBrowser(other)
  const { headers } = await browser.call('GET', '/api/dashboard/oidc/acme/start')
  const { pathname, search } = await visit(String(headers.location))
  await provider.close()
  const answer = await browser.call('GET', pathname + search)
  expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in?error=provider_unreachable'])
  await other.close()
})
