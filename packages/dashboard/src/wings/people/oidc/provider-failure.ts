// What the service puts into the address when somebody comes back from a provider in vain.
const messages: Record<string, string> = {
  expired: 'That took too long. Try again.',
  provider_denied: 'The other service did not let you in, or you turned back there.',
  provider_unreachable: 'The other service does not answer. Try again in a while, or sign in with your password.',
  provider_failed: 'The other service gave an answer that cannot be trusted. The log of this service says why.',
  email_unverified: 'The other service does not vouch for your e-mail address. Verify it there first.',
  no_account: 'There is no account for this address. Ask somebody who administers your organization for an invitation.',
  identity_taken: 'This account of the other service is linked to somebody else here.',
}

export const providerFailure = (code: string): string =>
  messages[code] ?? 'Signing in through the other service did not work. Try again, or sign in with your password.'
