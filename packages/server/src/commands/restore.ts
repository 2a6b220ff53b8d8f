import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { counted } from '@svc/core'
import { type Archive, checkArchive, tablesIn } from '../backup/archive.ts'
import { fingerprintOf } from '../backup/manifest.ts'
import { restore, type Silenced, type Target } from '../backup/restore.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { openDatabase, openSession } from '../platform/db/index.ts'
import { signersWith } from '../platform/sign.ts'
import { contentsOf } from './backup.ts'
import { intoDataFolder } from './data-folder-target.ts'
import { log } from './existing-database.ts'
import { withProgress } from './progress.ts'
import { keyOf } from './secret-key-of.ts'

/** `svc-server restore` */
export async function restoreBackup(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      drill: { type: 'boolean' },
      'keep-revisions': { type: 'boolean' },
      'other-key': { type: 'boolean' },
      replace: { type: 'boolean' },
      unsigned: { type: 'boolean' },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new Error('a backup is required: svc-server restore svc-2027-01-31T04-00-00Z.tar.gz')
  const { config } = readConfig(process.env)
  const drill = values.drill === true
  if (drill && config.SVC_SMTP_URL !== undefined)
    throw new ConfigError([
      'SVC_SMTP_URL must not be set for a rehearsal: the restored service would mail real people.',
    ])
  const path = resolve(file)
  const archive = await withProgress(({ step }) => {
    step(`Checking ${path}`)
    return checkArchive(path)
  })
  const otherKey = values['other-key'] === true
  const { key, comesAlong } = await keyFor(config, archive, { otherKey, replace: values.replace === true })
  const newKey = comesAlong ? archive.secretKey : undefined
  if (!values.unsigned) requireSigned(path, archive, { key, otherKey })
  const { manifest } = archive
  const keepRevisions = values['keep-revisions'] === true
  let silenced: Silenced | undefined
  const fill = async (target: Target) => {
    const { madeAt, version } = manifest
    const record = {
      action: drill ? 'organization.rehearse' : 'organization.restore',
      after: { madeAt, version, keepRevisions },
    } as const
    silenced = await withProgress((watch) =>
      restore(target, { ...manifest, rows: () => tablesIn(path, manifest) }, { keepRevisions, drill, watch, record }),
    )
  }
  const aside = config.SVC_DATABASE_URL
    ? await intoServer(config.SVC_DATABASE_URL, values.replace === true, fill)
    : await intoDataFolder(config.SVC_DATA_DIR, { replace: values.replace === true, newKey }, fill)
  process.stdout.write(`Restored ${contentsOf(manifest)} of ${manifest.madeAt}.\n`)
  if (!key || comesAlong || values.unsigned) process.stdout.write(`${unproven(key)}\n`)
  if (aside) process.stdout.write(`The previous database is in ${aside}.\n`)
  if (silenced)
    process.stdout.write(
      `For the rehearsal, ${counted(silenced.webhooks, 'webhook was', 'webhooks were')} disabled and ${counted(silenced.schedules, 'schedule')} cancelled. Start it without SVC_SMTP_URL.\n`,
    )
  process.stdout.write(
    keepRevisions
      ? 'Revisions continue where the backup ended. SDKs that already have a later revision ignore the restored data files.\n'
      : 'Revisions were raised by 1,000,000, so that every SDK accepts the restored data files.\n',
  )
}

interface FoundKey {
  /** The key that the backup names. */
  key?: Buffer
  /** Whether it was found in the backup, and will be that of the data folder. */
  comesAlong?: boolean
}

/** Finds the key of the backup, on this machine or in the backup. */
async function keyFor(
  config: Config,
  { manifest, secretKey }: Archive,
  { otherKey, replace }: { otherKey: boolean; replace: boolean },
): Promise<FoundKey> {
  const here = await keyOf(config)
  const expected = manifest.secretKey
  if (here && fingerprintOf(here) === expected) return { key: here }
  if (otherKey || expected === null) return {}
  const inIt = secretKey === undefined ? undefined : Buffer.from(secretKey, 'base64url')
  if (inIt && fingerprintOf(inIt) === expected && !config.SVC_SECRET_KEY && (!here || replace))
    return { key: inIt, comesAlong: true }
  const what = here ? 'the secret key differs from that of the backup' : 'the secret key of the backup is missing here'
  throw new ConfigError([
    `SVC_SECRET_KEY: ${what}, so webhook secrets and second factors could not be decrypted, and svc-server cannot check whether the backup was changed. Set the key of the backup, or restore with --other-key and see docs/operating.md#a-lost-secret-key.`,
  ])
}

/** Whoever can change rows can change their sums too. Only the secret key makes the signature. */
function requireSigned(
  path: string,
  { isSigned }: Archive,
  { key, otherKey }: { key: Buffer | undefined; otherKey: boolean },
): void {
  if (!isSigned)
    throw new Error(
      `${path} has no signature, so svc-server cannot check whether it was changed after it was made. The signature was removed, there was no secret key, or an older version made the backup. If only you could write to the file, restore it with --unsigned.`,
    )
  if (!key && otherKey) return
  if (!key || !isSigned(signersWith(key).backup))
    throw new Error(
      `${path} was changed after it was made: its signature does not match the secret key. Restore a backup from a place where only you can write. --unsigned restores this one, including the changes.`,
    )
}

const unproven = (key: Buffer | undefined): string =>
  key
    ? 'Someone could have changed the backup: its signature was not required, or its key was in it.'
    : 'Someone could have changed the backup: checking its signature requires its secret key.'

async function intoServer(url: string, replace: boolean, fill: (target: Target) => Promise<void>): Promise<undefined> {
  if (replace)
    throw new Error('--replace is for the embedded database. Create an empty database and set SVC_DATABASE_URL to it.')
  await fill(serverTarget(url))
}

export const serverTarget = (url: string): Target => ({
  async session(work) {
    const session = await openSession({ url })
    return work(session).finally(() => session.close())
  },
  async database(work) {
    const database = await openDatabase({ url, dataDir: '', log })
    return work(database).finally(() => database.close())
  },
})
