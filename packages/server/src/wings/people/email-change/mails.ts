/** To the new address. Plain text: only the address of the account is not ours, and it has been checked. */
export const confirmationMail = (
  to: string,
  { former, link, expiresAt }: { former: string; link: string; expiresAt: Date },
) => ({
  to,
  subject: 'Confirm your new e-mail address',
  text: `The account ${former} asked to use this address.

Open this link to confirm it. The link works once and expires at ${expiresAt.toUTCString()}:

${link}

If you did not ask for this, ignore this mail. The account keeps its old address.
`,
})

/** To the old address, before the change. */
export const requestNotice = (to: string, { email, baseUrl }: { email: string; baseUrl: string }) => ({
  to,
  subject: 'A new e-mail address was requested for your account',
  text: `Someone, probably you, asked to change the address of your account to ${email}.
The change takes effect when the link in the mail to that address is opened.

If this was not you, set a new password at once: ${baseUrl}/reset
This also cancels the change.
`,
})

/** To the old address, after the change. */
export const changeNotice = (to: string, { email }: { email: string }) => ({
  to,
  subject: 'The e-mail address of your account was changed',
  text: `The address of your account is now ${email}. Mail of the service no longer goes to this address.

If this was not you, tell an administrator of your organization at once.
`,
})
