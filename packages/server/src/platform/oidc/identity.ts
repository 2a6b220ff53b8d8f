import { type Identity, ProviderFailure } from './provider.ts'

// OpenID Connect Core 1.0, section 2: a subject has at most 255 characters.
const maxClaimLength = 255

/** What an ID token or the provider's profile says; nothing in it has been checked. */
export interface Claims {
  iss: string
  sub: string
  [claim: string]: unknown
}

/**
 * Who the provider says has signed in.
 *
 * @param token the ID token's claims
 * @param profile where the address and the name are: the token's claims, or what the provider answered when asked
 * @throws ProviderFailure `failed`: the subject, the address or the name is not a line of at most 255 characters
 */
export function identityOf(token: Claims, profile: Record<string, unknown>): Identity {
  return {
    issuer: token.iss,
    subject: lineOf('sub', token.sub),
    email: optionalLineOf('email', profile.email)?.toLowerCase() ?? null,
    emailVerified: profile.email_verified === true,
    name: optionalLineOf('name', profile.name),
  }
}

function lineOf(claim: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxClaimLength && !/\p{Cc}/u.test(value))
    return value
  throw new ProviderFailure(
    'failed',
    new Error(`The claim ${claim} must have 1 to ${maxClaimLength} characters and no control characters.`),
  )
}

const optionalLineOf = (claim: string, value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? lineOf(claim, value) : null
