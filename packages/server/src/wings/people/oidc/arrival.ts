/** Why signing in through a provider failed. The dashboard has a sentence for each. */
export const arrivalErrors = [
  'expired',
  'provider_denied',
  'provider_unreachable',
  'provider_failed',
  'email_unverified',
  'no_account',
  'identity_taken',
] as const

export type ArrivalError = (typeof arrivalErrors)[number]

/** What is known when a person comes back from a provider. */
export interface Arrived {
  /** The account that has this identity; null if there is none. */
  holder: string | null
  /** The person who was signed in when leaving, to link one more identity. */
  linkingFor: string | null
  /** The address, if the provider has verified it. */
  verifiedEmail: string | null
  /** The account with that address. */
  addressee: string | null
  /** Whether the browser brought an open invitation to exactly that address. */
  invited: boolean
}

export type Arrival =
  | { do: 'sign-in'; userId: string; link: boolean }
  | { do: 'link'; userId: string }
  | { do: 'nothing'; userId: string }
  | { do: 'join' }
  | { error: ArrivalError }

/** Decides what happens. Only a verified address can link an identity or create an account. */
export function arrive({ holder, linkingFor, verifiedEmail, addressee, invited }: Arrived): Arrival {
  if (linkingFor !== null) {
    if (holder === linkingFor) return { do: 'nothing', userId: linkingFor }
    if (holder !== null) return { error: 'identity_taken' }
    return verifiedEmail === null ? { error: 'email_unverified' } : { do: 'link', userId: linkingFor }
  }
  if (holder !== null) return { do: 'sign-in', userId: holder, link: false }
  if (verifiedEmail === null) return { error: 'email_unverified' }
  if (addressee !== null) return { do: 'sign-in', userId: addressee, link: true }
  return invited ? { do: 'join' } : { error: 'no_account' }
}
