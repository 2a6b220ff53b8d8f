import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pino from 'pino'
import { compose } from '../../packages/server/src/compose.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { textColumn } from '../../packages/server/src/platform/db/columns.ts'
import type { Db } from '../../packages/server/src/platform/db/index.ts'
import { writers } from '../../packages/server/src/wings/commerce/feeds/testing/writing.ts'
import { type Item, versionOf } from '../../packages/server/src/wings/model/catalog/index.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { openShop, type Shop } from '../../packages/server/testing/vendors/shop.ts'
import { item } from '../feeds/item.ts'
import { percentile } from '../program.ts'
import { createDatabase } from '../webhooks/database.ts'

const sizes = { embedded: [30_000, 100_000], PostgreSQL: [100_000] }
const rowsAtOnce = 500
const pingMs = 5
const limits = { SVC_RATE_LIMIT_READ: '100000000', SVC_RATE_LIMIT_WRITE: '100000000' }

/**
 * Syncs a feed in Google's XML from a shop on this machine: all items new, one percent changed, one item changed. Beside
 * it, the same rows in a table without indexes, in batches of 500 that are a transaction each. Meanwhile, a query asks for
 * nothing every 5 ms.
 *
 * @param options.millions instead of the usual numbers of items
 */
export async function run({ millions }: { millions?: string | undefined }): Promise<void> {
  console.log(
    `\n## Catalog: ${cpus().length} cores shared by shop, service and database, Node ${process.version}\n\n| database | items | first sync s | items/s | processor s | plain insert s | first / plain | 1 % changed s | / first | one changed s | longest wait of a query ms | p99 ms | longest pause of the process ms | memory +MB |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|`,
  )
  const wanted = millions?.split(',').map((each) => Number(each) * 1_000_000)
  for (const size of wanted ?? sizes.embedded) await measure('embedded', undefined, size)
  for (const size of wanted ?? sizes.PostgreSQL) {
    const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on', shared_buffers: '512MB' })
    try {
      await measure('PostgreSQL', await createDatabase(cluster.url), size)
    } finally {
      await cluster.stop()
    }
  }
}

async function measure(name: string, url: string | undefined, size: number): Promise<void> {
  const shop = await openShop()
  const site = await open(url, shop)
  const { service, synced } = site
  const { db } = service.database
  try {
    const plain = await seconds(() => insertPlainly(db, size))
    await sql`drop table plain_items`.execute(db)
    shop.serve(feedOf(size, () => ({})))
    const memory = process.memoryUsage.rss()
    const watch = watched(db)
    const cpu = process.cpuUsage()
    const first = await synced({ added: size })
    const { user, system } = process.cpuUsage(cpu)
    const { waits, pauses, mostBytes } = await watch.stop()
    shop.serve(feedOf(size, (at) => (at % 100 === 0 ? { price: 209_900 + at } : {})))
    const some = await synced({ changed: Math.ceil(size / 100) })
    shop.serve(feedOf(size, (at) => (at % 100 === 0 ? { price: (at === 0 ? 219_900 : 209_900) + at } : {})))
    const one = await synced({ changed: 1 })
    const cells = [
      ...[name, size.toLocaleString('en'), first.toFixed(1), Math.round(size / first).toLocaleString('en')],
      ...[((user + system) / 1e6).toFixed(1), plain.toFixed(1), (first / plain).toFixed(2)],
      ...[some.toFixed(1), (some / first).toFixed(2), one.toFixed(1)],
      ...[Math.max(...waits).toFixed(0), percentile(waits, 0.99).toFixed(0), pauses.toFixed(0)],
      Math.round((mostBytes - memory) / 1e6),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  } finally {
    await site.close()
    await shop.close()
  }
}

const feedOf = (size: number, more: (at: number) => Partial<Item>): string =>
  writers.GOOGLE_XML(Array.from({ length: size }, (_, at) => ({ ...item(at), ...more(at) })))

async function open(url: string | undefined, shop: Shop) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-catalog-'))
  const secret = `svc_svc_${randomBytes(32).toString('base64url')}`
  const bootstrap = join(folder, 'provisioning.json')
  const token = { name: 'bench', secret, scopes: ['admin:*'], expiresAt: null }
  await writeFile(
    bootstrap,
    JSON.stringify({ organizations: [{ name: 'Bench', projects: [], members: [], serviceTokens: [token] }] }),
  )
  const settings = {
    ...{ SVC_DATA_DIR: join(folder, 'data'), SVC_SECRET_KEY: randomBytes(32).toString('base64url'), ...limits },
    ...{ SVC_BOOTSTRAP_FILE: bootstrap, ...(url && { SVC_DATABASE_URL: url }) },
  }
  const service = await compose(readConfig(settings).config, pino({ level: 'silent' }), { outbound: shop.outbound })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await service.app.inject({
      method,
      url: path,
      headers,
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer.json().data
  }
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop' })
  const address = `/api/v1/projects/${id}`
  await call('POST', `${address}/catalog/sources`, { name: 'Feed', type: 'PRODUCTS', url: shop.url })
  return {
    service,
    /** How many seconds a sync takes, from the request to its end. Fails unless it comes to these changes. */
    async synced(changes: object): Promise<number> {
      const begun = performance.now()
      const job = await call('POST', `${address}/catalog/sources/feed/sync`)
      await service.jobs.run()
      const took = (performance.now() - begun) / 1000
      const { status, reason, result } = await call('GET', `${address}/commerce/jobs/${job.id}`)
      for (const [what, count] of Object.entries(changes))
        if (result?.catalog[what] !== count) throw new Error(`${status} ${reason} ${JSON.stringify(result)}`)
      return took
    },
    async close() {
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** How long queries and the process itself wait until it is stopped. */
function watched(db: Db) {
  const pauses = monitorEventLoopDelay({ resolution: 1 })
  pauses.enable()
  const waits: number[] = []
  let mostBytes = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now()
      await sql`select 1`.execute(db)
      waits.push(performance.now() - begun)
      mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
      await pause(pingMs)
    }
  })()
  return {
    async stop() {
      isOver = true
      await asking
      pauses.disable()
      return { waits, pauses: pauses.max / 1e6, mostBytes }
    },
  }
}

async function insertPlainly(db: Db, size: number): Promise<void> {
  await sql`create table plain_items as select item_id, product_id, hash, category, price, availability, words, doc
    from catalog_items limit 0`.execute(db)
  const projectId = '00000000-0000-7000-8000-000000000000'
  for (let from = 0; from < size; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, size - from) }, (_, at) =>
      versionOf(projectId, item(from + at)),
    )
    const column = (valueIn: (row: (typeof rows)[number]) => string, type: RawBuilder<unknown>) =>
      sql`unnest(${textColumn(rows, valueIn)}::${type}[])`
    const text = sql`text`
    await sql`insert into plain_items select ${column((row) => row.itemId, text)}, ${column((row) => row.productId, text)},
      ${column((row) => row.hash, text)}, ${column((row) => row.category, text)},
      ${column((row) => String(row.price), sql`numeric`)}, ${column((row) => row.availability, text)},
      ${column((row) => row.words, sql`tsvector`)}, ${column((row) => row.doc, sql`jsonb`)}`.execute(db)
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
