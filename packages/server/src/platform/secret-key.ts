import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { kept } from './data-folder.ts'
import { newServiceSecret } from './ids.ts'

const keyPattern = /^[A-Za-z0-9_-]{43}$/
const keyBytes = 32
const ownerOnly = 0o600

/** The installation's key as the data folder holds it; undefined: it holds none. */
export async function readSecretKey(dataDir: string): Promise<{ key: Buffer } | { problem: string } | undefined> {
  const path = join(dataDir, kept.secretKey)
  const text = await readOnce(path)
  if (text === undefined) return undefined
  if (!keyPattern.test(text)) return { problem: `: ${path} must hold 32 random bytes in base64url, 43 characters.` }
  return { key: Buffer.from(text, 'base64url') }
}

/** Makes the installation's key, at the first start. */
export async function makeSecretKey(dataDir: string): Promise<Buffer> {
  const key = randomBytes(keyBytes)
  await write(dataDir, kept.secretKey, key.toString('base64url'))
  return key
}

/** The token that opens an empty service, in a file that its owner alone can read. */
export async function initialTokenIn(dataDir: string): Promise<{ path: string; secret: string }> {
  const path = join(dataDir, kept.initialToken)
  const known = await readOnce(path)
  if (known !== undefined) return { path, secret: known }
  const secret = newServiceSecret()
  await write(dataDir, kept.initialToken, secret)
  return { path, secret }
}

async function readOnce(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Whole and on the disk, or not there: rows that are sealed with a key must not outlive it in a power failure. */
export async function write(dataDir: string, name: string, text: string): Promise<void> {
  const path = join(dataDir, name)
  const file = await open(`${path}.new`, 'w', ownerOnly)
  try {
    await file.chmod(ownerOnly)
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
}
