/** Why signing in through a provider came to nothing; the dashboard has a sentence for each. */
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

/** What is known here when somebody comes back from a provider. */
export interface Arrived {
  /** Whose identity this is already; null: nobody's. */
  holder: string | null
  /** Who was signed in when leaving, to link one more identity. */
  linkingFor: string | null
  /** The address, if the provider vouches for it. */
  verifiedEmail: string | null
  /** Who has that address here. */
  addressee: string | null
  /** An open invitation to exactly that address was brought along. */
  invited: boolean
}

export type Arrival =
  | { do: 'sign-in'; userId: string; link: boolean }
  | { do: 'link'; userId: string }
  | { do: 'nothing'; userId: string }
  | { do: 'join' }
  | { error: ArrivalError }

/** An identity is linked to an account, and an account made, on an address that the provider vouches for and no other. */
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
