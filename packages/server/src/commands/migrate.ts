import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { isMigrated, migrate, missingMigrations } from '../platform/db/index.ts'
import { openExisting } from './existing-database.ts'

/** `svc-server migrate` */
export async function migrateDatabase(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' }, 'if-empty': { type: 'boolean' } } })
  const { config } = readConfig(process.env)
  const database = await openExisting(config)
  try {
    const onlyChecks = values.check || (values['if-empty'] && (await isMigrated(database.db)))
    const names = onlyChecks ? await missingMigrations(database) : (await migrate(database)).applied
    for (const name of names) process.stdout.write(`${onlyChecks ? 'missing' : 'applied'} ${name}\n`)
    if (names.length === 0) process.stdout.write('The database is up to date.\n')
    else if (onlyChecks) process.exitCode = 1
  } finally {
    await database.close()
  }
}
