import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newServiceSecret } from './ids.ts'

const keyBytes = 32
const ownerOnly = 0o600

/** The installation's key, made at the first start and kept beside the embedded database. */
export async function secretKeyIn(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key')
  const text = (await readOnce(path)) ?? (await writeOnce(path, randomBytes(keyBytes).toString('base64url')))
  const key = Buffer.from(text, 'base64url')
  if (key.length !== keyBytes) throw new Error(`${path} does not hold a key of ${keyBytes} bytes in base64url`)
  return key
}

/** The token that opens an empty service, in a file that its owner alone can read. */
export async function initialTokenIn(dataDir: string): Promise<{ path: string; secret: string }> {
  const path = join(dataDir, 'initial-token')
  const secret = (await readOnce(path)) ?? (await writeOnce(path, newServiceSecret()))
  return { path, secret }
}

async function readOnce(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeOnce(path: string, text: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `${text}\n`, { mode: ownerOnly, flag: 'wx' })
  await chmod(path, ownerOnly)
  return text
}
