// One contender in its own process: sends deliveries at a fixed rate, then prints as JSON how many milliseconds each
// took until its request reached the receiver. The first seconds are left out.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { systemActor } from '../../packages/server/src/platform/outbox.ts'
import { createDatabase } from './database.ts'
import { openQueue, projects } from './queue.ts'

export type LatencyName = 'undici' | 'svc-server' | 'svc-embedded'

const endpoints = 20
const perChange = endpoints / projects
const warmUpMs = 2_000
const settleMs = 2_000
const filler = 'x'.repeat(700)

const [name, rate, seconds, port, clusterUrl] = process.argv.slice(2) as [LatencyName, string, string, string, string]
const origin = `https://localhost:${port}/timed`
const pool = new Pool(`https://localhost:${port}`, { connections: 64, pipelining: 1 })

/** The time from which each delivery can be sent, by the id that the receiver sees. */
type Departures = Map<string, bigint>

const contenders: Record<LatencyName, () => Promise<Departures>> = {
  async undici() {
    const departures: Departures = new Map()
    await atRate(Number(rate), async () => {
      const id = newId()
      departures.set(id, process.hrtime.bigint())
      const headers = { 'content-type': 'application/json', 'x-svc-delivery-id': id }
      const answer = await pool.request({ path: '/timed/0', method: 'POST', headers, body: `"${filler}"` })
      await answer.body.dump()
    })
    return departures
  },
  'svc-server': async () => svc(await createDatabase(clusterUrl)),
  'svc-embedded': () => svc(undefined),
}

const departures = await contenders[name]()
const arrivals = (await (await pool.request({ path: '/', method: 'GET' })).body.json()) as [string, string][]
const begin = [...departures.values()].reduce((one, other) => (other < one ? other : one))
const took = arrivals.flatMap(([id, atNs]) => {
  const from = departures.get(id)!
  return Number(from - begin) / 1e6 < warmUpMs ? [] : [Number(BigInt(atNs) - from) / 1e6]
})
process.stdout.write(JSON.stringify({ took, sent: Number(rate) * Number(seconds), arrived: arrivals.length }))
await pool.close()

/** Records changes as the product does. Each goes to the endpoints of its project. */
async function svc(url: string | undefined): Promise<Departures> {
  const commits = new Map<string, bigint>()
  /** By transaction, because several are under way. */
  const recorded = new WeakMap<object, string>()
  const note = async (tx: object, [event]: { id: string }[]) => {
    recorded.set(tx, event!.id)
  }
  const queue = await openQueue({ url, origin, endpoints, subscribers: [note] })
  const author = queue.authorOf(systemActor('bench'))
  await queue.start(() => {}, console.error)
  let changes = 0
  await atRate(Number(rate) / perChange, () => {
    const { orgId, projectId } = queue.endpoints[changes % projects]!
    changes += 1
    return queue.database.db.transaction().execute(async (tx) => {
      const flag = { id: newId(), shortId: 1, key: 'flag', name: 'Flag', status: 'RUNNING' as const }
      const payload = {
        environment: { id: newId(), name: 'Production' },
        dataFile: { revision: 2, previousRevision: 1, etag: '"1"', url: 'https://localhost/datafile' },
        flags: [{ ...flag, before: null, after: { filler } }],
      }
      await author.record(tx, {
        orgId,
        projectId,
        action: 'flag.update',
        object: { type: 'flag', id: flag.id, name: flag.name },
        events: [{ name: 'flag.published', payload }],
      })
      // The commit starts now.
      commits.set(recorded.get(tx)!, process.hrtime.bigint())
    })
  })
  const { rows } = await sql<{ id: string; eventId: string }>`
    select delivery_id as id, event_id as "eventId" from deliveries`.execute(queue.database.db)
  await queue.stop()
  await queue.close()
  return new Map(rows.map(({ id, eventId }) => [id, commits.get(eventId)!]))
}

/** Starts work at a fixed rate, whether or not earlier work has finished. Failed work does not arrive. */
async function atRate(perSecond: number, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now()
  const total = perSecond * Number(seconds)
  const works: Promise<unknown>[] = []
  while (works.length < total) {
    const due = Math.min(total, ((performance.now() - startedMs) / 1000) * perSecond)
    while (works.length < due) works.push(work().catch(() => {}))
    await pause(1)
  }
  await Promise.all(works)
  await pause(settleMs)
}
