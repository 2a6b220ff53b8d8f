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
import { listActivePersonalTokens } from '../tokens/index.ts'
import { acceptInvitation, signUp } from './actions.ts'

const tag = 'Sign-up'
const maxTokensShown = 100
const open = { tag, access: 'anyone', rateFamily: 'sign-in' } as const

const linkSchema = z
  .object({
    kind: z.enum(['OWNER', 'INVITATION', 'PASSWORD_RESET']),
    email: z.string().nullable().meta({ description: 'Whom it is for; null: for whoever creates the owner.' }),
    organization: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Where an invitation leads.' }),
    invitedBy: z.string().nullable(),
    hasAccount: z.boolean(),
    expiresAt: timeField.nullable().meta({ description: 'Null: it works until it is used.' }),
    personalTokens: z
      .object({ name: z.string(), createdAt: timeField, lastUsedAt: timeField.nullable() })
      .array()
      .meta({
        description: 'Of a link to a new password: the tokens of the account that work, at most 100, newest first.',
      }),
  })
  .meta({ id: 'Link' })

export function signUpRoutes(route: PersonRoute, context: StandingContext): void {
  const { db, now } = context

  route({
    ...open,
    method: 'POST',
    url: '/api/dashboard/links/check',
    operationId: 'checkLink',
    summary: 'What a single-use link is for',
    description: 'Links that never were, were used or have expired get one answer: 404.',
    body: z.strictObject({ link: linkField }),
    data: linkSchema,
    async handle({ body }) {
      const link = await checkLink(db, body.link, now())
      if (isRefusal(link)) return link
      const { kind, email, organization, invitedBy, userId, expiresAt } = link
      const tokens =
        kind === 'PASSWORD_RESET' && userId ? await listActivePersonalTokens(db, userId, now(), maxTokensShown) : []
      return {
        data: {
          kind,
          email,
          organization,
          invitedBy: kind === 'INVITATION' ? invitedBy : null,
          hasAccount: userId !== null,
          expiresAt: expiresAt?.toISOString() ?? null,
          personalTokens: tokens.map(({ name, createdAt, lastUsedAt }) => ({
            name,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          })),
        },
      }
    },
  })

  route({
    ...open,
    method: 'POST',
    url: '/api/dashboard/sign-up',
    operationId: 'signUp',
    summary: 'Create the owner',
    description: 'By the link that the first start prints. Once there is an owner, no such link works.',
    body: z.strictObject({
      link: linkField,
      organizationName: nameField,
      name: nameField,
      email: emailField,
      password: givenPasswordField,
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
    description: 'A new account needs `name` and `password`. Whoever has an account signs in to it first.',
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
