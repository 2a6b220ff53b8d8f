import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, migrate, openDatabase } from '../../packages/server/src/platform/db/index.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { openOutbound } from '../../packages/server/src/platform/outbound/index.ts'
import { type Authors, authors, type Subscriber } from '../../packages/server/src/platform/outbox.ts'
import { type Seal, sealWith } from '../../packages/server/src/platform/seal.ts'
import { deliveryWorker, fanOut } from '../../packages/server/src/wings/telling/deliveries/index.ts'
import { insertSecret } from '../../packages/server/src/wings/telling/destinations/index.ts'
import { type SendingContext, webhookKind } from '../../packages/server/src/wings/telling/webhooks/index.ts'
import { insertWebhook } from '../../packages/server/src/wings/telling/webhooks/queries.ts'
import { quiet } from '../../packages/server/testing/databases/templates.ts'

export const secret = 'a'.repeat(64)
export const projects = 2
const timeoutMs = 10_000

export interface Endpoint {
  id: string
  secretId: string
  orgId: string
  projectId: string
}

/** The product's queue, worker and outbound connection, with endpoints in two projects of two organizations. */
export interface Queue {
  database: Database
  endpoints: Endpoint[]
  authorOf: Authors
  /** Starts the worker and calls back for every attempt that ended. An attempt without a 204 is a failure. */
  start(onAttempt: () => void, onFailure: (error: unknown) => void): Promise<void>
  /** Stops the worker and writes the last results. */
  stop(): Promise<void>
  close(): Promise<void>
}

export async function openQueue(options: {
  /** The database on a PostgreSQL server; without it, the embedded database. */
  url?: string | undefined
  origin: string
  endpoints: number
  subscribers?: readonly Subscriber[]
}): Promise<Queue> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const database = await openDatabase({ url: options.url, dataDir, log: quiet })
  await migrate(database)
  const seal = sealWith(randomBytes(32))
  const now = () => new Date()
  const endpoints = await insertEndpoints(database, seal, options.origin, options.endpoints)
  const outbound = openOutbound({ allowedHosts: new URL(options.origin).host, timeoutMs })
  const authorOf = authors([fanOut, ...(options.subscribers ?? [])], now)
  const listeners = { onAttempt: () => {}, onFailure: (_error: unknown) => {} }
  const context: SendingContext = {
    database,
    post: outbound.post,
    seal,
    authorOf,
    settings: { ladderMs: [60_000], timeoutMs },
    observe: {
      attempted({ answer: { status, error } }) {
        if (status !== 204) listeners.onFailure(new Error(error ?? `status ${status}`))
        listeners.onAttempt()
      },
      failed: (error) => listeners.onFailure(error),
    },
    now,
  }
  const worker = deliveryWorker(context, webhookKind(context))
  return {
    database,
    endpoints,
    authorOf,
    async start(onAttempt, onFailure) {
      Object.assign(listeners, { onAttempt, onFailure })
      await worker.start()
    },
    stop: () => worker.stop(),
    async close() {
      await outbound.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function insertEndpoints({ db }: Database, seal: Seal, origin: string, count: number): Promise<Endpoint[]> {
  const now = new Date()
  const projectIds = Array.from({ length: projects }, newId)
  // Two organizations, because changes of one organization wait for each other.
  await sql`
    insert into organizations (id, name, features, created_at)
    select id, 'Bench', '{}', ${now} from unnest(${projectIds}::uuid[]) as project (id)`.execute(db)
  await sql`
    insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
    select id, id, 1, 'bench', 'Bench', 'FEATURE_FLAG', ${now}, ${now}
    from unnest(${projectIds}::uuid[]) as project (id)`.execute(db)
  const webhooks = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    secretId: newId(),
    orgId: projectIds[index % projects]!,
    projectId: projectIds[index % projects]!,
    key: `endpoint-${index}`,
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
    for (const webhook of webhooks) {
      const { id, secretId } = webhook
      await insertWebhook(tx, webhook)
      await insertSecret(tx, { id: secretId, destinationId: id, sealed: seal.seal(secret, secretId) }, now)
    }
  })
  return webhooks
}

/** Inserts deliveries, due one after the other, for the endpoints in turn. Ids continue from the existing ones. */
export async function insertBacklog(
  { db }: Pick<Database, 'db'>,
  endpoints: readonly Endpoint[],
  { count, body }: { count: number; body: string },
): Promise<void> {
  await sql`
    with known as (select count(*) as rows from deliveries)
    insert into deliveries (id, destination_id, delivery_id, event_id, event_type, secret_id, body, due_at, created_at)
    select id, webhook_id, id, id, 'flag.published', secret_id, ${body},
      now() - (${count}::integer - number) * interval '1 microsecond', now()
    from known, generate_series(1, ${count}::integer) as number
    cross join lateral (
      select ('00000000-0000-7000-8000-' || lpad(to_hex(known.rows + number), 12, '0'))::uuid as id
    ) as ids
    join unnest(${endpoints.map(({ id }) => id)}::uuid[], ${endpoints.map(({ secretId }) => secretId)}::uuid[])
      with ordinality as endpoint (webhook_id, secret_id, position)
      on endpoint.position = 1 + number % ${endpoints.length}::integer
    order by number`.execute(db)
}
