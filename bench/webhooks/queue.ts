import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { deliveryWorker } from '../../packages/server/src/features/webhooks/index.ts'
import { insertDeliveries, insertSecret, insertWebhook } from '../../packages/server/src/features/webhooks/queries.ts'
import { type Database, type Log, migrate, openDatabase } from '../../packages/server/src/platform/db/index.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { openOutbound } from '../../packages/server/src/platform/outbound/index.ts'
import { authors } from '../../packages/server/src/platform/outbox.ts'
import { type Seal, sealWith } from '../../packages/server/src/platform/seal.ts'

interface QueueOptions {
  url?: string
  origin: string
  total: number
  endpoints: number
  secret: string
  body: string
  log: Log
}

const seededAtOnce = 1000
const timeoutMs = 10_000

/** The product's own queue, worker and outbound connection, with deliveries waiting in it. */
export async function openQueue(options: QueueOptions): Promise<{ work(): Promise<void>; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const database = await openDatabase({ url: options.url, dataDir, log: options.log })
  await migrate(database)
  const seal = sealWith(randomBytes(32))
  const now = () => new Date()
  await seed(database, seal, options, now())

  const outbound = openOutbound({ allowedHosts: new URL(options.origin).host, timeoutMs })
  const finished = Promise.withResolvers<void>()
  let done = 0
  const worker = deliveryWorker({
    database,
    post: outbound.post,
    seal,
    authorOf: authors([], now),
    settings: { ladderMs: [60_000], timeoutMs, retentionMs: 86_400_000 },
    observe: {
      attempted(_job, attempt) {
        if (attempt.status !== 204) finished.reject(new Error(attempt.error ?? `status ${attempt.status}`))
        done += 1
        if (done === options.total) finished.resolve()
      },
      failed: finished.reject,
    },
    now,
  })
  return {
    async work() {
      await worker.start()
      await finished.promise
      // The last results are part of the work.
      await worker.stop()
    },
    async close() {
      await outbound.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function seed({ db }: Database, seal: Seal, options: QueueOptions, now: Date): Promise<void> {
  const { origin, total, endpoints, secret, body } = options
  const orgId = newId()
  const projectId = newId()
  await sql`insert into organizations (id, name, features, created_at) values (${orgId}, 'Bench', '{}', ${now})`.execute(
    db,
  )
  await sql`
    insert into projects (id, org_id, short_id, name, type, created_at, updated_at)
    values (${projectId}, ${orgId}, 1, 'Bench', 'FEATURE_FLAG', ${now}, ${now})`.execute(db)
  const hooks = Array.from({ length: endpoints }, (_, index) => ({
    id: newId(),
    secretId: newId(),
    orgId,
    projectId,
    name: `Endpoint ${index}`,
    url: `${origin}/${index}`,
    events: ['flag.published' as const],
    enabled: true,
    disabledAt: null,
    disableReason: null,
    consecutiveFailures: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }))
  await db.transaction().execute(async (tx) => {
    for (const hook of hooks) {
      await insertWebhook(tx, hook)
      await insertSecret(tx, { id: hook.secretId, webhookId: hook.id, sealed: seal.seal(secret, hook.secretId) }, now)
    }
    for (let from = 0; from < total; from += seededAtOnce) {
      const rows = Array.from({ length: Math.min(seededAtOnce, total - from) }, (_, index) => {
        const hook = hooks[index % endpoints]!
        return {
          id: newId(),
          webhookId: hook.id,
          deliveryId: newId(),
          eventId: newId(),
          eventType: 'flag.published' as const,
          sourceEntityId: null,
          isTest: false,
          secretId: hook.secretId,
          body,
          attempts: 0,
          dueAt: now,
        }
      })
      await insertDeliveries(tx, rows, now)
    }
  })
  await sql`analyze deliveries`.execute(db)
}
