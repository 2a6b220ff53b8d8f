/** Plain text: nothing in it comes from whoever asked for it. */
export const resetMail = (to: string, link: string, expiresAt: Date) => ({
  to,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password for this address.

Open this link to set it; it works once, until ${expiresAt.toUTCString()}:

${link}

If you did not ask, do nothing: your password stays as it is.
`,
})
