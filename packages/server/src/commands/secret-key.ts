import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newSecretKey, writeSecretKey } from '../platform/secret-key.ts'

/** `svc-server secret-key`. It reads no settings, because the key comes before them. */
export async function printSecretKey(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { file: { type: 'string' } } })
  const key = newSecretKey().toString('base64url')
  if (values.file === undefined) return void process.stdout.write(`${key}\n`)
  const path = resolve(values.file)
  const isNew = await writeSecretKey(path, key)
  process.stderr.write(
    isNew
      ? `${path} holds a new secret key. Keep a copy of it apart from your backups.\n`
      : `${path} already exists, so it was not changed.\n`,
  )
}
