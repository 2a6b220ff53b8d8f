import { createHash } from 'node:crypto'

/** The only form in which a secret is stored. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

type Prefix = 'svc_svc_' | 'svc_pat_' | 'svc_ing_' | 'svc_edt_'

const secretPattern = /^(svc_svc_|svc_pat_|svc_ing_|svc_edt_)[A-Za-z0-9_-]{43}$/

/** Whether the text is 32 random bytes in base64url after the prefix of its kind. */
export const isSecret = (text: string, prefix: Prefix): boolean => secretPattern.test(text) && text.startsWith(prefix)
