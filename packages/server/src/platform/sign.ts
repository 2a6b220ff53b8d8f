import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const keyBytes = 32

/** Of the signatures under heads of the audit chain. */
export const auditPurpose = 'audit head'

/** Signs what is kept elsewhere, so that nobody without the installation's key can make it up. */
export interface Signer {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** A key of its own for each purpose, derived from the installation's. */
export function signWith(secretKey: Buffer, purpose: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `svc ${purpose}`, keyBytes))
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign: (text) => digestOf(text).toString('base64url'),
    isSigned(text, signature) {
      const given = Buffer.from(signature, 'base64url')
      const expected = digestOf(text)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
