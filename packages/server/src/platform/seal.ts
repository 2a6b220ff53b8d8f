import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const keysKept = 1000

/** Encrypts values that are needed again, such as a signing secret. `context` binds a value to its row. */
export interface Seal {
  seal(text: string, context: string): Buffer
  /** Throws if the bytes, the key or the context differ from those that were sealed. */
  open(sealed: Buffer, context: string): string
  /** Whether `open` would succeed. */
  opens(sealed: Buffer, context: string): boolean
  /**
   * The bytes of the sealed text as a key. The most recently opened keys are cached, each for exactly its sealed bytes.
   */
  openKey(sealed: Buffer, context: string): KeyObject
}

/** How many sealed values were tried, and how many of them a key does not open. */
export interface Readability {
  sealed: number
  unreadable: number
}

export function sealWith(key: Buffer): Seal {
  const secretKey = createSecretKey(key)
  const keys = new Map<string, { sealed: Buffer; key: KeyObject }>()

  function open(sealed: Buffer, context: string): string {
    const nonce = sealed.subarray(0, nonceBytes)
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
    const decipher = createDecipheriv(algorithm, secretKey, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  function keep(context: string, entry: { sealed: Buffer; key: KeyObject }): void {
    keys.delete(context)
    const [oldest] = keys.keys()
    if (oldest !== undefined && keys.size >= keysKept) keys.delete(oldest)
    keys.set(context, entry)
  }

  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, secretKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(context))
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), bytes])
    },
    open,
    opens(sealed, context) {
      try {
        open(sealed, context)
        return true
      } catch {
        return false
      }
    },
    openKey(sealed, context) {
      const known = keys.get(context)
      if (known?.sealed.equals(sealed)) return known.key
      const opened = createSecretKey(Buffer.from(open(sealed, context), 'utf8'))
      keep(context, { sealed: Buffer.from(sealed), key: opened })
      return opened
    },
  }
}
