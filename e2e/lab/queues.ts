import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Api, newFlag, newHook, reaches, recordsOf, settled } from './api.ts'
import type { MovedClock } from './clock.ts'
import { countOf } from './counts.ts'
import { type Customers, hostOf } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { type Fault, percentile, since } from './run.ts'

const queued = countOf('dead')
const healthyHooks = 19
const events = countOf('beside')
const failedFirst = 20
const answerMs = 5
const downMs = 30 * 60_000
const mostOfOneHost = 8
const changedFlags = 20
const callers = 8

interface Surroundings {
  customers: Customers
  clock: MovedClock
  api: Api
  /** Path of the project. */
  project: string
}

/** The faults of an endpoint that is dead or was down, next to healthy ones. */
export function queueFaults({ customers, clock, api, project }: Surroundings) {
  let flags = 0
  let changes = 0

  const nextFlag = () => {
    flags += 1
    return newFlag(api, project, `queued-${flags}`)
  }

  const changed: string[] = []

  /** Makes that many acknowledged changes with several callers at once. */
  async function change(count: number): Promise<void> {
    while (changed.length < changedFlags) changed.push((await nextFlag()).id)
    let left = count
    const caller = async () => {
      while (left > 0) {
        left -= 1
        changes += 1
        const flag = changed[changes % changedFlags]
        await api.call('PATCH', `${project}/flags/${flag}`, { name: `Name ${changes}` })
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }

  const overCap = (atOnce: number) => (atOnce > mostOfOneHost ? [`${atOnce} requests at once`] : [])

  async function besideDeadOne(dice: Dice): Promise<Fault> {
    const dead = await newHook(api, project, hostOf(20), ['flag.updated'])
    customers.answer(dead.host, () => new Promise<number>(() => {}))
    await change(queued)
    const healthy = await Promise.all(
      Array.from({ length: healthyHooks }, (_, index) => newHook(api, project, hostOf(21 + index), ['flag.created'])),
    )
    const latencies: number[] = []
    /** How late timers are on this machine. */
    const lateness = monitorEventLoopDelay()
    lateness.enable()
    const acknowledged: string[] = []
    for (let event = 0; event < events; event += 1) {
      const before = customers.arrivals.length
      const { id } = await nextFlag()
      acknowledged.push(id)
      const startMs = performance.now()
      await customers.until('the healthy ones', () => healthy.every(({ host }) => customers.hasHeard(host, id)))
      const arrivals = customers.arrivals.slice(before).filter(({ flagId }) => flagId === id)
      for (const { atMs } of arrivals) latencies.push(Math.max(0, atMs - startMs))
      // Avoids staying in step with the polling of the worker.
      await pause(dice.below(20))
    }
    const hooks = await Promise.all(
      healthy.map(async (hook) => {
        const look = () => recordsOf(api, hook)
        return { hook, records: await reaches(`the end of ${hook.host}`, look, (records) => records.every(settled)) }
      }),
    )
    const waiting = (await recordsOf(api, dead)).filter((record) => !settled(record)).length
    const violations = breaches({ customers, hooks, acknowledged, now: clock.now(), failures: api.failures() })
    const atOnce = customers.mostAtOnce(dead.host)
    for (const hook of [dead, ...healthy]) await api.call('DELETE', hook.path)
    return {
      violations: [...violations, ...(waiting === queued ? [] : [`${waiting} were waiting`]), ...overCap(atOnce)],
      numbers: {
        waiting,
        deliveries: latencies.length,
        p50Ms: Math.round(percentile(latencies, 50)),
        p95Ms: Math.round(percentile(latencies, 95)),
        lateMs: Math.round(lateness.max / 1e6),
        atOnceAtTheDeadOne: atOnce,
      },
    }
  }

  async function comesBack(): Promise<Fault> {
    const backlog = countOf('backlog')
    const hook = await newHook(api, project, hostOf(40), ['flag.updated'])
    customers.answer(hook.host, () => 'reset')
    const fromMs = performance.now()
    await change(backlog)
    const queuedMs = since(fromMs)
    await customers.until('some failures', () => customers.at(hook.host).length >= failedFirst)
    const failed = customers.at(hook.host).length
    const delivered = new Set<string>()
    customers.answer(hook.host, async ({ id }) => {
      await pause(answerMs)
      delivered.add(id)
      return 200
    })
    const startMs = performance.now()
    await clock.move(downMs)
    await customers.until('the backlog', () => delivered.size >= backlog)
    const drainedMs = since(startMs)
    const look = () => recordsOf(api, hook)
    const records = await reaches('the end', look, (all) => all.every(settled))
    const hooks = [{ hook, records }]
    const after = { customers, hooks, acknowledged: [], now: clock.now(), failures: api.failures() }
    const atOnce = customers.mostAtOnce(hook.host)
    await api.call('DELETE', hook.path)
    return {
      violations: [
        ...breaches(after),
        ...(records.length === backlog ? [] : [`I1: ${records.length} deliveries of ${backlog} events`]),
        ...overCap(atOnce),
      ],
      numbers: { events: backlog, queuedMs, failed, sent: customers.at(hook.host).length, atOnce, drainedMs },
    }
  }

  return { W9: besideDeadOne, W10: comesBack }
}
