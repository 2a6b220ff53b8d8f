import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { invalid, isRefusal, type Refusal, refuse } from '../catalogue/refusals.ts'
import type { Db } from '../platform/db/index.ts'
import type { Sweep } from '../platform/retention/index.ts'
import { asOne } from '../platform/transaction.ts'

const keptMs = 24 * 3_600_000
const keyPattern = /^[\x20-\x7e]{1,255}$/

/** A write that can be repeated: its sender, address, key and body. */
export interface IdempotentRequest {
  orgId: string
  credentialId: string
  method: string
  path: string
  key: string
  bodyHash: Buffer
}

/** The first answer, without secrets. */
export interface StoredAnswer {
  status: number
  body: string
  etag: string | null
}

export type IdempotencyKeyOf = Omit<IdempotentRequest, 'key' | 'bodyHash'>

/** The request's key, undefined if it has none, or a refusal if it is not valid. */
export function idempotentRequest(
  header: string | string[] | undefined,
  body: unknown,
  of: IdempotencyKeyOf,
): IdempotentRequest | null | Refusal {
  if (header === undefined) return null
  const key = String(header)
  if (!keyPattern.test(key))
    return invalid({ path: ['Idempotency-Key'], message: 'Must have 1 to 255 printable ASCII characters.' })
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest()
  return { ...of, key, bodyHash }
}

/**
 * The first answer under this key, a refusal if the key was used for a different request, or undefined if the work can
 * begin. The claim decides about requests that are still in progress.
 */
export async function earlierAnswer(
  db: Db,
  request: IdempotentRequest,
  now: Date,
): Promise<StoredAnswer | Refusal | undefined> {
  const stored = await findKey(db, request, now)
  const answer = stored && replayOf(stored, request)
  return answer === inProgress ? undefined : answer
}

/**
 * Does the work once for its key. The key's row, the effect and the answer are one transaction. A concurrent duplicate
 * waits for the row, then gets the same answer. A refusal rolls everything back and frees the key.
 */
export function once<Result>(
  db: Db,
  request: IdempotentRequest,
  now: Date,
  work: () => Promise<Result | Refusal>,
  storable: (result: Result) => StoredAnswer,
): Promise<{ result: Result } | { replay: StoredAnswer } | Refusal> {
  return asOne(db, async (tx) => {
    if (!(await claimKey(tx, request, now))) {
      const stored = await findKey(tx, request, now)
      const replay = stored ? replayOf(stored, request) : inProgress
      return isRefusal(replay) ? replay : { replay }
    }
    const result = await work()
    if (isRefusal(result)) return result
    await saveAnswer(tx, request, storable(result))
    return { result }
  })
}

/**
 * For an effect outside the transaction: claims the key first, and `saveAnswer` completes it. A key without an answer
 * after `underWayMs` was left by a crash and can be claimed again.
 */
export async function begin(
  db: Db,
  request: IdempotentRequest,
  now: Date,
  underWayMs: number,
): Promise<StoredAnswer | Refusal | undefined> {
  if (await claimKey(db, request, now, underWayMs)) return undefined
  const stored = await findKey(db, request, now)
  return stored ? replayOf(stored, request) : inProgress
}

interface StoredKey {
  requestHash: Buffer
  status: number | null
  body: string | null
  etag: string | null
}

function replayOf(stored: StoredKey, request: IdempotentRequest): StoredAnswer | Refusal {
  if (!stored.requestHash.equals(request.bodyHash))
    return refuse(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for a different request. Use a new key.',
    )
  const { status, body, etag } = stored
  return status === null || body === null ? inProgress : { status, body, etag }
}

const inProgress = refuse(
  'idempotency_in_progress',
  'An earlier request with this Idempotency-Key is still in progress. Try again shortly.',
)

const isKey = ({ orgId, credentialId, method, path, key }: IdempotentRequest) =>
  sql`org_id = ${orgId} and credential_id = ${credentialId} and method = ${method} and path = ${path} and key = ${key}`

async function findKey(db: Db, request: IdempotentRequest, now: Date): Promise<StoredKey | undefined> {
  const { rows } = await sql<StoredKey>`
    select request_hash as "requestHash", status, body, etag from idempotency_keys
    where ${isKey(request)} and created_at > ${new Date(now.getTime() - keptMs)}`.execute(db)
  return rows[0]
}

async function claimKey(db: Db, request: IdempotentRequest, now: Date, underWayMs = keptMs): Promise<boolean> {
  const { orgId, credentialId, method, path, key, bodyHash } = request
  const { rows } = await sql`
    insert into idempotency_keys (org_id, credential_id, method, path, key, request_hash, created_at)
    values (${orgId}, ${credentialId}, ${method}, ${path}, ${key}, ${bodyHash}, ${now})
    on conflict (org_id, credential_id, method, path, key) do update
      set request_hash = excluded.request_hash, status = null, body = null, etag = null, created_at = excluded.created_at
      where idempotency_keys.created_at <= ${new Date(now.getTime() - keptMs)}
        or idempotency_keys.status is null and idempotency_keys.created_at <= ${new Date(now.getTime() - underWayMs)}
    returning key`.execute(db)
  return rows.length > 0
}

export async function saveAnswer(
  db: Db,
  request: IdempotentRequest,
  { status, body, etag }: StoredAnswer,
): Promise<void> {
  await sql`update idempotency_keys set status = ${status}, body = ${body}, etag = ${etag} where ${isKey(request)}`.execute(
    db,
  )
}

/** The effect outside the transaction failed, so the key is free for a new attempt. */
export async function abandon(db: Db, request: IdempotentRequest): Promise<void> {
  await sql`delete from idempotency_keys where ${isKey(request)} and status is null`.execute(db)
}

export const idempotencyKeySweep: Sweep = {
  name: 'idempotency_keys',
  everyMs: 3_600_000,
  keepForMs: keptMs,
  async sweep(db, before, limit) {
    const { rows } = await sql`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at <= ${before} order by created_at limit ${limit}
        for update skip locked
      )) returning key`.execute(db)
    return rows.length
  },
}
