import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../src/platform/db/index.ts'
import { execute } from './postgres.ts'
import { scratchFolder } from './scratch.ts'
import { copyFolder, onDatabase, quiet, type Templates } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplates: Templates
  }
}

/** What openDatabase takes; for a second process or node on the same database. */
export interface Address {
  url?: string
  dataDir: string
}

export interface TestDatabase extends Database {
  address: Address
}

/** A database of its own, of the kind that the vitest project runs on; close() removes it. */
export async function openTestDatabase(template: 'migrated' | 'blank' = 'migrated'): Promise<TestDatabase> {
  const { address, remove } = await createTestDatabase(template)
  const database = await openDatabase({ ...address, log: quiet })
  const close = async () => {
    await database.close()
    await remove()
  }
  return { ...database, address, close }
}

/** The same, not opened yet: for tests that start processes on it. */
export async function createTestDatabase(
  template: 'migrated' | 'blank' = 'migrated',
): Promise<{ address: Address; remove(): Promise<void> }> {
  const templates = inject('databaseTemplates')
  const dataDir = await scratchFolder('svc-test')
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  if (templates.kind === 'embedded') {
    await copyFolder(templates[template], dataDir)
    return { address: { dataDir }, remove: removeFolder }
  }
  const name = `svc_test_${randomBytes(6).toString('hex')}`
  await execute(templates.url, `create database ${name} template ${templates[template]}`)
  const remove = async () => {
    await execute(templates.url, `drop database ${name} with (force)`)
    await removeFolder()
  }
  return { address: { url: onDatabase(templates.url, name), dataDir }, remove }
}
