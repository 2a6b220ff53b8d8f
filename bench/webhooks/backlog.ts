import { cpus } from 'node:os'
import { sql } from 'kysely'
import { claimDue, settleUneventful } from '../../packages/server/src/wings/telling/deliveries/queries.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { createDatabase } from './database.ts'
import { insertBacklog, openQueue, type Queue } from './queue.ts'

const backlog = 1_000_000
const endpoints = 20
const rounds = 5
const claimsARound = 40
const claimedAtOnce = 256
const ofOneWebhook = 64
const slowerAtMost = 1.2
const leaseMs = 30_000
const body = 'x'.repeat(500)

/** Compares claims on PostgreSQL from a short queue and from one with a million due rows. */
export async function run(): Promise<void> {
  const cluster = await startCluster()
  try {
    const short = await openBacklog(await createDatabase(cluster.url, 'short'), 0)
    const long = await openBacklog(await createDatabase(cluster.url, 'long'), backlog)
    const took: { short: number[]; long: number[] } = { short: [], long: [] }
    // Alternating, so that other load on the machine affects both alike.
    for (let round = 0; round < rounds; round += 1) {
      await insertBacklog(short.database, short.endpoints, { count: claimsARound * claimedAtOnce, body })
      await sql`analyze deliveries`.execute(short.database.db)
      for (let at = 0; at < claimsARound; at += 1) {
        took.short.push(await claim(short))
        took.long.push(await claim(long))
      }
    }
    print(median(took.short), median(took.long))
    await short.close()
    await long.close()
  } finally {
    await cluster.stop()
  }
}

async function openBacklog(url: string, count: number): Promise<Queue> {
  const queue = await openQueue({ url, origin: 'https://localhost', endpoints })
  await queue.database.unhurried(async (db) => {
    if (count > 0) await insertBacklog({ db }, queue.endpoints, { count, body })
    await sql`vacuum analyze deliveries`.execute(db)
  })
  return queue
}

/** Milliseconds of one claim. The claimed rows are settled outside that time. */
async function claim({ database: { db } }: Queue): Promise<number> {
  const now = new Date()
  const demand = { total: claimedAtOnce, perLane: ofOneWebhook, exceptions: new Map<string, number>(), after: null }
  const startedMs = performance.now()
  const { jobs } = await claimDue(db, { ...demand, now, leaseUntil: new Date(now.getTime() + leaseMs) }, true)
  const tookMs = performance.now() - startedMs
  if (jobs.length < claimedAtOnce - endpoints) throw new Error(`only ${jobs.length} rows were claimed`)
  const delivered = { status: 'DELIVERED' as const, dueAt: null, lastAttemptAt: now, responseStatus: 204 }
  const settlements = jobs.map(({ id, fence, attempts }) => ({
    ...{ id, fence, attempts, ...delivered },
    responseBody: '',
    errorMessage: null,
  }))
  await settleUneventful(db, settlements)
  return tookMs
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(shortMs: number, longMs: number): void {
  console.log(
    `\nWebhooks: claims of ${claimedAtOnce} rows over ${endpoints} endpoints on PostgreSQL, ${cpus().length} cores shared with the database, Node ${process.version}, median of ${rounds * claimsARound}. Target: at most ${slowerAtMost} of the time with a million due rows.`,
  )
  console.log('| ms per claim | rows per second | / time without a backlog | contender |\n|---|---|---|---|')
  for (const [ms, text] of [
    [shortMs, 'a queue with only the claimed rows'],
    [longMs, `a queue with ${backlog} due rows`],
  ] as const) {
    const cells = [ms.toFixed(2), ((claimedAtOnce / ms) * 1000).toFixed(0), (ms / shortMs).toFixed(2), text]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
