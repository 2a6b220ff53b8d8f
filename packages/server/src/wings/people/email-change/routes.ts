import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { codeField, emailField, givenPasswordField, linkField } from '../sessions/index.ts'
import { confirmEmailChange, type EmailChangeContext, requestEmailChange } from './actions.ts'

const tag = 'Profile'

export function emailChangeRoutes(route: PersonRoute, context: EmailChangeContext & { now: () => Date }): void {
  route({
    method: 'POST',
    url: '/api/dashboard/me/email',
    operationId: 'requestEmailChange',
    summary: 'Request a new e-mail address',
    description:
      'Sends a link to the new address and a notice to the old one. The address changes when the link is used. A new request replaces the previous one. Requires the password or a code of the second factor. An account that has neither must set a password first.',
    tag,
    access: 'session',
    rateFamily: 'sign-in',
    body: z.union([
      z.strictObject({ email: emailField, currentPassword: givenPasswordField }),
      z.strictObject({ email: emailField, code: codeField }),
    ]),
    data: z.null(),
    async handle({ body, person, authorAs }) {
      return (await requestEmailChange(context, person, body, authorAs(person.user))) ?? { data: null }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/email/confirm',
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new e-mail address with a link',
    description: 'Sessions and tokens stay valid. Unused links to set a new password stop working.',
    tag,
    access: 'anyone',
    rateFamily: 'sign-in',
    body: z.strictObject({ link: linkField }),
    data: z.object({ email: z.string() }),
    refusals: ['not_found', 'already_exists'],
    async handle({ body, authorAs }) {
      const confirmed = await confirmEmailChange(context, body.link, authorAs, context.now())
      return isRefusal(confirmed) ? confirmed : { data: confirmed }
    },
  })
}
