import { sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { SourceContent } from './source.ts'

export interface Source extends SourceContent {
  id: string
  projectId: string
  /** Unique in the project, and never changes. */
  key: string
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", key, name, type, mode, format, encoding, url, auth, mapping,
  default_currency as "defaultCurrency", guards, schedule, env_id as "envId", fields, secret_id as "secretId", version,
  created_at as "createdAt", updated_at as "updatedAt"`

export const sourceQueries = nounQueries<Source>('catalog_sources', columns)

/** The source of a job. */
export async function findSource(db: Db, id: string): Promise<Source | undefined> {
  const { rows } = await sql<Source>`select ${columns} from catalog_sources where id = ${id}`.execute(db)
  return rows[0]
}

/** The source as it is. Until the end of the transaction, nobody can delete it. */
export async function keepSource(tx: Tx, id: string): Promise<Source | undefined> {
  const { rows } = await sql<Source>`
    select ${columns} from catalog_sources where id = ${id} for key share`.execute(tx)
  return rows[0]
}

/** @param sealed the secret for `secretId`; null if there is none */
export async function insertSource(tx: Tx, row: Source, sealed: Buffer | null): Promise<void> {
  await sql`
    insert into catalog_sources (id, project_id, key, name, type, mode, format, encoding, url, auth, mapping,
      default_currency, guards, schedule, env_id, fields, secret_id, sealed, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.key}, ${row.name}, ${row.type}, ${row.mode}, ${row.format},
      ${row.encoding}, ${row.url}, ${jsonOf(row.auth)}::jsonb, ${jsonOf(row.mapping)}::jsonb, ${row.defaultCurrency},
      ${jsonOf(row.guards)}::jsonb, ${jsonOf(row.schedule)}::jsonb, ${row.envId}, ${jsonOf(row.fields)}::jsonb,
      ${row.secretId}, ${sealed}, ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

/** @param sealed the secret for a new `secretId`; undefined if it stays */
export async function saveSource(tx: Tx, row: Source, sealed: Buffer | null | undefined): Promise<void> {
  await sql`
    update catalog_sources set name = ${row.name}, mode = ${row.mode}, format = ${row.format},
      encoding = ${row.encoding}, url = ${row.url}, auth = ${jsonOf(row.auth)}::jsonb,
      mapping = ${jsonOf(row.mapping)}::jsonb, default_currency = ${row.defaultCurrency},
      guards = ${jsonOf(row.guards)}::jsonb, schedule = ${jsonOf(row.schedule)}::jsonb, env_id = ${row.envId},
      fields = ${jsonOf(row.fields)}::jsonb, secret_id = ${row.secretId},
      sealed = ${sealed === undefined ? sql`sealed` : sealed}, version = ${row.version}, updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

/** The sealed secret of a source, and for which id. */
export async function sealedSecretOf(db: Db, id: string): Promise<{ secretId: string; sealed: Buffer } | undefined> {
  const { rows } = await sql<{ secretId: string; sealed: Buffer }>`
    select secret_id as "secretId", sealed from catalog_sources where id = ${id} and sealed is not null`.execute(db)
  return rows[0]
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))
