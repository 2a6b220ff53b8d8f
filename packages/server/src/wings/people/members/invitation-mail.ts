import { oneLine } from '../../../fields.ts'

interface InvitationMail {
  email: string
  organization: string
  invitedBy: string
  link: string
  expiresAt: Date
}

/** Plain text, so that names from people cannot contain markup. */
export const invitationMail = ({ email, organization, invitedBy, link, expiresAt }: InvitationMail) => ({
  to: email,
  subject: `${oneLine(invitedBy)} invites you to ${oneLine(organization)}`,
  text: `${oneLine(invitedBy)} invites you to join ${oneLine(organization)}.

Open this link to accept. The link works once and expires at ${expiresAt.toUTCString()}:

${link}

If you did not expect this invitation, ignore this mail.
`,
})
