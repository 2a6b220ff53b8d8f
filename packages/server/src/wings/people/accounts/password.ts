import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { inTurn } from '../../../turns.ts'

const memoryKib = 19_456
const passes = 2
const parallelism = 1
const saltBytes = 16
const hashBytes = 32

/** Limits the memory to a multiple of the above, and leaves threads to other work. */
const atOnce = 2
const waitingAtMost = 64

const turns = inTurn({ atOnce, waitingAtMost })

interface Argon2 {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  length: number
}

/** Argon2id with the parameters recommended by OWASP, as a PHC string that contains them. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, { memory: memoryKib, passes, parallelism, salt, length: hashBytes })
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Whether the password is right. If there is no stored password, the answer is no after the same work, so that the time
 * does not reveal whether an account exists.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [parameters, expected] = parse(stored ?? nobodys)
  const hash = await derive(password, parameters)
  return timingSafeEqual(hash, expected) && stored !== null
}

const derive = (password: string, { memory, passes, parallelism, salt, length }: Argon2): Promise<Buffer> =>
  turns(() =>
    promisify(argon2)('argon2id', {
      message: Buffer.from(password.normalize('NFKC')),
      nonce: salt,
      parallelism,
      tagLength: length,
      memory,
      passes,
    }),
  )

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(text: string): [Argon2, Buffer] {
  const [, memory, passes, parallelism, salt = '', hash = ''] = phc.exec(text) ?? []
  if (!hash) throw new Error('a stored password is not an argon2id hash')
  const expected = Buffer.from(hash, 'base64')
  const numbers = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return [{ ...numbers, salt: Buffer.from(salt, 'base64'), length: expected.length }, expected]
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const nobodys = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(randomBytes(saltBytes))}$${base64(randomBytes(hashBytes))}`
