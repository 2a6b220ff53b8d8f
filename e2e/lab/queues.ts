import { newFlag, newHook, projectPath, reaches, recordsOf, settled } from './api.ts'
import { startClock } from './clock.ts'
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { type Fault, percentile, runEach, since } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: an endpoint that is dead or has been away, and those beside it.

const queued = 500
const healthyHooks = 19
const changes = 40
const downEvents = 300
const downMs = 30 * 60_000
const mostOfOneHost = 8
const callers = 8

const customers = await startCustomers()
const clock = await startClock()
const site = await newSite()
let node = await site.start()
let api = node.api
const project = await projectPath(api)
let flags = 0

const overCap = (atOnce: number) => (atOnce > mostOfOneHost ? [`${atOnce} requests at once`] : [])

/** Acknowledged, by several callers at once. */
async function newFlags(count: number): Promise<string[]> {
  const ids: string[] = []
  let left = count
  const caller = async () => {
    while (left > 0) {
      left -= 1
      flags += 1
      ids.push((await newFlag(api, project, `flag-${flags}`)).id)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return ids
}

async function besideDeadOne(dice: Dice): Promise<Fault> {
  const dead = await newHook(api, project, hostOf(0), ['flag.created'])
  customers.answer(dead.host, () => new Promise<number>(() => {}))
  const [first] = (await newFlags(queued)) as [string]
  const healthy = await Promise.all(
    Array.from({ length: healthyHooks }, (_, index) => newHook(api, project, hostOf(1 + index), ['flag.updated'])),
  )
  const latencies: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const before = new Map(healthy.map(({ host }) => [host, customers.at(host).length]))
    await api.call('PATCH', `${project}/flags/${first}`, { name: `Name ${change} ${dice.below(1000)}` })
    const startMs = performance.now()
    const isEverywhere = () => healthy.every(({ host }) => customers.at(host).length > before.get(host)!)
    await customers.until('the healthy ones', isEverywhere)
    for (const { host } of healthy) latencies.push(Math.max(0, customers.at(host).at(-1)!.atMs - startMs))
  }
  const hooks = await Promise.all(healthy.map(async (hook) => ({ hook, records: await recordsOf(api, hook) })))
  const waiting = (await recordsOf(api, dead)).filter((record) => !settled(record)).length
  const violations = breaches({ customers, hooks, acknowledged: [], now: new Date(), failures: api.failures() })
  const atOnce = customers.mostAtOnce(dead.host)
  for (const hook of [dead, ...healthy]) await api.call('DELETE', hook.path)
  return {
    violations: [...violations, ...(waiting === queued ? [] : [`${waiting} were waiting`]), ...overCap(atOnce)],
    numbers: {
      waiting,
      deliveries: latencies.length,
      p50Ms: Math.round(percentile(latencies, 50)),
      p95Ms: Math.round(percentile(latencies, 95)),
      atOnceAtTheDeadOne: atOnce,
    },
  }
}

async function comesBack(): Promise<Fault> {
  await node.stop()
  node = await site.start(clock.settings)
  api = node.api
  const hook = await newHook(api, project, hostOf(30), ['flag.created'])
  customers.answer(hook.host, () => 'reset')
  const acknowledged = await newFlags(downEvents)
  await customers.until('an attempt each', () => customers.at(hook.host).length >= downEvents)
  const isTried = ({ attempts, nextRetryAt }: { attempts: number; nextRetryAt: string | null }) =>
    attempts === 1 && nextRetryAt !== null
  await reaches(
    'an attempt each',
    () => recordsOf(api, hook),
    (records) => records.every(isTried),
  )
  customers.answer(hook.host, () => new Promise((resolve) => setTimeout(resolve, 5, 200)))
  const startMs = performance.now()
  await clock.move(downMs)
  await customers.until(
    'the backlog',
    () => customers.at(hook.host).filter((each) => each.status === 200).length >= downEvents,
  )
  const drainedMs = since(startMs)
  const records = await reaches(
    'the end',
    () => recordsOf(api, hook),
    (all) => all.every(settled),
  )
  const after = { customers, hooks: [{ hook, records }], acknowledged, now: clock.now(), failures: api.failures() }
  const atOnce = customers.mostAtOnce(hook.host)
  return {
    violations: [...breaches(after), ...overCap(atOnce)],
    numbers: { events: downEvents, sent: customers.at(hook.host).length, atOnce, drainedMs },
  }
}

await runEach({ W9: besideDeadOne, W10: comesBack })
