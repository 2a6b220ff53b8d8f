import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { migrate, missingMigrations } from '../platform/db/index.ts'
import { openExisting } from './existing-database.ts'

/** `svc-server migrate` */
export async function migrateDatabase(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' } } })
  const { config } = readConfig(process.env)
  const database = await openExisting(config)
  try {
    const names = values.check ? await missingMigrations(database) : (await migrate(database)).applied
    for (const name of names) process.stdout.write(`${values.check ? 'missing' : 'applied'} ${name}\n`)
    if (names.length === 0) process.stdout.write('The database is up to date.\n')
    else if (values.check) process.exitCode = 1
  } finally {
    await database.close()
  }
}
