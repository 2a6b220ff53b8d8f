import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newPerson } from '../../../../testing/people.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { openBrowser } from '../../../../testing/sessions.ts'
import { startProvider, type TestProvider, visit } from '../../../../testing/vendors/oidc.ts'

let provider: TestProvider
let forged: TestProvider
let service: TestService

beforeAll(async () => {
  provider = await startProvider()
  forged = await startProvider({ id: 'forged' })
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  forged.publishedKeys = [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }]
  service = await startTestService({
    settings: { SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings, forged.settings]) },
  })
})
afterEach(() => {
  provider.account = null
})
afterAll(async () => {
  await service.close()
  await Promise.all([provider.close(), forged.close()])
})

const arriveFrom = async (id: string) => {
  const browser = openBrowser(service)
  const left = await browser.call('GET', `/api/dashboard/oidc/${id}/start`)
  const { pathname, search } = await visit(String(left.headers.location))
  const { status, headers } = await browser.call('GET', pathname + search)
  return [status, String(headers.location)]
}

test.each([
  ['a subject with a NUL', { sub: 'a\0b' }],
  ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
  ['an address with a NUL', { email: 'a\0b@svc.test' }],
  ['a name with a line break', { name: 'Pat\nOWNER' }],
])('303 provider_failed: %s', async (_what, claims) => {
  const { id, email } = await newPerson(service)
  provider.account = { sub: id, email, email_verified: true, name: 'Pat', ...claims }
  expect(await arriveFrom('acme')).toEqual([303, expect.stringContaining('provider_failed')])
})

test('303 provider_failed: an ID token that is not signed with a published key of the provider', async () => {
  const { id, email } = await newPerson(service)
  forged.account = { sub: id, email, email_verified: true }
  expect(await arriveFrom('forged')).toEqual([303, expect.stringContaining('provider_failed')])
})
