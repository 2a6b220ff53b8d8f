import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewRecoveryCodes,
  type SecondFactorContext,
} from './actions.ts'

const maxCodeLength = 64
const maxPasswordLength = 1024
const code = z.string().min(1).max(maxCodeLength)
const recoveryCodes = z.object({
  recoveryCodes: z
    .string()
    .array()
    .meta({ description: 'Each code works once, instead of a code from the app. The codes are shown only once.' }),
})
const tag = 'Second factor'

export function secondFactorRoutes(route: PersonRoute, context: SecondFactorContext & { now: () => Date }): void {
  route({
    method: 'POST',
    url: '/api/dashboard/me/second-factor',
    operationId: 'beginSecondFactor',
    summary: 'Create a secret for an authenticator app',
    description: 'The secret takes effect after a first code confirms it. Until then, each call creates a new secret.',
    tag,
    access: 'session',
    data: z.object({
      secret: z.string(),
      uri: z.string().meta({ description: 'The content of the QR code for the app.' }),
    }),
    async handle({ person }) {
      const begun = await beginSecondFactor(context, person, context.now())
      return isRefusal(begun) ? begun : { data: begun }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/me/second-factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Turn on the second factor',
    tag,
    access: 'session',
    rateFamily: 'sign-in',
    body: z.strictObject({ code }),
    data: recoveryCodes,
    async handle({ body, person, authorAs, cookie }) {
      const confirmed = await confirmSecondFactor(context, person, body.code, authorAs(person.user))
      if (isRefusal(confirmed)) return confirmed
      cookie.set(confirmed.session.secret, confirmed.session.expiresAt)
      return { data: { recoveryCodes: confirmed.recoveryCodes } }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/me/second-factor/disable',
    operationId: 'disableSecondFactor',
    summary: 'Turn off the second factor',
    tag,
    access: 'session',
    rateFamily: 'sign-in',
    body: z.union([z.strictObject({ password: z.string().min(1).max(maxPasswordLength) }), z.strictObject({ code })]),
    data: z.null(),
    async handle({ body, person, authorAs, cookie }) {
      const session = await disableSecondFactor(context, person, body, authorAs(person.user))
      if (isRefusal(session)) return session
      cookie.set(session.secret, session.expiresAt)
      return { data: null }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/me/second-factor/recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Create new recovery codes',
    tag,
    access: 'session',
    rateFamily: 'sign-in',
    body: z.strictObject({ code }),
    data: recoveryCodes,
    async handle({ body, person, authorAs }) {
      const renewed = await renewRecoveryCodes(context, person, body.code, authorAs(person.user))
      return isRefusal(renewed) ? renewed : { data: renewed }
    },
  })
}
