import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { kept, writeKept } from './data-folder.ts'
import { newServiceSecret } from './ids.ts'

const keyPattern = /^[A-Za-z0-9_-]{43}$/
const keyBytes = 32
const ownerMayRead = 0o600

/** The installation's secret key from the data folder; undefined if there is none. */
export async function readSecretKey(dataDir: string): Promise<{ key: Buffer } | { problem: string } | undefined> {
  const path = join(dataDir, kept.secretKey)
  const text = await readOnce(path)
  if (text === undefined) return undefined
  if (!keyPattern.test(text)) return { problem: `: ${path} must hold 32 random bytes in base64url, 43 characters.` }
  return { key: Buffer.from(text, 'base64url') }
}

export const newSecretKey = (): Buffer => randomBytes(keyBytes)

/** Writes a secret key to a new file, synced to the disk. Returns false if the file exists, and then leaves it alone. */
export async function writeSecretKey(path: string, key: string): Promise<boolean> {
  const file = await open(path, 'wx', ownerMayRead).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined
    throw error
  })
  if (!file) return false
  try {
    await file.writeFile(`${key}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
  return true
}

/** Makes the installation's secret key at the first start. */
export async function makeSecretKey(dataDir: string): Promise<Buffer> {
  const key = newSecretKey()
  await writeKept(dataDir, kept.secretKey, key.toString('base64url'))
  return key
}

/** Makes the first token of an empty service, in a file that only its owner can read. */
export async function initialTokenIn(dataDir: string): Promise<{ path: string; secret: string }> {
  const path = join(dataDir, kept.initialToken)
  const known = await readOnce(path)
  if (known !== undefined) return { path, secret: known }
  const secret = newServiceSecret()
  await writeKept(dataDir, kept.initialToken, secret)
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
