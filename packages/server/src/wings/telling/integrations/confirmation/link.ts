import { oneLine } from '../../../../fields.ts'
import type { Signer } from '../../../../platform/sign.ts'

/** How long the link in a mail that asks can be used. */
export const linkValidMs = 7 * 86_400_000

export interface Asked {
  orgId: string
  email: string
}

/** A link contains whom it asks, until when, and a proof that this service has sent it. */
export function confirmationSecret(signer: Signer, { orgId, email }: Asked, now: Date): string {
  const content = `${orgId}.${now.getTime() + linkValidMs}.${Buffer.from(email).toString('base64url')}`
  return `${content}.${signer.sign(content)}`
}

const secretPattern =
  /^(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.([A-Za-z0-9_-]{1,400}))\.([A-Za-z0-9_-]{43})$/

/** Whom a link asks; undefined if it is not from this service or is too old. */
export function askedBy(signer: Signer, secret: string, now: Date): Asked | undefined {
  const [, content = '', orgId = '', until = '', email = '', signature = ''] = secretPattern.exec(secret) ?? []
  if (!signer.isSigned(content, signature) || Number(until) <= now.getTime()) return undefined
  return { orgId, email: Buffer.from(email, 'base64url').toString() }
}

/** The page that asks. The secret is in the fragment, which no server receives. */
export const confirmationUrl = (baseUrl: string, secret: string): string => `${baseUrl}/confirm-mail#${secret}`

/** Plain text, so that names from people cannot contain markup. */
export const confirmationMail = ({
  email,
  organization,
  project,
  askedBy: person,
  link,
}: {
  email: string
  organization: string
  project: string
  askedBy: string
  link: string
}) => ({
  to: email,
  subject: `${oneLine(organization)} wants to send you mail about ${oneLine(project)}`,
  text: `${oneLine(person)} added this address to the notifications of the project ${oneLine(project)} of ${oneLine(organization)}.

Mail is sent only after you agree. Open this link to agree. It works for seven days:

${link}

If you do not want this mail, ignore it.
`,
})
