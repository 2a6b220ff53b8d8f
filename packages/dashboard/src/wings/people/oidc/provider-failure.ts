// The reasons that the service puts into the address when a sign-in with a provider fails.
const messages: Record<string, string> = {
  expired: 'That took too long. Try again.',
  provider_denied: 'The other service did not let you in, or you cancelled there.',
  provider_unreachable: 'The other service does not answer. Try again later, or sign in with your password.',
  provider_failed: 'The answer of the other service could not be verified. The operator finds the reason in the log.',
  email_unverified: 'The other service has not verified your e-mail address. Verify it there first.',
  no_account: 'There is no account for this address. Ask an administrator of your organization for an invitation.',
  identity_taken: 'This account of the other service is linked to another person here.',
}

export const providerFailure = (code: string): string =>
  messages[code] ?? 'Sign-in with the other service failed. Try again, or sign in with your password.'
