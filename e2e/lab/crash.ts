import { type Hook, newFlag, newHook, projectPath, reaches, recordsOf, settled } from './api.ts'
import { countOf } from './counts.ts'
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { type Fault, percentile, runEach } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: a node is killed again and again, and restarted on the same data.

const kills = countOf('kills')
const hookCount = countOf('hooks')
const flagsOfRound = 10
const slowMs = 30

const customers = await startCustomers()
// An attempt must be able to last from a start to the next crash, on a busy machine too.
const retries = Array(countOf('attempts') - 1).fill('1m')
const site = await newSite({ SVC_WEBHOOK_TIMEOUT: '10m', SVC_WEBHOOK_RETRY_DELAYS: retries.join() })
let node = await site.start()
let failures = 0
const project = await projectPath(node.api)

/** Its receiver answers only at the end, so each crash cuts off an attempt at it. */
const answer = Promise.withResolvers<number>()
const cutOff = await newHook(node.api, project, hostOf(hookCount), ['flag.created'])
customers.answer(cutOff.host, () => answer.promise)
const { id: cutOffFlag } = await newFlag(node.api, project, 'cut-off')
await node.api.call('PATCH', cutOff.path, { events: ['flag.archived'] })

async function killUnderLoad(dice: Dice): Promise<Fault> {
  const hooks: Hook[] = []
  for (let index = 0; index < hookCount; index += 1) {
    customers.answer(hostOf(index), slowly(dice))
    hooks.push(await newHook(node.api, project, hostOf(index), ['flag.created']))
  }
  const acknowledged: string[] = []
  const readyMs: number[] = []
  const readyCpuMs: number[] = []
  for (let round = 0; round < kills; round += 1) {
    const promised = await killInRound(dice, round)
    readyMs.push(node.readyMs)
    readyCpuMs.push(node.readyCpuMs)
    acknowledged.push(...promised)
    const isReceived = () => promised.every((id) => hooks.every(({ host }) => customers.hasHeard(host, id)))
    await customers.until('what was acknowledged', isReceived)
  }
  const found = await Promise.all(hooks.map(async (hook) => ({ hook, records: await settledRecords(hook) })))
  const sent = customers.arrivals.length - customers.at(cutOff.host).length
  failures += node.api.failures()
  const after = { customers, hooks: found, acknowledged, now: new Date(), failures, crashed: true }
  for (const hook of hooks) await node.api.call('DELETE', hook.path)
  return {
    violations: breaches(after),
    numbers: {
      kills,
      events: acknowledged.length,
      sent,
      repeated: sent - found.reduce((sum, { records }) => sum + records.length, 0),
      fastestReadyMs: Math.min(...readyMs),
      medianReadyMs: percentile(readyMs, 50),
      slowestReadyMs: Math.max(...readyMs),
      medianReadyCpuMs: percentile(readyCpuMs, 50),
    },
  }
}

/** Kills the node after one of the answers, or one of the deliveries after them. Returns the acknowledged ids. */
async function killInRound(dice: Dice, round: number): Promise<string[]> {
  const promised: string[] = []
  const answers = dice.below(2) === 0 ? 1 + dice.below(flagsOfRound) : flagsOfRound
  const receipts = answers < flagsOfRound ? 0 : dice.below(flagsOfRound * hookCount)
  await customers.until('the attempt to cut off', () => customers.at(cutOff.host).length > round)
  const begun = customers.arrivals.length
  const received = () => customers.arrivals.slice(begun).filter(({ flagId }) => promised.includes(flagId!)).length
  const acknowledged = Promise.withResolvers<void>()
  const gone = acknowledged.promise
    .then(() => customers.until('the moment to kill', () => received() >= receipts))
    .then(() => node.kill())
  const writes = Array.from({ length: flagsOfRound }, async (_, index) => {
    promised.push((await newFlag(node.api, project, `flag-${round}-${index}`)).id)
    if (promised.length === answers) acknowledged.resolve()
  })
  // A write without an answer is not promised.
  await Promise.allSettled(writes).then(() => acknowledged.resolve())
  await gone
  failures += node.api.failures()
  node = await site.start()
  return promised
}

const slowly = (dice: Dice) => () => {
  const ms = dice.below(slowMs)
  return new Promise<number>((resolve) => setTimeout(resolve, ms, 200))
}

const settledRecords = (hook: Hook) =>
  reaches(
    `the end of ${hook.host}`,
    () => recordsOf(node.api, hook),
    (records) => records.every(settled),
  )

/** Checks after all these crashes that the deliveries that were cut off each time still arrive. */
async function cutOffEachTime(): Promise<Fault> {
  await customers.until('the last attempt', () => customers.at(cutOff.host).length > kills)
  answer.resolve(204)
  const records = await settledRecords(cutOff)
  const { enabled, consecutiveFailures } = await node.api.call('GET', cutOff.path)
  const hooks = [{ hook: cutOff, records }]
  const after = { customers, hooks, acknowledged: [cutOffFlag], now: new Date(), crashed: true }
  const isBlamed = !enabled || consecutiveFailures > 0
  return {
    violations: [...breaches(after), ...(isBlamed ? ['the endpoint was blamed for the crashes'] : [])],
    numbers: { cutOff: customers.at(cutOff.host).length - 1, attempts: records[0]!.attempts },
  }
}

await runEach({ W1: killUnderLoad, 'W1 in a row': cutOffEachTime })
