import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { checkArchive, tablesIn, writeArchive } from '../../src/backup/archive.ts'
import { rowSumsOf } from '../../src/backup/row-sums.ts'
import { schemaOf } from '../../src/backup/tables.ts'
import { type CopySession, databaseFolder, openSession } from '../../src/platform/db/index.ts'
import { type Signer, signersWith } from '../../src/platform/sign.ts'
import { runCommand } from '../processes/command.ts'
import { scratchFolder } from '../scratch.ts'
import type { Address } from './address.ts'
import { createTestDatabase } from './database.ts'

/** A place for a restored service, of the kind of the vitest project, with nothing in it. */
export async function emptyPlace(): Promise<{ address: Address; remove(): Promise<void> }> {
  if (inject('databaseTemplates').kind === 'server') return createTestDatabase('blank')
  const dataDir = await scratchFolder('svc-empty')
  return { address: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** The settings of a service, for a different database. */
export const settingsAt = (settings: Record<string, string>, { url, dataDir }: Address): Record<string, string> => {
  const { SVC_DATABASE_URL: _url, ...rest } = settings
  return { ...rest, SVC_DATA_DIR: dataDir, ...(url && { SVC_DATABASE_URL: url }) }
}

/** Makes a backup with the operator's command. Returns its path. */
export async function backedUp(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const out = await scratchFolder('svc-backups')
  const { err, code } = await runCommand(['backup', '--out', out, ...args], settings)
  if (code !== 0) throw new Error(err)
  return join(out, (await readdir(out))[0]!)
}

/** How somebody changed a backup: with a key of their own, or without one. */
export const forgers: Record<'withKey' | 'withoutKey', Signer | null> = {
  withKey: signersWith(randomBytes(32)).backup,
  withoutKey: null,
}

/** A copy of a backup with other rows and the sums that fit them. Returns its path. */
export async function forged(path: string, signer: Signer | null, change: (row: string) => string): Promise<string> {
  const { manifest } = await checkArchive(path)
  const portions = new Map<string, Buffer[]>()
  for await (const { name, portion } of tablesIn(path, manifest))
    portions.set(name, [...(portions.get(name) ?? []), Buffer.from(change(portion.toString()))])
  const copy = join(dirname(path), `forged-${randomUUID()}.tar.gz`)
  await writeArchive(copy, { madeAt: new Date(manifest.madeAt), signer }, async (writer) => {
    const tables = []
    for (const table of manifest.tables)
      tables.push(
        await writer.table(
          table,
          (async function* () {
            yield* portions.get(table.name) ?? []
          })(),
        ),
      )
    await writer.manifest({ ...manifest, tables })
  })
  return copy
}

export async function withSession<Result>(
  { url, dataDir }: Address,
  work: (session: CopySession) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(url ? { url } : { folder: databaseFolder(dataDir) })
  return work(session).finally(() => session.close())
}

/** Each table with a sum of its rows that does not depend on their order, and the definitions of the tables. */
export const allOf = (address: Address): Promise<Record<string, unknown>> =>
  withSession(address, async (session) => {
    const { partitions, sequences } = await schemaOf(session)
    const rows: Record<string, unknown> = {}
    for (const { name, ...sum } of await rowSumsOf(session)) rows[name] = sum
    const next: Record<string, unknown> = {}
    for (const name of sequences) next[name] = (await session.query(`select last_value, is_called from "${name}"`))[0]
    const rules = await session.query(`
      select conname::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
      union all
      select indexname::text, indexdef from pg_indexes where schemaname = 'public'
      union all
      select tgname::text, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      order by 1, 2`)
    return { rows, next, partitions, rules }
  })

/** The same without the audit log, in which a restore and a move leave an entry. */
export async function allBesidesAudit(address: Address): Promise<Record<string, unknown>> {
  const all = await allOf(address)
  const { audit_entries: _entries, audit_chains: _chains, ...rows } = all.rows as Record<string, unknown>
  return { ...all, rows }
}

/** The entries of restores and moves. */
export const restoreEntries = (address: Address): Promise<object[]> =>
  withSession(address, (session) =>
    session.query(`
      select action, actor_type as "type", actor_name as "by", after from audit_entries
      where action in ('organization.restore', 'organization.rehearse', 'organization.move')`),
  )

export const otherKey = (): string => randomBytes(32).toString('base64url')
