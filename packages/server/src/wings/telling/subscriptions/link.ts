import type { Signer } from '../../../platform/sign.ts'

/** For whom a link ends mail: the id of a person for their own mail, an address for that of a destination. */
type Subject = string

const textOf = (destinationId: string, subject: Subject): string => `${destinationId} ${subject}`

/** The content of a link. It names the destination, and proves for whom it is without naming them. */
export const linkSecret = (signer: Signer, destinationId: string, subject: Subject): string =>
  `${destinationId}.${signer.sign(textOf(destinationId, subject))}`

/** Where a mail program posts for one click, and where a browser finds the page that asks: RFC 8058, section 3. */
export const unsubscribeUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/api/dashboard/unsubscribe/${secret}`

/** The page on which a person confirms. The secret is in the fragment, which no server receives. */
export const unsubscribePage = (baseUrl: string, secret: string): string => `${baseUrl}/unsubscribe#${secret}`

/**
 * The characters that an address and a header can contain. A link of another form answers like one that does not exist.
 */
export const linkPattern = /^[A-Za-z0-9_.-]{1,100}$/

const secretPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/

/** The destination that a link names; undefined if it cannot be one. */
export const destinationIn = (secret: string): string | undefined => secretPattern.exec(secret)?.[1]

/** The one of the subjects that a link is for. */
export function subjectOf(signer: Signer, secret: string, subjects: readonly Subject[]): Subject | undefined {
  const [, destinationId = '', signature = ''] = secretPattern.exec(secret) ?? []
  return subjects.find((each) => signer.isSigned(textOf(destinationId, each), signature))
}
