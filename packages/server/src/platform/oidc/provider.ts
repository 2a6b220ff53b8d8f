/** What has to be remembered between leaving for the provider and coming back. Whoever knows it could take the answer. */
export interface Departure {
  state: string
  nonce: string
  codeVerifier: string
}

/** Whom the provider says that it has signed in. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  /** The provider vouches for the address. */
  emailVerified: boolean
  name: string | null
}

/** Why nobody came back signed in: the provider or the person said no, it does not answer, or its answer is no good. */
export class ProviderFailure extends Error {
  readonly reason: 'denied' | 'unreachable' | 'failed'

  constructor(reason: ProviderFailure['reason'], cause: unknown) {
    super(`the provider: ${reason}`, { cause })
    this.reason = reason
  }
}

/** One OpenID Connect provider, by the authorization code flow with PKCE. Every call may throw a ProviderFailure. */
export interface Provider {
  id: string
  name: string
  issuer: string
  depart(): Promise<{ url: string; departure: Departure }>
  /** `answer`: the query with which the browser came back. */
  arrive(answer: URLSearchParams, departure: Departure): Promise<Identity>
}
