import { noticeMail, profileRoutes } from './features/accounts/index.ts'
import { type OidcContext, oidcRoutes } from './features/oidc/index.ts'
import { type PasswordContext, passwordRoutes } from './features/passwords/index.ts'
import { secondFactorRoutes } from './features/second-factor/index.ts'
import { renewSession, type SignInContext, type StandingContext, sessionRoutes } from './features/sessions/index.ts'
import { signUpRoutes } from './features/sign-up/index.ts'
import { type PersonalTokenContext, personalTokenRoutes } from './features/tokens/index.ts'
import type { PersonRoute } from './http/person-route.ts'

export interface DashboardContext
  extends Omit<SignInContext, 'notify'>,
    StandingContext,
    PasswordContext,
    PersonalTokenContext {
  providers: OidcContext['providers']
  onProviderFailure: OidcContext['onProviderFailure']
}

/** Every route under /api/dashboard that concerns a person; those of an organization are in api.ts. */
export function dashboardRoutes(route: PersonRoute, context: DashboardContext): void {
  const { baseUrl, mailer } = context
  const notify: OidcContext['notify'] = (to, change) => mailer?.post(noticeMail(to, change, baseUrl))
  profileRoutes(route, context)
  sessionRoutes(route, { ...context, notify })
  personalTokenRoutes(route, context)
  signUpRoutes(route, context)
  passwordRoutes(route, context)
  secondFactorRoutes(route, { ...context, renewSession, notify, issuer: new URL(baseUrl).host })
  oidcRoutes(route, { ...context, notify })
}
