import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type Log, migrate, openDatabase } from '../../src/platform/db/index.ts'
import { copyFolder, scratchFolder } from '../scratch.ts'
import { execute, startCluster } from './postgres.ts'

/** The databases that tests copy: an empty one, and one with every migration. */
export type Templates =
  | { kind: 'embedded'; blank: string; migrated: string }
  | { kind: 'server'; url: string; blank: string; migrated: string }

export const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }

interface Made {
  templates: Templates
  remove(): Promise<void>
}

// Vitest loads this file again for each of its projects, but in one process.
const ofProcess = globalThis as { svcEmbeddedTemplates?: Promise<Made>; svcServerTemplates?: Promise<Made> }

/** Two data folders. They are made once in a run, for all projects. */
export function embeddedTemplates(): Promise<Made> {
  ofProcess.svcEmbeddedTemplates ??= makeEmbeddedTemplates()
  return ofProcess.svcEmbeddedTemplates
}

async function makeEmbeddedTemplates(): Promise<Made> {
  const folder = await scratchFolder('svc-templates')
  const blank = join(folder, 'blank')
  const migrated = join(folder, 'migrated')
  await openDatabase({ dataDir: blank, log: quiet }).then((database) => database.close())
  await mkdir(migrated)
  await copyFolder(blank, migrated)
  await migrateAndClose(await openDatabase({ dataDir: migrated, log: quiet }))
  return {
    templates: { kind: 'embedded', blank, migrated },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Two databases on a server. It is started once in a run, for all projects. */
export function serverTemplates(): Promise<Made> {
  ofProcess.svcServerTemplates ??= makeServerTemplates()
  return ofProcess.svcServerTemplates
}

async function makeServerTemplates(): Promise<Made> {
  const cluster = await startCluster()
  try {
    const migrated = 'svc_migrated'
    await execute(cluster.url, `create database ${migrated} template template0`)
    const url = onDatabase(cluster.url, migrated)
    await migrateAndClose(await openDatabase({ url, dataDir: tmpdir(), log: quiet }))
    let stopped: Promise<void> | undefined
    return {
      templates: { kind: 'server', url: cluster.url, blank: 'template0', migrated },
      // Each project removes them at the end of the run.
      remove() {
        stopped ??= cluster.stop()
        return stopped
      },
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** The address of a different database on the same server. */
export function onDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

async function migrateAndClose(database: Database): Promise<void> {
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
