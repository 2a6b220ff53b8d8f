import { type Hook, newFlag, newHook, projectPath, reaches, recordsOf, settled } from './api.ts'
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { publicAddress } from './lab.ts'
import { type Fault, percentile, runEach } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: a node is killed again and again, and started anew on the data that it leaves.

const kills = Number(process.env.LAB_KILLS)
const hookCount = 20
const flagsOfRound = 10
const slowMs = 30
const crashesInRow = 7
const unreachable = 'unreachable.example.test'

const customers = await startCustomers({ [unreachable]: [[publicAddress]] })
const site = await newSite()
let node = await site.start()
let failures = 0
const project = await projectPath(node.api)

async function killUnderLoad(dice: Dice): Promise<Fault> {
  const hooks: Hook[] = []
  for (let index = 0; index < hookCount; index += 1) {
    customers.answer(hostOf(index), slowly(dice))
    hooks.push(await newHook(node.api, project, hostOf(index), ['flag.created']))
  }
  const acknowledged: string[] = []
  const readyMs: number[] = []
  for (let round = 0; round < kills; round += 1) {
    const promised = await killInRound(dice, round)
    readyMs.push(node.readyMs)
    acknowledged.push(...promised)
    const isReceived = () => promised.every((id) => hooks.every(({ host }) => customers.hasHeard(host, id)))
    await customers.until('what was acknowledged', isReceived)
  }
  const found = await Promise.all(hooks.map(async (hook) => ({ hook, records: await settledRecords(hook) })))
  const sent = customers.arrivals.length
  failures += node.api.failures()
  const after = { customers, hooks: found, acknowledged, now: new Date(), failures, crashed: true }
  for (const hook of hooks) await node.api.call('DELETE', hook.path)
  return {
    violations: breaches(after),
    numbers: {
      kills,
      events: acknowledged.length,
      sent,
      repeated: sent - new Set(customers.arrivals.map(({ id }) => id)).size,
      fastestReadyMs: Math.min(...readyMs),
      medianReadyMs: percentile(readyMs, 50),
      slowestReadyMs: Math.max(...readyMs),
    },
  }
}

/** Kills with one of the answers, or with one of the 200 receipts after them; answers what was acknowledged. */
async function killInRound(dice: Dice, round: number): Promise<string[]> {
  const promised: string[] = []
  const answers = dice.below(2) === 0 ? 1 + dice.below(flagsOfRound) : flagsOfRound
  const receipts = answers < flagsOfRound ? 0 : dice.below(flagsOfRound * hookCount)
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
  // A write that the crash cut off was promised to nobody.
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

/** Each time it has been claimed, and nothing could be sent yet. */
async function killInRow(): Promise<Fault> {
  const hook = await newHook(node.api, project, unreachable, ['flag.created'])
  customers.dns.names[unreachable] = ['silence']
  const { id } = await newFlag(node.api, project, 'in-a-row')
  for (let crash = 0; crash < crashesInRow; crash += 1) {
    const asked = customers.dns.lookups(unreachable)
    if (crash > 0) node = await site.start()
    await reaches(
      'an attempt',
      async () => customers.dns.lookups(unreachable),
      (lookups) => lookups > asked || crash === 0,
    )
    await node.kill()
  }
  customers.dns.names[unreachable] = [[publicAddress]]
  node = await site.start()
  await customers.until('the delivery', () => customers.hasHeard(hook.host, id))
  const records = await settledRecords(hook)
  const { enabled, consecutiveFailures } = await node.api.call('GET', hook.path)
  const after = { customers, hooks: [{ hook, records }], acknowledged: [id], now: new Date(), crashed: true }
  const isBlamed = !enabled || consecutiveFailures > 0
  return {
    violations: [...breaches(after), ...(isBlamed ? ['the endpoint was blamed for the crashes'] : [])],
    numbers: { crashes: crashesInRow, attempts: records[0]!.attempts },
  }
}

await runEach({ W1: killUnderLoad, 'W1 in a row': killInRow })
