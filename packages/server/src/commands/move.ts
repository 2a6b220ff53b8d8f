import { parseArgs } from 'node:util'
import { counted } from '@svc/core'
import { portions } from '../backup/portions.ts'
import { restore } from '../backup/restore.ts'
import { differences, rowSumsOf } from '../backup/row-sums.ts'
import { lastMigrationOf, schemaOf, sequencesOf } from '../backup/tables.ts'
import { emptyTarget } from '../backup/target.ts'
import type { Watch } from '../backup/watch.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { type CopySession, migrationNames, openDatabase } from '../platform/db/index.ts'
import { readSecretKey } from '../platform/secret-key.ts'
import { dataFileTags } from '../wings/serving/datafile/index.ts'
import { log } from './existing-database.ts'
import { withProgress } from './progress.ts'
import { serverTarget } from './restore.ts'
import { withEmbedded } from './source.ts'

/** `svc-server move`: the embedded database of SVC_DATA_DIR goes to the empty server at SVC_DATABASE_URL. */
export async function moveToServer(args: string[]): Promise<void> {
  parseArgs({ args })
  const { config } = readConfig(process.env)
  const { SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir } = config
  if (url === undefined)
    throw new ConfigError([
      'SVC_DATABASE_URL is required: the empty database of a PostgreSQL server to which the embedded one moves.',
    ])
  await requireSameKey(config)
  const { tables, rows, files } = await withProgress((watch) =>
    withEmbedded(dataDir, (session) => moved(session, url, watch)),
  )
  process.stdout.write(
    `Moved ${counted(tables, 'table')}, ${counted(rows, 'row')}. All rows and the bytes of ${counted(files, 'data file')} are the same.\n`,
  )
  process.stderr.write(
    `Start the service with these settings. Keep ${dataDir} until you have a backup of the server.\n`,
  )
}

async function requireSameKey({ SVC_SECRET_KEY: given, SVC_DATA_DIR: dataDir }: Config): Promise<void> {
  const found = await readSecretKey(dataDir)
  if (found && 'problem' in found) throw new ConfigError([`SVC_DATA_DIR${found.problem}`])
  if (found && given && !found.key.equals(given))
    throw new ConfigError([
      `SVC_SECRET_KEY differs from the key in ${dataDir}/secret-key, which encrypted the secrets in the database. Set SVC_SECRET_KEY_FILE to that file.`,
    ])
}

async function moved(session: CopySession, url: string, watch: Watch) {
  const lastMigration = await lastMigrationOf(session)
  if (lastMigration === undefined || lastMigration !== (await migrationNames()).at(-1))
    throw new Error(
      'the embedded database is from an older version. Run svc-server migrate without SVC_DATABASE_URL first.',
    )
  const { tables, partitions, sequences } = await schemaOf(session)
  const target = serverTarget(url)
  watch.step('Reading the embedded database')
  const sums = await rowSumsOf(session)
  const source = {
    ...{ lastMigration, madeAt: systemClock().toISOString(), tables, partitions },
    sequences: await sequencesOf(session, sequences),
    async *rows() {
      for (const { name, columns } of tables)
        for await (const portion of portions(session.copyOut(name, columns))) yield { name, portion }
    },
  }
  let files = 0
  const check = async () => {
    watch.step('Comparing the rows')
    const different = differences(sums, await target.session(rowSumsOf))
    if (different.length > 0) throw new Error(`rows differ after the move, in ${different.join(', ')}.`)
    watch.step('Comparing the data files')
    files = await compareDataFiles(url)
  }
  let isTaken = false
  try {
    const record = { action: 'organization.move', after: { from: 'embedded', to: 'server' } } as const
    const taken = () => {
      isTaken = true
    }
    await restore(target, source, { keepRevisions: true, check, taken, watch, record })
  } catch (error) {
    if (isTaken) await target.session(emptyTarget)
    throw error
  }
  return { tables: tables.length, rows: sums.reduce((sum, { count }) => sum + count, 0), files }
}

/** The ETag of a data file is the hash of its bytes. The service noted it when it published the file. */
async function compareDataFiles(url: string): Promise<number> {
  const database = await openDatabase({ url, dataDir: '', log })
  const tags = await dataFileTags(database.db).finally(() => database.close())
  const different = tags.filter(({ noted, served }) => noted !== served)
  if (different.length > 0)
    throw new Error(`the bytes of data files differ after the move: ${different.map(({ envId }) => envId).join(', ')}.`)
  return tags.length
}
