import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'

export interface Preview {
  id: string
  experimentId: string
  variationKey: string
  version: 'DRAFT' | 'LIVE'
  pageKey: string
  /** Without the secret. */
  url: string
  createdBy: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
}

const previewColumns = sql`web_links.id, web_links.experiment_id as "experimentId",
  web_links.variation_key as "variationKey", web_links.version, web_links.page_key as "pageKey", web_links.url,
  web_links.created_by as "createdBy", web_links.created_at as "createdAt", web_links.last_used_at as "lastUsedAt",
  web_links.expires_at as "expiresAt", web_links.revoked_at as "revokedAt"`

export async function insertPreview(tx: Tx, row: Preview & { secretHash: Buffer }): Promise<void> {
  await sql`
    insert into web_links (id, kind, experiment_id, secret_hash, variation_key, version, page_key, url, created_by,
      created_at, expires_at)
    values (${row.id}, 'PREVIEW', ${row.experimentId}, ${row.secretHash}, ${row.variationKey}, ${row.version},
      ${row.pageKey}, ${row.url}, ${row.createdBy}, ${row.createdAt}, ${row.expiresAt})`.execute(tx)
}

/** Newest first. */
export async function listPreviews(
  db: Db,
  experimentId: string,
  after: string | null,
  limit: number,
): Promise<Preview[]> {
  const { rows } = await sql<Preview>`
    select ${previewColumns} from web_links
    where experiment_id = ${experimentId} and kind = 'PREVIEW' and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function countOpenPreviews(tx: Tx, experimentId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from web_links
    where experiment_id = ${experimentId} and kind = 'PREVIEW' and revoked_at is null and expires_at > ${now}`.execute(
    tx,
  )
  return rows[0]!.count
}

/** A revocation holds the row until the commit. */
export async function lockPreview(tx: Tx, experimentId: string, id: string): Promise<Preview | undefined> {
  if (!isId(id)) return undefined
  const { rows } = await sql<Preview>`
    select ${previewColumns} from web_links
    where id = ${id} and experiment_id = ${experimentId} and kind = 'PREVIEW' for update`.execute(tx)
  return rows[0]
}

export type OpenPreview = Preview & { orgId: string; projectId: string; envId: string }

/** A preview that is neither revoked nor expired. */
export async function findOpenPreview(
  db: Db,
  by: { secretHash: Buffer } | { id: string },
  now: Date,
): Promise<OpenPreview | undefined> {
  const which = 'id' in by ? sql`web_links.id = ${by.id}` : sql`web_links.secret_hash = ${by.secretHash}`
  const { rows } = await sql<OpenPreview>`
    select ${previewColumns}, projects.org_id as "orgId", experiments.project_id as "projectId",
      experiments.env_id as "envId"
    from web_links join experiments on experiments.id = web_links.experiment_id
      join projects on projects.id = experiments.project_id and projects.org_id is not null
    where ${which} and web_links.kind = 'PREVIEW' and web_links.revoked_at is null
      and web_links.expires_at > ${now}`.execute(db)
  return rows[0]
}

export async function setRevoked(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`update web_links set revoked_at = ${now} where id = ${id} and revoked_at is null`.execute(tx)
}

/** Notes the use of a preview or of a session, if the one before was some time ago. */
export async function noteUse(db: Db, id: string, now: Date, before: Date): Promise<void> {
  await sql`
    update web_links set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at < ${before})`.execute(db)
}

export interface Editor {
  id: string
  experimentId: string
  variationKey: string
  /** Of the pages on which the editor can be. */
  origin: string
  user: { id: string; name: string }
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
}

const editorColumns = sql`web_links.id, web_links.experiment_id as "experimentId",
  web_links.variation_key as "variationKey", web_links.url as origin,
  jsonb_build_object('id', users.id, 'name', users.name) as "user", web_links.created_at as "createdAt",
  web_links.last_used_at as "lastUsedAt", web_links.expires_at as "expiresAt"`

export interface NewEditor {
  id: string
  experimentId: string
  variationKey: string
  origin: string
  userId: string
  sessionId: string
  now: Date
  expiresAt: Date
}

/** `last_used_at` is set from the start, so that a session that nothing opens ends by itself. */
export async function insertEditor(tx: Tx, row: NewEditor): Promise<void> {
  await sql`
    insert into web_links (id, kind, experiment_id, variation_key, url, user_id, session_id, created_at, last_used_at,
      expires_at)
    values (${row.id}, 'EDITOR', ${row.experimentId}, ${row.variationKey}, ${row.origin}, ${row.userId},
      ${row.sessionId}, ${row.now}, ${row.now}, ${row.expiresAt})`.execute(tx)
}

interface Moment {
  now: Date
  /** A session that was last used before this time has ended. */
  idleSince: Date
}

const isOpenEditor = ({ now, idleSince }: Moment) => sql`web_links.kind = 'EDITOR' and web_links.revoked_at is null
  and web_links.expires_at > ${now} and web_links.last_used_at > ${idleSince}`

/** The open sessions of an experiment, newest first. */
export async function listEditors(db: Db, experimentId: string, at: Moment): Promise<Editor[]> {
  const { rows } = await sql<Editor>`
    select ${editorColumns} from web_links join users on users.id = web_links.user_id
    where web_links.experiment_id = ${experimentId} and ${isOpenEditor(at)}
    order by web_links.id desc limit 100`.execute(db)
  return rows
}

