import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const keyBytes = 32

/** The purpose of the signatures under the heads of the audit chain. */
export const auditPurpose = 'audit head'

/** Signs values that are kept elsewhere, so that no one can forge them without the secret key. */
export interface Signer {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** Each purpose has its own key, derived from the installation's secret key. */
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
