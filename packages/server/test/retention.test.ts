import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idempotencyKeySweep } from '../src/http/idempotency.ts'
import { newId } from '../src/platform/ids.ts'
import type { Sweep } from '../src/platform/retention/index.ts'
import { linkSweep } from '../src/wings/people/links/index.ts'
import { sessionSweep } from '../src/wings/people/sessions/index.ts'
import { dayMs, hourMs, standingClock } from '../testing/clock.ts'
import { metricsBearer, startTestService, type TestService } from '../testing/service.ts'

const clock = standingClock()
let service: TestService

const tables = [
  'address_samples',
  'arrived_events',
  'catalog_items',
  'catalog_revisions',
  'catalog_values',
  'code_error_events',
  'code_error_visitors',
  'code_errors',
  'dataset_versions',
  'deleted_environments',
  'deliveries',
  'destination_refs',
  'destination_secrets',
  'event_ids',
  'event_usage',
  'events',
  'exposures_and_tracked_events',
  'idempotency_keys',
  'job_errors',
  'jobs',
  'links',
  'model_runs',
  'order_changes',
  'orders',
  'projects',
  'rule_addresses',
  'seen_visitors',
  'sessions',
  'web_links',
]

async function sweptTables(): Promise<string[]> {
  const { text } = await service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  const swept = text.matchAll(/^svc_retention_deleted_rows_total\{table="(\w+)"\} \d+$/gm)
  return [...swept].map(([, table]) => table!).toSorted()
}

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  // The sweep at the start must be over before a test inserts rows for its own.
  while ((await sweptTables()).length < tables.length) await nextTurn()
})
afterAll(() => service.close())

const ago = (ms: number) => new Date(clock.now().getTime() - ms)
const countOf = async (table: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)}`.execute(service.db)
  return rows[0]!.count
}
const memberId = async () => {
  const { rows } = await sql<{ id: string }>`select id from users limit 1`.execute(service.db)
  return rows[0]!.id
}
const sweepNow = ({ sweep, keepForMs }: Sweep, limit: number) => sweep(service.db, ago(keepForMs), limit)

async function insertSession(lastSeenAt: Date, expiresAt: Date): Promise<void> {
  const id = newId()
  await sql`
    insert into sessions (id, user_id, secret_hash, stage, created_at, authenticated_at, last_seen_at, expires_at)
    values (${id}, ${await memberId()}, ${Buffer.from(id)}, 'SIGNED_IN', ${lastSeenAt}, ${lastSeenAt}, ${lastSeenAt},
      ${expiresAt})`.execute(service.db)
}

async function insertResetLink(expiresAt: Date, usedAt: Date | null): Promise<void> {
  const id = newId()
  await sql`
    insert into links (id, kind, secret_hash, user_id, created_by, created_at, expires_at, used_at)
    values (${id}, 'PASSWORD_RESET', ${Buffer.from(id)}, ${await memberId()}, 'test', ${expiresAt}, ${expiresAt},
      ${usedAt})`.execute(service.db)
}

async function insertKey(key: string, createdAt: Date): Promise<void> {
  await sql`
    insert into idempotency_keys (org_id, credential_id, method, path, key, request_hash, created_at)
    select id, ${newId()}, 'POST', '/', ${key}, '\\x00', ${createdAt} from organizations limit 1`.execute(service.db)
}

test('every table with a retention is swept, and the metrics show it', async () => {
  await service.retention.run()
  expect(await sweptTables()).toEqual(tables)
})

test('expired and idle sessions are deleted in batches, and open ones stay', async () => {
  const before = await countOf('sessions')
  for (let at = 0; at < 3; at += 1) await insertSession(ago(hourMs), ago(1))
  for (let at = 0; at < 2; at += 1) await insertSession(ago(12 * hourMs), ago(-dayMs))
  await insertSession(ago(hourMs), ago(-dayMs))
  expect([await sweepNow(sessionSweep, 4), await sweepNow(sessionSweep, 4), await sweepNow(sessionSweep, 4)]).toEqual([
    4, 1, 0,
  ])
  expect(await countOf('sessions')).toBe(before + 1)
})

test('links are deleted in batches 30 days after they were used or expired', async () => {
  const before = await countOf('links')
  for (let at = 0; at < 3; at += 1) await insertResetLink(ago(30 * dayMs + 1), null)
  await insertResetLink(ago(-hourMs), ago(30 * dayMs + 1))
  await insertResetLink(ago(30 * dayMs - 1), ago(30 * dayMs - 1))
  expect([await sweepNow(linkSweep, 3), await sweepNow(linkSweep, 3), await sweepNow(linkSweep, 3)]).toEqual([3, 1, 0])
  expect(await countOf('links')).toBe(before + 1)
})

test('two nodes that sweep concurrently share the rows', async () => {
  for (let at = 0; at < 20; at += 1) await insertKey(`old ${at}`, ago(dayMs))
  await insertKey('young', ago(dayMs - 1))
  const batches = await Promise.all([5, 5, 5, 5].map((limit) => sweepNow(idempotencyKeySweep, limit)))
  expect(Math.max(...batches)).toBe(5)
  await service.retention.run()
  const { rows } = await sql`select key from idempotency_keys`.execute(service.db)
  expect(rows).toEqual([{ key: 'young' }])
})
