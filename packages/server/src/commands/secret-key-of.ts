import type { Config } from '../config.ts'
import { readSecretKey } from '../platform/secret-key.ts'

/** The secret key that the service uses with these settings; undefined before its first start. */
export async function keyOf({ SVC_SECRET_KEY: given, SVC_DATA_DIR: dataDir }: Config): Promise<Buffer | undefined> {
  if (given) return given
  const found = await readSecretKey(dataDir)
  if (found && 'problem' in found) throw new Error(`SVC_DATA_DIR${found.problem}`)
  return found?.key
}
