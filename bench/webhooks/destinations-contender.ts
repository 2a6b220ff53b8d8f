// One contender in its own process: sends each change to every chat, then prints as JSON how many milliseconds each
// message took until it reached the receiver.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { migrate, openDatabase } from '../../packages/server/src/platform/db/index.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { openOutbound } from '../../packages/server/src/platform/outbound/index.ts'
import { authors, systemActor } from '../../packages/server/src/platform/outbox.ts'
import { sealWith } from '../../packages/server/src/platform/seal.ts'
import { fanOut } from '../../packages/server/src/wings/telling/deliveries/index.ts'
import { insertSecret } from '../../packages/server/src/wings/telling/destinations/index.ts'
import { integrationWorker } from '../../packages/server/src/wings/telling/integrations/index.ts'
import { insertIntegration } from '../../packages/server/src/wings/telling/integrations/queries.ts'
import { quiet } from '../../packages/server/testing/databases/templates.ts'
import { createDatabase } from './database.ts'

export type DestinationsName = 'undici' | 'svc-server' | 'svc-embedded'

const timeoutMs = 10_000
const settleMs = 5_000

const [name, chatCount, changeCount, every, port, clusterUrl] = process.argv.slice(2) as [
  DestinationsName,
  string,
  string,
  string,
  string,
  string,
]
const origin = `https://localhost:${port}`
const pathOf = (index: number) => `/chat/${index === 0 ? 'dead' : index === 1 ? 'limited' : index}`
const paths = Array.from({ length: Number(chatCount) }, (_, index) => pathOf(index))
const answering = paths.slice(2)
const flagOf = (change: number) => `change-${change}-of-the-checkout`

/** When each change was committed, by its number. */
type Commits = Map<number, bigint>

const contenders: Record<DestinationsName, () => Promise<Commits>> = {
  async undici() {
    const pool = new Pool(origin, { connections: 64, pipelining: 1 })
    const commits = await atEach(async (change, committed) => {
      committed()
      const body = JSON.stringify({ text: flagOf(change), filler: 'x'.repeat(500) })
      await Promise.all(
        answering.map(async (path) => {
          const answer = await pool.request({ path, method: 'POST', body })
          await answer.body.dump()
        }),
      )
    })
    await pool.close()
    return commits
  },
  'svc-server': async () => svc(await createDatabase(clusterUrl)),
  'svc-embedded': () => svc(undefined),
}

const commits = await contenders[name]()
const pool = new Pool(origin)
const arrivals = (await (await pool.request({ path: '/', method: 'GET' })).body.json()) as [string, string][]
// The first change warms up.
const took = arrivals.flatMap(([key, atNs]) => {
  const change = Number(key.split(' ')[1])
  return change === 0 ? [] : [Number(BigInt(atNs) - commits.get(change)!) / 1e6]
})
process.stdout.write(JSON.stringify({ took, sent: answering.length * (Number(changeCount) - 1) }))
await pool.close()

/** Runs the work for each change at its time. */
async function atEach(work: (change: number, committed: () => void) => Promise<unknown>): Promise<Commits> {
  const times: Commits = new Map()
  for (let change = 0; change < Number(changeCount); change += 1) {
    const next = pause(Number(every))
    await work(change, () => times.set(change, process.hrtime.bigint()))
    await next
  }
  await pause(settleMs)
  return times
}

async function svc(url: string | undefined): Promise<Commits> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const database = await openDatabase({ url, dataDir, log: quiet })
  await migrate(database)
  const seal = sealWith(randomBytes(32))
  const now = () => new Date()
  const outbound = openOutbound({ allowedHosts: new URL(origin).host, timeoutMs })
  const authorOf = authors([fanOut], now)
  const orgId = newId()
  await sql`insert into organizations (id, name, features, created_at) values (${orgId}, 'Bench', '{}', ${now()})`.execute(
    database.db,
  )
  await sql`
    insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
    values (${orgId}, ${orgId}, 1, 'bench', 'Bench', 'FEATURE_FLAG', ${now()}, ${now()})`.execute(database.db)
  await database.db.transaction().execute(async (tx) => {
    for (const path of paths) {
      const [id, secretId] = [newId(), newId()]
      await insertIntegration(tx, {
        ...{
          id,
          secretId,
          orgId,
          projectId: orgId,
          key: id,
          name: path,
          kind: 'SLACK',
          config: {},
          events: ['flag.updated'],
        },
        ...{ environmentIds: null, allProjects: false, template: null, digest: 'NONE', quietHours: false },
        ...{
          enabled: true,
          disabledAt: null,
          disableReason: null,
          consecutiveFailures: 0,
          heldUntil: null,
          version: 1,
        },
        ...{ createdAt: now(), updatedAt: now() },
      })
      const sealed = seal.seal(JSON.stringify({ url: `${origin}${path}` }), secretId)
      await insertSecret(tx, { id: secretId, destinationId: id, sealed }, now())
    }
  })
  const worker = integrationWorker({
    database,
    request: outbound.request,
    mailer: null,
    seal,
    baseUrl: 'https://svc.example',
    recipientsOf: async () => [],
    awaitsAnswer: async () => false,
    authorOf,
    settings: { ladderMs: [60_000], timeoutMs },
    observe: { attempted: () => {}, failed: console.error },
    now,
  })
  await worker.start()
  const author = authorOf(systemActor('bench'))
  const commits = await atEach(async (change, committed) => {
    await database.db.transaction().execute(async (tx) => {
      const flag = { id: newId(), shortId: 1, key: 'flag', name: flagOf(change), status: 'RUNNING' as const }
      await author.record(tx, {
        orgId,
        projectId: orgId,
        action: 'flag.update',
        object: { type: 'flag', id: flag.id, name: flag.name },
        events: [{ name: 'flag.updated', payload: { flag } }],
      })
      // The commit starts now.
      committed()
    })
  })
  await worker.stop()
  await outbound.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
  return commits
}
