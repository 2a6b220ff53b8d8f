import { oneLine } from '../../../fields.ts'

interface ExpiryMail {
  to: string
  organization: string
  token: string
  expiresAt: Date
  baseUrl: string
}

/** Plain text, so that names from people cannot contain markup. */
export const expiryMail = ({ to, organization, token, expiresAt, baseUrl }: ExpiryMail) => ({
  to,
  subject: `A service token of ${oneLine(organization)} expires soon: ${oneLine(token)}`,
  text: `The service token "${oneLine(token)}" of ${oneLine(organization)} expires at ${expiresAt.toUTCString()}.

After that, all requests with it are refused. Create a new token and replace this one wherever it is used.
Rotating a token gives it a new secret, but keeps its expiry.

${baseUrl}
`,
})
