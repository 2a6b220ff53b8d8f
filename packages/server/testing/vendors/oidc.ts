import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A person's account at the provider. */
export interface ProviderAccount {
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
  [claim: string]: unknown
}

export interface TestProvider {
  issuer: string
  /** Its entry in the setting. */
  settings: { id: string; name: string; issuer: string; clientId: string; clientSecret: string }
  /** The account that the next visitor signs in with; null if the visitor cancels. */
  account: ProviderAccount | null
  /** The keys that it publishes; null for the keys that it signs with. */
  publishedKeys: object[] | null
  /** How often its addresses were requested. */
  discoveries: number
  close(): Promise<void>
}

const ttlSeconds = 600
const clientId = 'svc'
const clientSecret = 'a-secret-between-svc-and-its-provider'

/**
 * A real OpenID Connect provider on a free port of the loopback interface. Its users sign in and consent automatically.
 */
export async function startProvider({
  id = 'acme',
  baseUrl = 'http://svc.test',
  claimsInToken = false,
}: {
  id?: string
  baseUrl?: string
  /** Whether the ID token contains the address. Default: only the userinfo endpoint has it. */
  claimsInToken?: boolean
} = {}): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const test: TestProvider = {
    issuer,
    settings: { id, name: `${id} ID`, issuer, clientId, clientSecret },
    account: null,
    publishedKeys: null,
    discoveries: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const accounts = new Map<string, ProviderAccount>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/api/dashboard/oidc/${id}/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInToken,
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: ttlSeconds,
      Grant: ttlSeconds,
      IdToken: ttlSeconds,
      Interaction: ttlSeconds,
      Session: ttlSeconds,
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => accounts.get(sub) ?? { sub } }),
  })
  const serve = provider.callback()
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const { prompt, session, params } = await provider.interactionDetails(request, response)
    const { account } = test
    if (!account) return provider.interactionFinished(request, response, { error: 'access_denied' })
    accounts.set(account.sub, account)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: account.sub } })
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  server.on('request', (request, response) => {
    if (request.url?.includes('/.well-known/')) test.discoveries += 1
    if (request.url === '/jwks' && test.publishedKeys)
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: test.publishedKeys }))
    else if (request.url?.startsWith('/interaction/')) void interact(request, response)
    else void serve(request, response)
  })
  return test
}

/** Follows the redirects of a browser at the provider and returns the address that it is sent back to. */
export async function visit(address: string, home = 'http://svc.test'): Promise<URL> {
  const jar = new Map<string, string>()
  let next = address
  for (let steps = 0; steps < 20; steps++) {
    if (next.startsWith(home)) return new URL(next)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    next = new URL(location, next).href
  }
  throw new Error('the provider keeps redirecting its visitor')
}
