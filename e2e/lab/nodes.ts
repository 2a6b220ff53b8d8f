import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import {
  type Api,
  type DeliveryRecord,
  type Hook,
  newFlag,
  newHook,
  projectPath,
  reaches,
  recordsOf,
  settled,
  theRecord,
} from './api.ts'
import { startClock } from './clock.ts'
import { countOf } from './counts.ts'
import { type Arrival, hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { drainEach } from './draining.ts'
import { breaches } from './invariants.ts'
import { type Fault, runEach, since } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: several nodes of one site, on a PostgreSQL server.

const leaseMs = 30_000
const workers = 4
const longHooks = 3
/** What all workers claim ahead, 192 each, must be less than these deliveries to three queues. */
const changesOfLong = 600
const shortHooks = 40
const flagsOfShort = 5
// The most that all workers can have claimed of the long queues when the short ones come: 64 of each.
const claimedAhead = workers * longHooks * 64
const changedFlags = 20
const callers = 8

const customers = await startCustomers()
const clock = await startClock()
const cluster = await startCluster()
const secretKey = Buffer.alloc(32, 7).toString('base64url')
const site = await newSite({ SVC_DATABASE_URL: cluster.url, SVC_SECRET_KEY: secretKey })
const nodes = [await site.start(), await site.start()]
const project = await projectPath(nodes[0]!.api)
let flags = 0

const nextFlag = (api: Api) => {
  flags += 1
  return newFlag(api, project, `flag-${flags}`)
}

/** Runs several callers, each with one request at a time. */
async function inTurns(count: number, act: (turn: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    for (let turn = next++; turn < count; turn = next++) await act(turn)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const settledRecords = (api: Api, hook: Hook) =>
  reaches(
    `the end of ${hook.host}`,
    () => recordsOf(api, hook),
    (records) => records.every(settled),
  )

const newHooks = (count: number, from: number, event: string): Promise<Hook[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => newHook(nodes[0]!.api, project, hostOf(from + index), [event])),
  )

/** Fills long queues, makes all of them due again at once, and adds 200 deliveries to short queues. */
async function shareQueue(): Promise<Fault> {
  while (nodes.length < workers) nodes.push(await site.start())
  const { api } = nodes[0]!
  const anyNode = (turn: number) => nodes[turn % workers]!.api
  const changed: string[] = []
  await inTurns(changedFlags, async (turn) => changed.push((await nextFlag(anyNode(turn))).id))
  const long = await newHooks(longHooks, 0, 'flag.updated')
  await inTurns(changesOfLong, (turn) =>
    anyNode(turn).call('PATCH', `${project}/flags/${changed[turn % changedFlags]}`, { name: `Name ${turn}` }),
  )
  const isLong = ({ host }: Arrival) => long.some((hook) => hook.host === host)
  const queued = longHooks * changesOfLong
  await customers.until('the first time', () => customers.arrivals.length >= queued)
  for (const hook of long) await settledRecords(api, hook)
  const twiceAtFirst = twice(customers.arrivals)
  const short = await newHooks(shortHooks, longHooks, 'flag.created')

  const mark = customers.arrivals.length
  const range = { since: new Date(0).toISOString(), until: new Date(Date.now() + 1_000).toISOString() }
  const startMs = performance.now()
  const acknowledged: string[] = []
  const acknowledgedAt: number[] = []
  const [restarted] = await Promise.all([
    Promise.all(
      long.map(({ path }) => api.call('POST', `${path}/deliveries/replay`, { ...range, includeDelivered: true })),
    ),
    inTurns(flagsOfShort, async (turn) => {
      acknowledged.push((await nextFlag(anyNode(turn))).id)
      acknowledgedAt.push(Date.now())
    }),
  ])
  const all = queued + shortHooks * flagsOfShort
  await customers.until('every delivery', () => customers.arrivals.length >= mark + all)
  const tookMs = since(startMs)
  const shortRecords = await Promise.all(
    short.map(async (hook) => ({ hook, records: await settledRecords(api, hook) })),
  )
  const longRecords = await Promise.all(long.map(async (hook) => ({ hook, records: await settledRecords(api, hook) })))
  const contested = customers.arrivals.slice(mark)
  // Establishing a connection takes time. The timestamp shows when an attempt started.
  const begun = contested.toSorted((one, other) => one.signedAt.getTime() - other.signedAt.getTime())
  const longAt = begun.filter(isLong).map(({ signedAt }) => signedAt.getTime())
  const overtaken = begun
    .filter((arrival) => !isLong(arrival))
    .map(({ flagId, signedAt }) => {
      const since = acknowledgedAt[acknowledged.indexOf(flagId!)]!
      return longAt.filter((at) => at > since && at < signedAt.getTime()).length
    })
    .toSorted((one, other) => one - other)
  // The median: a node that gets no processor time for a moment delays what it has claimed.
  const usual = overtaken[Math.floor(overtaken.length / 2)]!
  const waiting = begun.length - 1 - begun.findLastIndex((arrival) => !isLong(arrival))
  // On a busy machine, the last flag can be made when the long queues have almost ended.
  const left = longAt.filter((at) => at > Math.max(...acknowledgedAt)).length
  for (const hook of [...long, ...short]) await api.call('DELETE', hook.path)
  const replayed = restarted.reduce((sum, { replayed }) => sum + replayed, 0)
  return {
    violations: [
      ...breaches({ customers, hooks: shortRecords, acknowledged, now: new Date(), failures: api.failures() }),
      ...undelivered(
        longRecords.flatMap(({ records }) => records),
        contested,
      ),
      ...unless(twiceAtFirst === 0, `${twiceAtFirst} were sent twice`),
      ...unless(twice(contested) === 0, `${twice(contested)} were sent twice when all were due`),
      ...unless(replayed === queued, `${replayed} were due at once`),
      ...unless(usual <= claimedAhead, `half of the short queues waited for ${usual} of long ones`),
      ...unless(waiting > 0 || left <= claimedAhead, `the short queues ended last, with ${left} of long ones to go`),
    ],
    numbers: {
      sent: contested.length,
      tookMs,
      longAheadOfShort: usual,
      longAheadOfLastShort: overtaken.at(-1)!,
      longAfterShort: waiting,
      longAfterLastFlag: left,
    },
  }
}

const twice = (arrivals: readonly Arrival[]) => arrivals.length - new Set(arrivals.map(({ id }) => id)).size

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

function undelivered(records: readonly DeliveryRecord[], arrivals: readonly Arrival[]): string[] {
  const received = new Set(arrivals.map(({ id }) => id))
  const wrong = records.filter(({ status, deliveryId }) => status !== 'DELIVERED' || !received.has(deliveryId))
  return unless(wrong.length === 0, `I1: ${wrong.length} of the long queues were not delivered`)
}

async function drainUnderLoad(dice: Dice): Promise<Fault> {
  const hook = await newHook(nodes[0]!.api, project, hostOf(50), ['flag.created'])
  const drains = countOf('drains')
  const start = () => site.start()
  const { violations, acknowledged, ...numbers } = await drainEach(
    { nodes, start, drains, flagsPath: `${project}/flags` },
    dice,
  )
  const { api } = nodes[0]!
  const records = await settledRecords(api, hook)
  const after = { customers, hooks: [{ hook, records }], acknowledged, now: new Date(), failures: api.failures() }
  const sent = customers.at(hook.host).length
  await api.call('DELETE', hook.path)
  return {
    violations: [
      ...violations,
      ...breaches(after),
      ...unless(sent === records.length, `${sent} sent of ${records.length}`),
    ],
    numbers: { drains, requests: acknowledged.length, ...numbers },
  }
}

async function outliveLease(): Promise<Fault> {
  for (const node of nodes.splice(0)) await node.kill()
  const sleeper = await site.start(clock.settings)
  const hook = await newHook(sleeper.api, project, hostOf(51), ['flag.created'])
  const answer = Promise.withResolvers<number>()
  customers.answer(hook.host, () => (customers.at(hook.host).length === 1 ? answer.promise : 200))
  const { id } = await nextFlag(sleeper.api)
  await customers.until('the attempt', () => customers.at(hook.host).length === 1)
  sleeper.signal('SIGSTOP')
  const other = await site.start(clock.settings)
  await clock.move(leaseMs)
  await customers.until('the other node', () => customers.at(hook.host).length === 2)
  const before = await theRecord(other.api, hook, settled)
  sleeper.signal('SIGCONT')
  answer.resolve(500)
  await customers.until('the late answer', () => customers.at(hook.host)[0]!.status === 500)
  // The node settles its deliveries before it exits.
  const { code } = await sleeper.stop()
  const records = await recordsOf(other.api, hook)
  const isUnchanged = JSON.stringify(records) === JSON.stringify([before])
  const after = { customers, hooks: [{ hook, records }], acknowledged: [id], now: clock.now(), crashed: true }
  await other.stop()
  return {
    violations: [
      ...breaches(after),
      ...(isUnchanged ? [] : [`the woken node wrote ${JSON.stringify(records)} over ${JSON.stringify(before)}`]),
      ...(code === 0 ? [] : [`the woken node ended with ${code}`]),
    ],
    numbers: { sent: customers.at(hook.host).length, attempts: before.attempts },
  }
}

await runEach(
  { ...(isFull && { W5: shareQueue }), W3: drainUnderLoad, ...(isFull && { W4: outliveLease }) },
  cluster.stop,
)
