import { createHash, randomBytes } from 'node:crypto'

const secretPattern = /^[A-Za-z0-9_-]{43}$/

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The only form in which a secret, a token or a code is stored. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Whether the text can be the secret of a preview. */
export const isPreviewSecret = (text: string): boolean => secretPattern.test(text)

/** A code names its session, so that a page knows which frame to show, although only that frame can redeem it. */
export const newCode = (editorId: string): string => `${editorId}.${newSecret()}`

/**
 * An address with a secret at the end of its fragment, which neither servers nor referrers see. The route of a hash router
 * stays in front of it.
 */
export function withSecret(address: string, name: 'svc-preview' | 'svc-editor', secret: string): string {
  const { hash } = new URL(address)
  const sign = hash === '' ? '#' : hash.includes('?') ? '&' : '?'
  return `${address.replace(/#$/, '')}${sign}${name}=${secret}`
}

/** The origin of an address as a policy for frames can name it; undefined if it cannot. */
export function frameOrigin(address: string): string | undefined {
  const { origin } = new URL(address)
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}
