/** Plain text: it contains nothing that the requester has written. */
export const resetMail = (to: string, link: string, expiresAt: Date) => ({
  to,
  subject: 'Set a new password',
  text: `Someone, probably you, requested a new password for this address.

Open this link to set it. The link works once and expires at ${expiresAt.toUTCString()}:

${link}

If you did not request it, ignore this mail. Your password stays the same.
`,
})
