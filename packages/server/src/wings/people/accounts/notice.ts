const sentences = {
  PASSWORD_CHANGED: 'The password of your account was changed, and every other session was ended.',
  SECOND_FACTOR_ENABLED: 'A second factor was switched on for your account.',
  SECOND_FACTOR_DISABLED: 'The second factor of your account was switched off.',
  RECOVERY_CODE_USED: 'Somebody signed in to your account with one of its recovery codes.',
  IDENTITY_LINKED: 'Another way to sign in was added to your account.',
  IDENTITY_REMOVED: 'A way to sign in was removed from your account.',
} as const

/** What somebody is told of a change to the own account, in case somebody else made it. */
export type AccountChange = keyof typeof sentences

export const noticeMail = (to: string, change: AccountChange, baseUrl: string) => ({
  to,
  subject: 'Your account was changed',
  text: `${sentences[change]}

If this was not you, set a new password at once: ${baseUrl}/reset
Then look through your sessions, and tell an administrator of your organization.
`,
})
