import { z } from 'zod'
import { notFound } from '../../../catalogue/refusals.ts'
import { idField, timeField } from '../../../fields.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { comeBack, detourSeconds, leave, nameOfIssuer, type OidcContext, unlink } from './actions.ts'
import { listIdentities, type StoredIdentity } from './queries.ts'

const tag = 'OpenID Connect'
const maxLinkLength = 128
const maxPathLength = 1000

const identitySchema = z
  .object({ id: z.string(), provider: z.string(), email: z.string(), createdAt: timeField })
  .meta({ id: 'Identity' })

export function oidcRoutes(route: PersonRoute, context: OidcContext): void {
  const { db, providers } = context
  const found = (providerId: string) => providers.find(({ id }) => id === providerId)
  const visit = { method: 'GET', tag, access: 'anyone', params: { providerId: idField }, data: z.null() } as const

  route({
    ...visit,
    url: '/api/dashboard/oidc/:providerId/start',
    operationId: 'startOidc',
    summary: 'Start signing in through a provider',
    description:
      'For browsers: redirects to the provider with 303. If you are signed in, the identity is linked to your account. `link` is the secret of an invitation to accept.',
    query: { returnTo: z.string().max(maxPathLength).optional(), link: z.string().max(maxLinkLength).optional() },
    async handle({ params, query, person, detour, redirect }) {
      const provider = found(params.providerId)
      if (!provider) return notFound('Provider')
      const left = await leave(context, provider, query, person)
      if (left.detour) detour.set(left.detour, detourSeconds)
      return redirect(left.url)
    },
  })

  route({
    ...visit,
    url: '/api/dashboard/oidc/:providerId/callback',
    operationId: 'finishOidc',
    summary: 'Finish signing in through a provider',
    description: 'For browsers: redirects with 303 to the page where the sign-in began, or to `/sign-in?error=…`.',
    openQuery: true,
    async handle({ params, query, from, authorAs, cookie, detour, redirect }) {
      const provider = found(params.providerId)
      if (!provider) return notFound('Provider')
      const brought = { answer: searchParams(query), sealed: detour.value }
      const browser = { from, formerSecret: cookie.secret }
      const back = await comeBack(context, provider, brought, browser, authorAs)
      detour.clear()
      if (back.session) cookie.set(back.session.secret, back.session.expiresAt)
      return redirect(back.url)
    },
  })

  route({
    method: 'GET',
    url: '/api/dashboard/me/identities',
    operationId: 'listIdentities',
    summary: 'List your sign-in providers',
    tag,
    access: 'session',
    data: identitySchema.array(),
    async handle({ person }) {
      const identities = await listIdentities(db, person.user.id)
      return { data: identities.map((identity) => presentIdentity(identity, providers)) }
    },
  })

  route({
    method: 'DELETE',
    url: '/api/dashboard/me/identities/:identityId',
    operationId: 'unlinkIdentity',
    summary: 'Unlink a sign-in provider',
    tag,
    access: 'session',
    params: { identityId: idField },
    data: z.null(),
    async handle({ params, person, authorAs }) {
      return (await unlink(context, person, params.identityId, authorAs(person.user))) ?? { data: null }
    },
  })
}

const presentIdentity = (
  { id, issuer, email, createdAt }: StoredIdentity,
  providers: OidcContext['providers'],
): z.output<typeof identitySchema> => ({
  id,
  provider: nameOfIssuer(providers, issuer),
  email,
  createdAt: createdAt.toISOString(),
})

/** The query as received: a repeated parameter stays repeated, so that the client can refuse it. */
const searchParams = (query: Record<string, unknown>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  )
