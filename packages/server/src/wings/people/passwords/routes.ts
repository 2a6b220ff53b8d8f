import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { emailField, givenPasswordField, linkField } from '../sessions/index.ts'
import { changePassword, completeReset, type PasswordContext, requestReset } from './actions.ts'

const tag = 'Password'

export function passwordRoutes(route: PersonRoute, context: PasswordContext & { now: () => Date }): void {
  route({
    method: 'POST',
    url: '/api/dashboard/password-reset',
    operationId: 'requestPasswordReset',
    summary: 'Request a link to set a new password',
    description: 'The answer is the same whether the account exists or not.',
    tag,
    access: 'anyone',
    rateFamily: 'sign-in',
    body: z.strictObject({ email: emailField }),
    data: z.null(),
    async handle({ body, from }) {
      return (await requestReset(context, body.email, from)) ?? { data: null }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/password-reset/complete',
    operationId: 'completePasswordReset',
    summary: 'Set a new password with a link',
    description:
      'Ends all sessions of the account. Personal tokens keep working, unless `revokeTokens` is true. The person must sign in afterwards.',
    tag,
    access: 'anyone',
    rateFamily: 'sign-in',
    body: z.strictObject({
      link: linkField,
      password: givenPasswordField,
      revokeTokens: z.boolean().default(false).meta({ description: 'Also revoke all personal tokens of the account.' }),
    }),
    data: z.null(),
    async handle({ body, authorAs }) {
      return (await completeReset(context, body, authorAs, context.now())) ?? { data: null }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/me/password',
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends your other sessions. Omit `currentPassword` if you sign in through a provider and have no password yet.',
    tag,
    access: 'session',
    rateFamily: 'sign-in',
    body: z.strictObject({ currentPassword: givenPasswordField.optional(), newPassword: givenPasswordField }),
    data: z.null(),
    async handle({ body, person, authorAs, cookie }) {
      const renewed = await changePassword(context, person, body, authorAs(person.user))
      if (isRefusal(renewed)) return renewed
      cookie.set(renewed.secret, renewed.expiresAt)
      return { data: null }
    },
  })
}