export async function lockEditor(tx: Tx, experimentId: string, id: string, at: Moment): Promise<Editor | undefined> {
  if (!isId(id)) return undefined
  const { rows } = await sql<Editor>`
    select ${editorColumns} from web_links join users on users.id = web_links.user_id
    where web_links.id = ${id} and web_links.experiment_id = ${experimentId} and ${isOpenEditor(at)}
    for update of web_links`.execute(tx)
  return rows[0]
}

/** Of two sessions that a person begins at once, the second sees the first. */
export async function lockEditorsOf(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`editors ${userId}`}, 0))`.execute(tx)
}

/** Ends all but the newest sessions of a person. */
export async function endOldestEditors(tx: Tx, userId: string, keep: number, at: Moment): Promise<void> {
  await sql`
    update web_links set revoked_at = ${at.now} where id in (
      select id from web_links where user_id = ${userId} and ${isOpenEditor(at)} order by id desc offset ${keep})`.execute(
    tx,
  )
}

interface OpenEditor {
  id: string
  experimentId: string
  projectId: string
  orgId: string | null
  sessionId: string
}

/** An open session by its token, with what it may open. */
export async function findEditorByToken(db: Db, secretHash: Buffer, at: Moment): Promise<OpenEditor | undefined> {
  const { rows } = await sql<OpenEditor>`
    select web_links.id, web_links.experiment_id as "experimentId", experiments.project_id as "projectId",
      projects.org_id as "orgId", web_links.session_id as "sessionId"
    from web_links join experiments on experiments.id = web_links.experiment_id
      join projects on projects.id = experiments.project_id
    where web_links.secret_hash = ${secretHash} and ${isOpenEditor(at)}`.execute(db)
  return rows[0]
}

/** The origin whose pages can have the frame of an open session, if their script is one of its project. */
export async function findEditorOrigin(
  db: Db,
  { id, sdkKey }: { id: string; sdkKey: string },
  at: Moment,
): Promise<string | undefined> {
  if (!isId(id)) return undefined
  const { rows } = await sql<{ origin: string }>`
    select url as origin from web_links where id = ${id} and ${isOpenEditor(at)} and exists (
      select from experiments join environments on environments.project_id = experiments.project_id
        join sdk_keys on sdk_keys.env_id = environments.id
      where experiments.id = web_links.experiment_id and sdk_keys.key = ${sdkKey})`.execute(db)
  return rows[0]?.origin
}

export async function insertCode(
  tx: Tx,
  row: { id: string; editorId: string; experimentId: string; secretHash: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into web_links (id, kind, experiment_id, editor_id, secret_hash, created_at, expires_at)
    values (${row.id}, 'EDITOR_CODE', ${row.experimentId}, ${row.editorId}, ${row.secretHash}, ${row.now},
      ${row.expiresAt})`.execute(tx)
}

/** Deletes codes of a session that nobody has redeemed. With `before`, only those that have expired by then. */
export async function deleteUnusedCodes(tx: Tx, editorId: string, before: Date | null = null): Promise<void> {
  await sql`
    delete from web_links
    where editor_id = ${editorId} and used_at is null and (${before}::timestamptz is null or expires_at <= ${before})`.execute(
    tx,
  )
}

export interface StoredCode {
  id: string
  usedAt: Date | null
  expiresAt: Date
  editorId: string
  experimentId: string
  projectId: string
  variationKey: string
  userId: string
  sessionId: string
  editorExpiresAt: Date
  isEditorOpen: boolean
}

/** Holds the code and its session until the commit, so that of two attempts one is the second. */
export async function lockCode(tx: Tx, secretHash: Buffer, at: Moment): Promise<StoredCode | undefined> {
  const { rows } = await sql<StoredCode>`
    select code.id, code.used_at as "usedAt", code.expires_at as "expiresAt", web_links.id as "editorId",
      web_links.experiment_id as "experimentId", experiments.project_id as "projectId",
      web_links.variation_key as "variationKey", web_links.user_id as "userId",
      web_links.session_id as "sessionId", web_links.expires_at as "editorExpiresAt",
      (${isOpenEditor(at)}) as "isEditorOpen"
    from web_links code join web_links on web_links.id = code.editor_id
      join experiments on experiments.id = web_links.experiment_id
    where code.secret_hash = ${secretHash} and code.kind = 'EDITOR_CODE'
    for update of code, web_links`.execute(tx)
  return rows[0]
}

export async function setUsed(tx: Tx, codeId: string, now: Date): Promise<void> {
  await sql`update web_links set used_at = ${now} where id = ${codeId}`.execute(tx)
}

/** Gives a session a new token. The one before stops working. */
export async function setToken(tx: Tx, editorId: string, secretHash: Buffer, now: Date): Promise<void> {
  await sql`
    update web_links set secret_hash = ${secretHash}, last_used_at = ${now} where id = ${editorId}`.execute(tx)
}

export async function deleteOldWebLinks(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from web_links where id in (
      select id from web_links where expires_at < ${before} limit ${limit} for update skip locked
    ) returning id`.execute(db)
  return rows.length
}
