/**
 * The data to keep between leaving for the provider and coming back. With it, an attacker could use the provider's
 * answer.
 */
export interface Departure {
  state: string
  nonce: string
  codeVerifier: string
}

/** The person who signed in, according to the provider. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  /** Whether the provider has verified the address. */
  emailVerified: boolean
  name: string | null
}

/**
 * Why a sign-in failed: the provider or the person refused, the provider does not answer, or its answer is not valid.
 */
export class ProviderFailure extends Error {
  readonly reason: 'denied' | 'unreachable' | 'failed'

  constructor(reason: ProviderFailure['reason'], cause: unknown) {
    super(`the provider: ${reason}`, { cause })
    this.reason = reason
  }
}

/** One OpenID Connect provider, using the authorization code flow with PKCE. Every call can throw a ProviderFailure. */
export interface Provider {
  id: string
  name: string
  issuer: string
  depart(): Promise<{ url: string; departure: Departure }>
  /** `answer`: the query string that the browser returned with. */
  arrive(answer: URLSearchParams, departure: Departure): Promise<Identity>
}
