import { counted } from '@svc/core'
import { type Config, ConfigError } from './config.ts'
import type { Database, Db } from './platform/db/index.ts'
import { makeSecretKey, readSecretKey } from './platform/secret-key.ts'
import { countSealedFactors } from './wings/people/second-factor/index.ts'
import { countSealedSecrets } from './wings/telling/destinations/index.ts'

/**
 * The key that seals secrets, from the settings or the data folder. A new key is created only if nothing is sealed yet:
 * if the key of a database is lost, a new one could not open anything.
 */
export async function secretKeyOf(config: Config, { db }: Database): Promise<Buffer> {
  if (config.SVC_SECRET_KEY) return config.SVC_SECRET_KEY
  const found = await readSecretKey(config.SVC_DATA_DIR)
  if (found && 'problem' in found) throw new ConfigError([`SVC_DATA_DIR${found.problem}`])
  if (found) return found.key
  const sealed = await sealedIn(db)
  if (sealed) throw new ConfigError([lostKey(config.SVC_DATA_DIR, sealed)])
  return makeSecretKey(config.SVC_DATA_DIR)
}

async function sealedIn(db: Db): Promise<string | undefined> {
  const [secrets, factors] = await Promise.all([countSealedSecrets(db), countSealedFactors(db)])
  if (secrets + factors === 0) return undefined
  return `${counted(secrets, 'webhook secret')} and ${counted(factors, 'second factor')}`
}

const lostKey = (dataDir: string, sealed: string) =>
  `SVC_SECRET_KEY: ${dataDir}/secret-key is missing, and ${sealed} in the database can only be read with that key. Restore the file from a backup, or set the key. If you have lost the key, see docs/operating.md#a-lost-secret-key.`
