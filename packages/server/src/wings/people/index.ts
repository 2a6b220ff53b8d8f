import type { Config } from '../../config.ts'
import type { Authenticators } from '../../http/credentials.ts'
import type { Platform } from '../../open-platform.ts'
import type { Provider } from '../../platform/oidc/provider.ts'
import type { Wing } from '../../wing.ts'
import { type AccountChange, accountRoutes, noticeMail, profileRoutes } from './accounts/index.ts'
import { emailChangeRoutes } from './email-change/index.ts'
import { linkSweep } from './links/index.ts'
import { memberRoutes } from './members/index.ts'
import { oidcRoutes } from './oidc/index.ts'
import { organizationRoutes } from './organizations/index.ts'
import { passwordRoutes } from './passwords/index.ts'
import { roleRoutes } from './roles/index.ts'
import { secondFactorRoutes } from './second-factor/index.ts'
import { renewSession, sessionAuthenticator, sessionRoutes, sessionSweep, sessionUses } from './sessions/index.ts'
import { signUpRoutes } from './sign-up/index.ts'
import { authenticator, expiryWarnings, lastUses, personalTokenRoutes, serviceTokenRoutes } from './tokens/index.ts'

export interface People extends Wing {
  /** Finds the holder of a token or a session. */
  authenticate: Pick<Authenticators, 'bearer' | 'session'>
}

export async function openPeople(platform: Platform): Promise<People> {
  const { config, log, db, now, baseUrl, mailer, onError, sweeps } = platform
  const tokenUses = lastUses(db, onError)
  const sessionsSeen = sessionUses(db, onError)
  sweeps.push(sessionSweep, linkSweep)
  const warnings = expiryWarnings(platform)
  const providers = await providersOf(config, baseUrl, now)
  return {
    authenticate: {
      bearer: authenticator(db, tokenUses, now),
      session: sessionAuthenticator(db, sessionsSeen, now),
    },
    credentialRoutes: accountRoutes,
    routes(route) {
      organizationRoutes(route, platform)
      memberRoutes(route, platform)
      roleRoutes(route, platform)
      serviceTokenRoutes(route, { ...platform, rotationGraceMs: config.SVC_TOKEN_ROTATION_GRACE })
    },
    personRoutes(route) {
      const context = {
        ...platform,
        authors: platform.authorOf,
        providers,
        offered: { providers: providers.map(({ id, name }) => ({ id, name })), mail: mailer !== null },
        issuer: new URL(baseUrl).host,
        renewSession,
        notify: (to: string, change: AccountChange) => mailer?.post(noticeMail(to, change, baseUrl)),
        onFailure: (failure: object) => log.warn(failure, 'failed sign-in'),
        onProviderFailure: ({ error, ...failure }: { error: unknown }) =>
          log.warn({ ...failure, err: nameOf(error) }, 'sign-in provider failed'),
      }
      profileRoutes(route, context)
      emailChangeRoutes(route, context)
      sessionRoutes(route, context)
      personalTokenRoutes(route, context)
      signUpRoutes(route, context)
      passwordRoutes(route, context)
      secondFactorRoutes(route, context)
      oidcRoutes(route, context)
    },
    work: () => warnings.start(),
    async stop() {
      await warnings.stop()
      await tokenUses.stop()
      await sessionsSeen.stop()
    },
  }
}

/** The client is loaded only if a provider is configured. */
async function providersOf(
  { SVC_OIDC_PROVIDERS: providers = [] }: Config,
  baseUrl: string,
  now: () => Date,
): Promise<Provider[]> {
  if (providers.length === 0) return []
  const { openProvider } = await import('../../platform/oidc/client.ts')
  return providers.map((settings) =>
    openProvider(settings, `${baseUrl}/api/dashboard/oidc/${settings.id}/callback`, now),
  )
}

/** A provider's answer can contain a code or a token, so only the kind of error is logged. */
const nameOf = (error: unknown) => {
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  return { name, message, code }
}
