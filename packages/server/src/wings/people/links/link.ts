import { createHash, randomBytes } from 'node:crypto'

export type LinkKind = 'OWNER' | 'INVITATION' | 'PASSWORD_RESET' | 'EMAIL_CHANGE'

const pages: Record<LinkKind, string> = {
  OWNER: 'sign-up',
  INVITATION: 'join',
  PASSWORD_RESET: 'reset',
  EMAIL_CHANGE: 'confirm-email',
}

const secretBytes = 32
const secretPattern = /^[A-Za-z0-9_-]{43}$/

export const newLinkSecret = (): string => randomBytes(secretBytes).toString('base64url')

/** The only form in which a link is stored; null if the text cannot be a link. */
export const hashOfLink = (secret: string): Buffer | null =>
  secretPattern.test(secret) ? createHash('sha256').update(secret).digest() : null

/** The URL of a link. The secret is in the fragment, which browsers do not send, so it is in no log. */
export const linkUrl = (baseUrl: string, kind: LinkKind, secret: string): string =>
  `${baseUrl}/${pages[kind]}#${secret}`
