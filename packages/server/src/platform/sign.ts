import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const keyBytes = 32

/** Signs values that are kept elsewhere, so that no one can forge them without the secret key. */
export interface Signer {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** What is signed. Each purpose has its own key, so a signature is valid for one purpose only. */
export interface Signers {
  /** Heads of the audit chain. */
  audit: Signer
  /** Links in mails that end them. */
  unsubscribe: Signer
  /** Links in mails that ask an address whether it wants more. */
  confirmation: Signer
  /** Tickets for the modules of previews. */
  previews: Signer
  /** Manifests of backups. */
  backup: Signer
  /** Not signed but hashed: from where visitors came. */
  addresses: Signer
  /** Not signed but hashed: who was erased. */
  erasures: Signer
}

/** The keys are derived from the installation's secret key. */
export const signersWith = (secretKey: Buffer): Signers => ({
  audit: signerWith(secretKey, 'audit head'),
  unsubscribe: signerWith(secretKey, 'unsubscribe'),
  confirmation: signerWith(secretKey, 'confirm mail'),
  previews: signerWith(secretKey, 'tickets of previews'),
  backup: signerWith(secretKey, 'backup manifest'),
  addresses: signerWith(secretKey, 'addresses of visitors'),
  erasures: signerWith(secretKey, 'erased visitors'),
})

function signerWith(secretKey: Buffer, purpose: string): Signer {
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
