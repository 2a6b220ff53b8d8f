import { oneLine } from '../../../fields.ts'

interface ExpiryMail {
  to: string
  organization: string
  token: string
  expiresAt: Date
  baseUrl: string
}

/** Plain text: names come from people, and plain text is all that they can be in it. */
export const expiryMail = ({ to, organization, token, expiresAt, baseUrl }: ExpiryMail) => ({
  to,
  subject: `A service token of ${oneLine(organization)} expires soon: ${oneLine(token)}`,
  text: `The service token "${oneLine(token)}" of ${oneLine(organization)} expires at ${expiresAt.toUTCString()}.

What uses it is refused from then on. Create a new token and give it to whatever uses this one: rotating
gives a token another secret, and not a longer life.

${baseUrl}
`,
})
