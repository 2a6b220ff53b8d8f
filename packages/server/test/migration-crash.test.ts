import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, migrate, openDatabase } from '../src/platform/db/index.ts'
import { verifyChains } from '../src/wings/record/audit/index.ts'
import type { Address } from '../testing/databases/address.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { isFull } from '../testing/full.ts'
import { nodeFlags } from '../testing/processes/node-flags.ts'
import { startProcess } from '../testing/processes/process.ts'
import { scratchFolder } from '../testing/scratch.ts'
import { startTestService, type TestService } from '../testing/service.ts'

const points = isFull ? 20 : 2
/**
 * A crash undoes the one transaction of all migrations, whatever they do. Their statements are the same on both databases,
 * so the embedded one gets the upgrade of a whole service, and the server the one that moves most rows. A full run does
 * all three on both.
 */
const { kind } = inject('databaseTemplates')
/** With all of them, one copy of the database takes seconds. */
const deliveries = isFull ? 1_000_000 : 2_000
const node = new URL('../testing/databases/migrate.ts', import.meta.url).pathname
const files = new URL('../migrations', import.meta.url)
const names = (await readdir(files)).sort()
const rowsOfVersion2 = new URL('version-2.sql', import.meta.url)

/** The first migration that knows destinations of other kinds than webhooks. */
const destinationsFrom = names.findIndex((name) => name.startsWith('0044'))

/** Contains the migrations of version 2, of the last version that had only webhooks, and of a future version. */
let folder: string
beforeAll(async () => {
  folder = await scratchFolder('svc-migrations')
  for (const version of ['old', 'webhooks', 'newer']) await cp(files, join(folder, version), { recursive: true })
  for (const name of names.slice(2)) await rm(join(folder, 'old', name))
  for (const name of names.slice(destinationsFrom)) await rm(join(folder, 'webhooks', name))
  await writeFile(join(folder, 'newer', '9999-to-come.sql'), 'create table to_come (id int)')
})
afterAll(() => rm(folder, { recursive: true }))

async function migrateTo(version: 'old' | 'webhooks' | 'newer', address: Address, rows?: string): Promise<void> {
  const database = await openDatabase({ ...address, log: quiet })
  await migrate(database, { folder: join(folder, version) })
  if (rows) await database.unhurried((db) => sql.raw(rows).execute(db))
  await database.close()
}

/** Returns how long the migration took; undefined if it was killed before its end. */
async function migrateInProcess({ url = '', dataDir }: Address, killAfterMs?: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [...nodeFlags, node, url, '', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  await once(child.stderr, 'data')
  const begun = performance.now()
  const finished = once(child.stdout, 'data').then(() => performance.now() - begun)
  const killed = killAfterMs === undefined ? finished : Promise.race([finished, pause(killAfterMs)])
  const took = await killed
  if (killAfterMs !== undefined) child.kill('SIGKILL')
  await exited
  return took ?? undefined
}

/** The migrations that the service applied at its start. */
function appliedAtStart(service: TestService): string[] {
  const lines = service.logged().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'migrated the database')?.applied ?? []
}

