import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { identityOf } from './identity.ts'
import { type Identity, type Provider, ProviderFailure } from './provider.ts'
import type { ProviderSettings } from './settings.ts'

const timeoutSeconds = 10
/** Providers rarely change their addresses. A changed address is found within the hour. */
const discoveredForMs = 60 * 60_000
const scope = 'openid email profile'

export function openProvider(settings: ProviderSettings, redirectUri: string, now: () => Date): Provider {
  const client = discovered(settings, now)
  return {
    id: settings.id,
    name: settings.name,
    issuer: settings.issuer,
    async depart() {
      const config = await client()
      const departure = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await calculatePKCECodeChallenge(departure.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, departure }
    },
    async arrive(answer, { state, nonce, codeVerifier }) {
      const config = await client()
      const url = new URL(redirectUri)
      url.search = answer.toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
      return identified(config, () => authorizationCodeGrant(config, url, checks))
    },
  }
}

/** The provider's addresses and keys, requested at the first use and again after a failure. */
function discovered(
  { issuer, clientId, clientSecret }: ProviderSettings,
  now: () => Date,
): () => Promise<Configuration> {
  let known: { config: Promise<Configuration>; untilMs: number } | undefined
  const isPlain = issuer.startsWith('http:')
  const discover = async () => {
    const execute = isPlain ? [allowInsecureRequests] : []
    const found = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: timeoutSeconds,
    })
    const server = found.serverMetadata()
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = methods.includes('client_secret_basic')
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret)
    const config = new Configuration(server, clientId, clientSecret, auth)
    config.timeout = timeoutSeconds
    if (isPlain) allowInsecureRequests(config)
    // The standard accepts TLS alone, but then a proxy in between could sign anyone in.
    enableNonRepudiationChecks(config)
    return config
  }
  return async () => {
    if (!known || known.untilMs <= now().getTime())
      known = { config: discover(), untilMs: now().getTime() + discoveredForMs }
    try {
      return await known.config
    } catch (error) {
      known = undefined
      throw new ProviderFailure('unreachable', error)
    }
  }
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>

async function identified(config: Configuration, grant: () => Promise<Tokens>): Promise<Identity> {
  try {
    const tokens = await grant()
    const claims = tokens.claims()!
    // Some providers leave the e-mail address out of the token and return it only from the userinfo endpoint.
    const asked = config.serverMetadata().userinfo_endpoint && claims.email === undefined
    const profile = asked ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims
    return identityOf(claims, profile)
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    if (error instanceof AuthorizationResponseError) throw new ProviderFailure('denied', error)
    throw new ProviderFailure(isUnreachable(error) ? 'unreachable' : 'failed', error)
  }
}

/** Whether there was no answer in time. `fetch` throws a TypeError, and a timeout is a DOMException in `cause`. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'fetch failed' || (error as { code?: string }).code === 'OAUTH_TIMEOUT')
