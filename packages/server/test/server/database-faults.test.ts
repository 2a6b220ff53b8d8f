import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, execute, startCluster } from '../../testing/databases/postgres.ts'
import { onDatabase } from '../../testing/databases/templates.ts'
import { newFlag, type TestFlag } from '../../testing/flags.ts'
import { isFull } from '../../testing/full.ts'
import { type SlowLink, slowLink } from '../../testing/processes/slow-link.ts'
import { scratchFolder } from '../../testing/scratch.ts'
import {
  type Answer,
  createProject,
  dataFile,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../../testing/service.ts'

const cuts = isFull ? 60 : 3
const cutIntervalMs = isFull ? 1_000 : 300
/** The minimum time for which the server is down or frozen. */
const outageMs = isFull ? 30_000 : 0
/** A full run has the machine to itself. Otherwise, other tests take most of the processors. */
const recoveryLimitMs = isFull ? 5_000 : 60_000
/** Connections of each node: ten in the pool and the one that listens. */
const mostConnections = 11
const workers = 8

let cluster: Cluster
let folder: string
let nodes: TestService[]
let project: TestProject
let flags: TestFlag[]
/** Revisions that answers have named. None of them may be lost. */
const acknowledged: number[] = []
/** Batches of events that were answered with 202, and those that wait to be sent again. */
const taken: Event[][] = []
const refused: Event[][] = []
const eventsOfBatch = 20

beforeAll(async () => {
  // The default of PostgreSQL: commits survive a crash.
  cluster = await startCluster({ synchronous_commit: 'on' })
  folder = await scratchFolder('svc-faults')
  await execute(cluster.url, 'create database svc')
  const first = await startTestService({
    address: { url: onDatabase(cluster.url, 'svc'), dataDir: folder },
    settings: { SVC_RATE_LIMIT_EVENTS: '1000000' },
  })
  nodes = [first, await joinTestService(first)]
  project = await createProject(first)
  flags = []
  for (let index = 0; index < workers; index += 1) flags.push(await newFlag(first, project, { key: `flag-${index}` }))
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close()
  await cluster.stop()
  await rm(folder, { recursive: true })
})

/** Each worker has its own flag and uses one of the nodes in turn. */
const nodeOf = (worker: number) => nodes[worker % nodes.length]!
const read = (worker: number) => nodeOf(worker).call(nodes[0]!.people.admin, 'GET', flags[worker]!.path)
const isReady = async (node: TestService) => (await node.call(null, 'GET', '/readyz')).status === 200

async function flip(worker: number, verb: 'run' | 'pause'): Promise<Answer> {
  const answer = await nodeOf(worker).call(nodes[0]!.people.admin, 'POST', `${flags[worker]!.production}/${verb}`)
  if (answer.body.data?.changed) acknowledged.push(answer.body.data.dataFile.revision)
  return answer
}

const newEvent = () => ({ type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' })
type Event = ReturnType<typeof newEvent>

/** Sends events to either node as an SDK does: a batch that was not accepted is sent again with the same ids. */
async function report(worker: number): Promise<void> {
  const events = refused.pop() ?? Array.from({ length: eventsOfBatch }, newEvent)
  const { sdkKey } = project.production
  const answer = await nodeOf(worker).call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events })
  if (answer.status === 202) {
    expect(answer.body.accepted + answer.body.duplicates).toBe(events.length)
    taken.push(events)
  } else {
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2'])
    refused.push(events)
  }
}

const all = <Result>(act: (worker: number) => Promise<Result>) => Promise.all(flags.keys().map(act))

/** Expects success or the one refusal that says to try again. */
function expectAnswered({ status, headers, body }: Answer): void {
  if (status === 200) return
  const error = { code: 'unavailable', message: expect.any(String), requestId: expect.any(String) }
  expect({ status, retryAfter: headers['retry-after'], body }).toEqual({
    status: 503,
    retryAfter: '1',
    body: { error: expect.objectContaining(error) },
  })
}

const expectServed = (node: TestService) => expect(dataFile(node, project.production.sdkKey)).resolves.toBeDefined()

/** All workers read, write and fetch the data file during the fault. Expects recovery soon after it. */
async function whileAllWork(name: string, fault: () => Promise<unknown>): Promise<void> {
  const counts = { done: 0, refused: 0 }
  let endedAt = Number.POSITIVE_INFINITY
  const work = async (worker: number) => {
    for (let turn = 0; endedAt > performance.now(); turn += 1) {
      for (const answer of [await read(worker), await flip(worker, turn % 2 ? 'pause' : 'run')]) {
        expectAnswered(answer)
        counts[answer.status === 200 ? 'done' : 'refused'] += 1
      }
      await report(worker)
      await expectServed(nodeOf(worker))
    }
  }
  const working = all(work)
  try {
    await Promise.race([fault(), working])
  } finally {
    endedAt = performance.now()
    await working
  }
  const times = await expectRecovery(endedAt)
  console.info(`D1 ${name}: ${counts.done} done, ${counts.refused} refused; ${times}`)
}

const cut = (which: string) =>
  execute(
    cluster.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = 'svc' and application_name = 'svc' and ${which}`,
  )

async function expectRecovery(since: number): Promise<string> {
  const withinLimit = () => ({ timeout: Math.max(0, recoveryLimitMs - (performance.now() - since)), interval: 10 })
  const times: string[] = []
  const note = (what: string) => times.push(`${what} after ${Math.round(performance.now() - since)} ms`)
  for (const node of nodes) await expect.poll(() => isReady(node), withinLimit()).toBe(true)
  note('ready')
  // First the commits during the fault, then a write on one node that must reach the others.
  await expectAgreement(withinLimit)
  note('nodes agree')
  for (const worker of [0, 1])
    await expect.poll(async () => (await flip(worker, 'run')).status, withinLimit()).toBe(200)
  await expectAgreement(withinLimit)
  note('write and agree')
  await expectNothingLost()
  await expectNoLeak()
  return times.join(', ')
}

async function expectAgreement(withinLimit: () => { timeout: number; interval: number }): Promise<void> {
  const { etag } = await publishedFile()
  for (const node of nodes)
    await expect.poll(async () => (await node.call(null, 'GET', url())).headers.etag, withinLimit()).toBe(etag)
}

const url = () => `/api/sdk/v1/datafile/${project.production.sdkKey}.json`

async function publishedFile(): Promise<{ etag: string; revision: number }> {
  const { rows } = await sql<{ etag: string; revision: number }>`
    select etag, revision from environments where id = ${project.production.id}`.execute(nodes[0]!.db)
  return rows[0]!
}

/** Expects every acknowledged revision and event exactly once, and data files that agree with the API. */
async function expectNothingLost(): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    select revision from revisions where env_id = ${project.production.id}`.execute(nodes[0]!.db)
  const revisions = new Set(rows.map(({ revision }) => revision))
  expect(acknowledged.filter((revision) => !revisions.has(revision))).toEqual([])
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  while (refused.length > 0) await report(refused.length)
  const stored = await sql<{ id: string }>`select id from tracked_events`.execute(nodes[0]!.db)
  expect(stored.rows.map(({ id }) => id).sort()).toEqual(taken.flatMap((events) => events.map(({ id }) => id)).sort())
  const file = await dataFile(nodes[1]!, project.production.sdkKey)
  const shown = (await all(read)).map(({ body }) => body.data)
  for (const { key, environments } of shown)
    expect(file.flags[key].enabled).toBe(
      environments.find(({ envId }: { envId: string }) => envId === project.production.id).enabled,
    )
}

/** Requests more than all connections at once, and expects them to be returned. */
async function expectNoLeak(): Promise<void> {
  // On a busy machine, the last of them can wait longer than a request does. A leak would never end.
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => all(read)))
    return [...new Set(answers.flat().map(({ status }) => status))]
  }
  await expect.poll(statuses).toEqual([200])
  const connections = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and application_name = 'svc'`.execute(
      nodes[0]!.db,
    )
    return rows[0]!.count
  }
  // The server counts a connection that was cut until its process has ended.
  await expect.poll(connections).toBeLessThanOrEqual(nodes.length * mostConnections)
}

describe('D1 the service answers in its format, serves data files and recovers when', { timeout: 600_000 }, () => {
  test(`all or some connections are cut ${cuts} times`, async () => {
    await whileAllWork(`${cuts} times cut`, async () => {
      for (let count = 0; count < cuts; count += 1) {
        await pause(cutIntervalMs)
        await cut(count % 2 ? 'true' : 'random() < 0.5')
      }
    })
  })

  test('the database is killed and restarted', async () => {
    await whileAllWork('killed', async () => {
      await cluster.kill()
      for (const node of nodes) await expect.poll(() => isReady(node)).toBe(false)
      for (const answer of await all(read)) expect(answer.status).toBe(503)
      await pause(outageMs)
      await cluster.start()
    })
  })

  test('the database hangs: calls without a free connection are refused in seconds, and the others succeed', async () => {
    const waiting: Promise<Answer>[] = []
    await whileAllWork('hung', async () => {
      cluster.freeze()
      const frozen = pause(outageMs)
      waiting.push(...Array.from({ length: mostConnections + 4 }, () => read(0)))
      const first = await Promise.race(waiting)
      expect([first.status, first.body.error.code]).toEqual([503, 'unavailable'])
      for (const node of nodes) await expectServed(node)
      await frozen
      cluster.thaw()
    })
    for (const answer of await Promise.all(waiting)) expectAnswered(answer)
  })

  test('the database is slower by 200 ms', () =>
    withSlowNode(async (link) => {
      await whileAllWork('slow', async () => {
        link.delayBy(100)
        const begun = performance.now()
        expect((await read(2)).status).toBe(200)
        expect(performance.now() - begun).toBeGreaterThan(200)
        link.delayBy(0)
      })
    }))

  test('connections for reading are cut but those for notices are not', () =>
    withSlowNode(async (link) => {
      link.delayBy(100)
      expect((await flip(0, 'pause')).status).toBe(200)
      expect((await flip(0, 'run')).status).toBe(200)
      // The slow node cannot read the file meanwhile.
      const endsAt = performance.now() + 1_500
      while (performance.now() < endsAt) await cut("query not ilike 'listen%'")
      link.delayBy(0)
      const times = await expectRecovery(performance.now())
      console.info(`D1 notices alone left: ${times}`)
    }))
})

async function withSlowNode(work: (link: SlowLink) => Promise<void>): Promise<void> {
  const link = await slowLink(onDatabase(cluster.url, 'svc'))
  const { settings } = nodes[0]!
  const far = await joinTestService({ ...nodes[0]!, settings: { ...settings, SVC_DATABASE_URL: link.url } })
  nodes.push(far)
  await work(link)
  nodes.pop()
  await far.close()
  await link.close()
}