/** Expects all data of version 2. The first start has published the data file again, with short ids. */
async function expectVersion2(service: TestService): Promise<void> {
  const token = `svc_svc_${'A'.repeat(43)}`
  const path = '/api/v1/projects/01980000-0000-7000-8000-000000000003'
  const read = async (what: string) => (await service.call(token, 'GET', `${path}/${what}`)).body.data
  expect(await read('flags')).toMatchObject([{ key: 'kept', status: 'RUNNING' }])
  const [webhook] = await read('webhooks')
  expect(webhook).toMatchObject({ name: 'Chat', events: ['flag.updated'] })
  expect(await read(`webhooks/${webhook.id}/deliveries`)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  const { rows } = await sql<{ etag: string }>`
    select etag from environments where id = '01980000-0000-7000-8000-000000000005'`.execute(service.db)
  const file = await service.call(null, 'GET', `/api/sdk/v1/datafile/sdk_${'A'.repeat(32)}.json`)
  expect(file.body).toMatchObject({ revision: 8, flags: { kept: { enabled: true } } })
  expect(file.headers.etag).toBe(rows[0]!.etag)
  const chains = await verifyChains(service.db, '01980000-0000-7000-8000-000000000001')
  expect(chains).toMatchObject([{ entries: 500, broken: null }])
}

const copyDeliveries = `
  insert into deliveries
  select (jsonb_populate_record(delivery, jsonb_build_object('id', gen_random_uuid(), 'delivery_id', gen_random_uuid()))).*
  from deliveries as delivery, generate_series(2, ${deliveries})`

/** Everything of the deliveries that an upgrade must keep, in one value. */
async function digestOf(database: Database, webhookId: string): Promise<unknown> {
  const { rows } = await database.unhurried((db) =>
    sql`
    select count(*)::integer as count, md5(string_agg(md5(concat_ws('|', id, ${sql.ref(webhookId)}, delivery_id, event_type,
      body, status, attempts, created_at)), '' order by id)) as digest from deliveries`.execute(db),
  )
  return rows[0]
}

let before: unknown
async function withManyDeliveries(address: Address): Promise<void> {
  await migrateTo('old', address, await readFile(rowsOfVersion2, 'utf8'))
  await migrateTo('webhooks', address, copyDeliveries)
  const database = await openDatabase({ ...address, log: quiet })
  before = await digestOf(database, 'webhook_id')
  await database.close()
}

async function expectManyDeliveries({ database }: TestService): Promise<void> {
  const after = await digestOf(database, 'destination_id')
  expect(after).toEqual(before)
  expect(after).toMatchObject({ count: deliveries })
}

const upgrades = [
  {
    what: 'the first migration',
    on: undefined,
    pending: names,
    prepare: async () => undefined,
    check: async () => undefined,
  },
  {
    what: 'an upgrade from version 2',
    on: 'embedded',
    pending: names.slice(2),
    prepare: async (address: Address) => migrateTo('old', address, await readFile(rowsOfVersion2, 'utf8')),
    check: expectVersion2,
  },
  {
    what: `the move of webhooks with ${deliveries} deliveries`,
    on: 'server',
    pending: names.slice(destinationsFrom),
    prepare: withManyDeliveries,
    check: expectManyDeliveries,
  },
]

test.each(upgrades.filter(({ on }) => isFull || on === kind))(
  `D3 the next start completes $what after kill -9 at ${points} points`,
  { timeout: isFull ? 1_800_000 : 480_000 },
  async ({ what, pending, prepare, check }) => {
    const original = await createTestDatabase('blank')
    await prepare(original.address)
    const whole = await createTestDatabase(original.address)
    const tookMs = (await migrateInProcess(whole.address))!
    await whole.remove()
    const outcomes: string[] = []
    // On a busy machine, every kill can come after the end. Then the points are repeated, until one is in time.
    for (let point = 0; point < points || !outcomes.includes('done again'); point += 1) {
      const { address, remove } = await createTestDatabase(original.address)
      await migrateInProcess(address, (tookMs * (point % points)) / points)
      const service = await startTestService({ address })
      const applied = appliedAtStart(service)
      // Either all migrations or none had been applied.
      expect([[], pending]).toContainEqual(applied)
      await check(service)
      outcomes.push(applied.length > 0 ? 'done again' : 'was done')
      await service.close()
      await remove()
    }
    await original.remove()
    console.info(`D3 ${what}: ${points} kills within ${Math.round(tookMs)} ms: ${outcomes.join(', ')}`)
    expect(outcomes).toContain('done again')
  },
)

if (isFull || kind === 'server')
  test('D3 a database of a newer version is refused in one line and stays unchanged', async () => {
    const { address, remove } = await createTestDatabase('blank')
    await migrateTo('newer', address)
    const key = 'A'.repeat(43)
    const settings = {
      SVC_DATA_DIR: address.dataDir,
      ...(address.url && { SVC_DATABASE_URL: address.url, SVC_SECRET_KEY: key }),
    }
    await expect(startProcess(settings)).rejects.toThrow(
      /: svc: migration 9999-to-come.sql was applied to this database but is missing here: is this an older release\?\n$/,
    )
    await migrateTo('newer', address)
    await remove()
  })
