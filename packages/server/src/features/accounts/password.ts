import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const memoryKib = 19_456
const passes = 2
const parallelism = 1
const saltBytes = 16
const hashBytes = 32

/** Argon2id with the parameters that OWASP names, as a PHC string that carries them. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await promisify(argon2)('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: salt,
    parallelism,
    tagLength: hashBytes,
    memory: memoryKib,
    passes,
  })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}
