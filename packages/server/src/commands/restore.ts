import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Archive, checkArchive, tablesIn } from '../backup/archive.ts'
import { fingerprintOf } from '../backup/manifest.ts'
import { restore, type Silenced, type Target } from '../backup/restore.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { openDatabase, openSession } from '../platform/db/index.ts'
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
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new Error('a backup is required: svc-server restore svc-2027-01-31T04-00-00Z.tar.gz')
  const { config } = readConfig(process.env)
  const drill = values.drill === true
  if (drill && config.SVC_SMTP_URL !== undefined)
    throw new ConfigError([
      'SVC_SMTP_URL must be left out of a rehearsal: the restored service would mail real people.',
    ])
  const path = resolve(file)
  const archive = await withProgress(({ step }) => {
    step(`Checking ${path}`)
    return checkArchive(path)
  })
  const key = await keyFor(config, archive, {
    otherKey: values['other-key'] === true,
    replace: values.replace === true,
  })
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
      restore(target, { ...manifest, rows: () => tablesIn(path) }, { keepRevisions, drill, watch, record }),
    )
  }
  const aside = config.SVC_DATABASE_URL
    ? await intoServer(config.SVC_DATABASE_URL, values.replace === true, fill)
    : await intoDataFolder(config.SVC_DATA_DIR, { replace: values.replace === true, newKey: key }, fill)
  process.stdout.write(`Restored ${contentsOf(manifest)} of ${manifest.madeAt}.\n`)
  if (aside) process.stdout.write(`What was there before is in ${aside}.\n`)
  if (silenced)
    process.stdout.write(
      `For the rehearsal, ${silenced.webhooks} webhooks were disabled and ${silenced.schedules} schedules cancelled. Start it without SVC_SMTP_URL.\n`,
    )
  process.stdout.write(
    keepRevisions
      ? 'Revisions continue where the backup ended. SDKs that have seen later ones do not follow.\n'
      : 'Revisions are 1,000,000 ahead, so that every SDK follows.\n',
  )
}

/** Returns the key to write into the data folder, if it comes with the backup. */
async function keyFor(
  config: Config,
  { manifest, secretKey }: Archive,
  { otherKey, replace }: { otherKey: boolean; replace: boolean },
): Promise<string | undefined> {
  const here = await keyOf(config)
  const expected = manifest.secretKey
  if (otherKey || expected === null || (here && fingerprintOf(here) === expected)) return undefined
  const comesAlong = secretKey !== undefined && fingerprintOf(Buffer.from(secretKey, 'base64url')) === expected
  if (comesAlong && !config.SVC_SECRET_KEY && (!here || replace)) return secretKey
  const what = here ? 'the secret key differs from that of the backup' : 'the secret key of the backup is missing here'
  throw new ConfigError([
    `SVC_SECRET_KEY: ${what}, so webhook secrets and second factors could not be read. Give the key of the backup, or restore with --other-key and see docs/operating.md#a-lost-secret-key.`,
  ])
}

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
