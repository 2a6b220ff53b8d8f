const sentences = {
  PASSWORD_CHANGED: 'The password of your account was changed, and every other session was ended.',
  SECOND_FACTOR_ENABLED: 'A second factor was turned on for your account.',
  SECOND_FACTOR_DISABLED: 'The second factor of your account was turned off.',
  RECOVERY_CODE_USED: 'A recovery code was used to sign in to your account.',
  IDENTITY_LINKED: 'A sign-in provider was linked to your account.',
  IDENTITY_REMOVED: 'A sign-in provider was unlinked from your account.',
} as const

/** A change of an account of which its owner is notified, in case someone else made it. */
export type AccountChange = keyof typeof sentences

export const noticeMail = (to: string, change: AccountChange, baseUrl: string) => ({
  to,
  subject: 'Your account was changed',
  text: `${sentences[change]}

If this was not you, set a new password at once: ${baseUrl}/reset
Then check your sessions and tell an administrator of your organization.
`,
})
