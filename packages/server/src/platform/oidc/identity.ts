import { type Identity, ProviderFailure } from './provider.ts'

// OpenID Connect Core 1.0, section 2: a subject has at most 255 characters.
const maxClaimLength = 255

/** The claims of an ID token or of the provider's profile, not checked yet. */
export interface Claims {
  iss: string
  sub: string
  [claim: string]: unknown
}

/**
 * The person who signed in, according to the provider.
 *
 * @param token the ID token's claims
 * @param profile the source of the address and the name: the token's claims, or the provider's answer at the userinfo
 * endpoint
 * @throws ProviderFailure `failed`: the subject, the address or the name is not a single line of at most 255 characters
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
