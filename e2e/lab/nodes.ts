import { startCluster } from '../../packages/server/testing/postgres.ts'
import {
  type Api,
  flagBody,
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
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { type Fault, runEach, since } from './run.ts'
import { type Node, newSite } from './site.ts'

// Runs in the lab: several nodes of one site, on a PostgreSQL server.

const leaseMs = 30_000
const workers = 4
const sharedHooks = 20
const sharedEvents = 100
const drains = Number(process.env.LAB_DRAINS)
const callers = 4
const drainMs = 15_000

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

/** Several callers, each with one request at a time. */
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

async function shareQueue(): Promise<Fault> {
  while (nodes.length < workers) nodes.push(await site.start())
  const { api } = nodes[0]!
  const hooks: Hook[] = []
  for (let index = 0; index < sharedHooks; index += 1)
    hooks.push(await newHook(api, project, hostOf(1 + index), ['flag.created']))
  const startMs = performance.now()
  const acknowledged: string[] = []
  await inTurns(sharedEvents, async (turn) => acknowledged.push((await nextFlag(nodes[turn % workers]!.api)).id))
  await customers.until('every delivery', () => customers.arrivals.length >= sharedEvents * sharedHooks)
  const tookMs = since(startMs)
  const found = await Promise.all(hooks.map(async (hook) => ({ hook, records: await settledRecords(api, hook) })))
  const violations = breaches({ customers, hooks: found, acknowledged, now: new Date(), failures: api.failures() })
  const sent = customers.arrivals.length
  const twice = sent - new Set(customers.arrivals.map(({ id }) => id)).size
  const ends = hooks.map(({ host }) => customers.at(host).at(-1)!.atMs)
  for (const hook of hooks) await api.call('DELETE', hook.path)
  return {
    violations: [...violations, ...(twice > 0 ? [`${twice} were sent twice`] : [])],
    numbers: { sent, tookMs, betweenFirstAndLastEndpointMs: Math.round(Math.max(...ends) - Math.min(...ends)) },
  }
}

async function drainUnderLoad(dice: Dice): Promise<Fault> {
  for (const node of nodes.splice(2)) await node.stop()
  const violations: string[] = []
  const times: number[] = []
  const hook = await newHook(nodes[0]!.api, project, hostOf(40), ['flag.created'])
  const acknowledged: string[] = []
  let loading = true
  const load = async () => {
    while (loading) {
      const node = nodes[dice.below(nodes.length)]!
      flags += 1
      const { status, body } = await node.api
        .send('POST', `${project}/flags`, flagBody(`flag-${flags}`))
        .catch((error) => ({ status: 0, body: String(error.cause ?? error) }))
      if (status === 201) acknowledged.push(body.data.id)
      else violations.push(`a request ended with ${status} ${JSON.stringify(body)}`)
    }
  }
  const drainOne = async () => {
    nodes.push(await site.start())
    const until = acknowledged.length + 1 + dice.below(20)
    await reaches(
      'load',
      async () => acknowledged.length,
      (count) => count >= until || violations.length > 0,
    )
    // As a load balancer does: no new request goes there, and what is on its way is waited for.
    const [node] = nodes.splice(dice.below(nodes.length), 1) as [Node]
    const { code, tookMs } = await node.stop()
    times.push(tookMs)
    if (code !== 0) violations.push(`exit ${code}`)
  }
  const loads = Array.from({ length: callers }, load)
  try {
    for (let drain = 0; drain < drains; drain += 1) await drainOne()
  } finally {
    loading = false
    await Promise.all(loads)
  }
  const { api } = nodes[0]!
  const records = await settledRecords(api, hook)
  const after = { customers, hooks: [{ hook, records }], acknowledged, now: new Date(), failures: api.failures() }
  const sent = customers.at(hook.host).length
  if (sent !== records.length) violations.push(`${sent} sent of ${records.length}`)
  await api.call('DELETE', hook.path)
  const slowestStopMs = Math.max(...times)
  if (slowestStopMs >= drainMs) violations.push(`it took ${slowestStopMs} ms to end`)
  return {
    violations: [...violations, ...breaches(after)],
    numbers: { drains, requests: acknowledged.length, slowestStopMs },
  }
}

async function outliveLease(): Promise<Fault> {
  for (const node of nodes.splice(0)) await node.stop()
  const sleeper = await site.start(clock.settings)
  const hook = await newHook(sleeper.api, project, hostOf(0), ['flag.created'])
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
  // It settles what it holds before it ends.
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

await runEach({ W5: shareQueue, W3: drainUnderLoad, W4: outliveLease }, cluster.stop)
