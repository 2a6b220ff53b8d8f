import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db/index.ts'
import { copyFolder, scratchFolder } from '../scratch.ts'
import { expectNotAtRest } from '../secrets-search.ts'
import type { Address } from './address.ts'
import { execute } from './postgres.ts'
import { onDatabase, quiet, type Templates } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplates: Templates
  }
}

export interface TestDatabase extends Database {
  address: Address
}

/** Opens a separate database of the kind of the vitest project; close() removes it. */
export async function openTestDatabase(template: 'migrated' | 'blank' = 'migrated'): Promise<TestDatabase> {
  const { address, remove } = await createTestDatabase(template)
  const database = await openDatabase({ ...address, log: quiet })
  const close = async () => {
    await database.close()
    await remove()
  }
  return { ...database, address, close }
}

/**
 * Creates a separate database without opening it, for tests that start processes on it. It can be the copy of another
 * test database that nobody has open. Before it is removed, it is searched for secrets.
 */
export async function createTestDatabase(
  template: 'migrated' | 'blank' | Address = 'migrated',
): Promise<{ address: Address; remove(): Promise<void> }> {
  const templates = inject('databaseTemplates')
  const dataDir = await scratchFolder('svc-test')
  if (templates.kind === 'embedded') {
    await copyFolder(typeof template === 'string' ? templates[template] : template.dataDir, dataDir)
    return removable({ dataDir }, async () => undefined)
  }
  const name = `svc_test_${randomBytes(6).toString('hex')}`
  const original = typeof template === 'string' ? templates[template] : new URL(template.url!).pathname.slice(1)
  // The copy of files takes a third of the time, and leaves nothing in the log that the search for secrets reads.
  const create = `create database ${name} template ${original} strategy file_copy`
  const [[logFrom] = []] = await execute(templates.url, create, 'select pg_current_wal_lsn()')
  return removable({ url: onDatabase(templates.url, name), dataDir, logFrom: logFrom! }, () =>
    execute(templates.url, `drop database ${name} with (force)`),
  )
}

const removable = (address: Address, drop: () => Promise<unknown>) => ({
  address,
  async remove() {
    try {
      await expectNotAtRest(address)
    } finally {
      await drop()
      await rm(address.dataDir, { recursive: true, force: true })
    }
  },
})
