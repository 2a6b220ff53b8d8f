import type { PersonRoute } from './http/person-route.ts'
import { noticeMail, profileRoutes } from './wings/people/accounts/index.ts'
import { type OidcContext, oidcRoutes } from './wings/people/oidc/index.ts'
import { type PasswordContext, passwordRoutes } from './wings/people/passwords/index.ts'
import { secondFactorRoutes } from './wings/people/second-factor/index.ts'
import { renewSession, type SignInContext, type StandingContext, sessionRoutes } from './wings/people/sessions/index.ts'
import { signUpRoutes } from './wings/people/sign-up/index.ts'
import { type PersonalTokenContext, personalTokenRoutes } from './wings/people/tokens/index.ts'

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
