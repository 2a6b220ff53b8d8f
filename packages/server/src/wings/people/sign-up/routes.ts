import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { nameField, timeField } from '../../../fields.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { checkLink } from '../links/index.ts'
import {
  emailField,
  givenPasswordField,
  linkField,
  type StandingContext,
  standing,
  standingSchema,
} from '../sessions/index.ts'
import { findInitialToken, type InitialToken, listActivePersonalTokens, type PersonalToken } from '../tokens/index.ts'
import { acceptInvitation, signUp } from './actions.ts'

const tag = 'Sign-up'
const maxTokensShown = 100
const open = { tag, access: 'anyone', rateFamily: 'sign-in' } as const

const linkSchema = z
  .object({
    kind: z.enum(['OWNER', 'INVITATION', 'PASSWORD_RESET', 'EMAIL_CHANGE']),
    email: z
      .string()
      .nullable()
      .meta({ description: 'E-mail address of the person. Null for the link that creates the owner.' }),
    organization: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The organization of an invitation.' }),
    invitedBy: z.string().nullable(),
    hasAccount: z.boolean(),
    expiresAt: timeField.nullable().meta({ description: 'Null: the link works until it is used.' }),
    personalTokens: z
      .object({ name: z.string(), createdAt: timeField, lastUsedAt: timeField.nullable() })
      .array()
      .meta({
        description: 'Only for password links: the active personal tokens of the account, newest first, at most 100.',
      }),
    initialToken: z.object({ name: z.string(), lastUsedAt: timeField.nullable() }).nullable().meta({
      description:
        'Only for the link that creates the owner: the token of the first start, which can do everything. Null if there is none or it has ended.',
    }),
  })
  .meta({ id: 'Link' })

export function signUpRoutes(route: PersonRoute, context: StandingContext): void {
  const { db, now } = context

  checkRoute(route, context)

  route({
    ...open,
    method: 'POST',
    url: '/api/dashboard/sign-up',
    operationId: 'signUp',
    summary: 'Create the owner',
    description:
      'Requires the link that the service prints at its first start. Once the organization has an owner, the link no longer works.',
    body: z.strictObject({
      link: linkField,
      organizationName: nameField,
      name: nameField,
      email: emailField,
      password: givenPasswordField,
      revokeInitialToken: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether the token of the first start is revoked. Programs that use it stop.' }),
    }),
    data: standingSchema,
    status: 201,
    async handle({ body, from, authorAs, cookie }) {
      const started = await signUp(db, body, { from, formerSecret: cookie.secret }, authorAs, now())
      if (isRefusal(started)) return started
      cookie.set(started.secret, started.expiresAt)
      return { data: await standing(context, started.secret) }
    },
  })

  route({
    ...open,
    method: 'POST',
    url: '/api/dashboard/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Join an organization',
    description: 'A new account needs `name` and `password`. If you have an account, sign in first.',
    body: z.strictObject({ link: linkField, name: nameField.optional(), password: givenPasswordField.optional() }),
    data: standingSchema,
    async handle({ body, person, from, authorAs, cookie }) {
      const browser = { from, formerSecret: cookie.secret }
      const started = await acceptInvitation(db, body, person, browser, authorAs, now())
      if (isRefusal(started)) return started
      cookie.set(started.secret, started.expiresAt)
      return { data: await standing(context, started.secret) }
    },
  })
}

function checkRoute(route: PersonRoute, { db, now }: StandingContext): void {
  route({
    ...open,
    method: 'POST',
    url: '/api/dashboard/links/check',
    operationId: 'checkLink',
    summary: 'Get the purpose of a single-use link',
    description: 'The answer is 404 for unknown, used and expired links alike.',
    body: z.strictObject({ link: linkField }),
    data: linkSchema,
    async handle({ body }) {
      const link = await checkLink(db, body.link, now())
      if (isRefusal(link)) return link
      const { kind, email, organization, invitedBy, userId, expiresAt } = link
      const tokens =
        kind === 'PASSWORD_RESET' && userId ? await listActivePersonalTokens(db, userId, now(), maxTokensShown) : []
      const initial = kind === 'OWNER' ? await findInitialToken(db, now()) : undefined
      return {
        data: {
          ...{ kind, email, organization },
          invitedBy: kind === 'INVITATION' ? invitedBy : null,
          hasAccount: userId !== null,
          expiresAt: expiresAt?.toISOString() ?? null,
          personalTokens: tokens.map(presentToken),
          initialToken: initial ? presentInitialToken(initial) : null,
        },
      }
    },
  })
}

const presentToken = ({ name, createdAt, lastUsedAt }: PersonalToken) => ({
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

const presentInitialToken = ({ name, lastUsedAt }: InitialToken) => ({
  name,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
