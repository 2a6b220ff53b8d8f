import { randomUUID } from 'node:crypto'
import { isFull } from '../../packages/server/testing/full.ts'
import { type Hook, newFlag, newHook, projectPath, reaches, recordsOf, theRecord } from './api.ts'
import { startClock } from './clock.ts'
import { countOf } from './counts.ts'
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches } from './invariants.ts'
import { queueFaults } from './queues.ts'
import { type Fault, runEach, since } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: the program under a wall clock that the script moves.

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]
const ladderMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs)
const justBeforeMs = 2 * secondMs
const mostOfOneHost = 8
const pendingFlags = countOf('pending')
const windowSeconds = 60

const customers = await startCustomers()
const clock = await startClock()
const site = await newSite(clock.settings)
let node = await site.start()
const project = await projectPath(node.api)
let flags = 0

const nextFlag = () => {
  flags += 1
  return newFlag(node.api, project, `flag-${flags}`)
}

/** A webhook that gets the changes of one flag, and no others. */
let beside: { hook: Hook; flag: { id: string } }

async function addBeside(): Promise<void> {
  beside = { hook: await newHook(node.api, project, hostOf(0), ['flag.updated']), flag: await nextFlag() }
}

/** Makes a change for that webhook and waits for it. By then, everything that was due before has been claimed. */
async function letOneThrough(): Promise<number> {
  const { hook, flag } = beside
  const before = customers.at(hook.host).length
  const startMs = performance.now()
  flags += 1
  await node.api.call('PATCH', `${project}/flags/${flag.id}`, { name: `Name ${flags}` })
  await customers.until('a delivery beside', () => customers.at(hook.host).length > before)
  return since(startMs)
}

async function climbLadder(): Promise<Fault> {
  await addBeside()
  const startMs = performance.now()
  const hook = await newHook(node.api, project, hostOf(1), ['flag.created'])
  customers.answer(hook.host, () => 503)
  const { id } = await nextFlag()
  const violations: string[] = []
  const sent = () => customers.at(hook.host)
  for (const [index, stepMs] of ladderMs.entries()) {
    const attempts = index + 1
    await customers.until(`attempt ${attempts}`, () => sent().length === attempts)
    const isWritten = (record: { attempts: number; nextRetryAt: string | null }) =>
      record.attempts === attempts && record.nextRetryAt !== null
    const { nextRetryAt, lastAttemptAt } = await theRecord(node.api, hook, isWritten)
    const due = new Date(nextRetryAt!)
    if (due.getTime() - Date.parse(lastAttemptAt!) !== stepMs)
      violations.push(`step ${attempts} ends at ${nextRetryAt}`)
    await clock.moveTo(new Date(due.getTime() - justBeforeMs))
    await letOneThrough()
    if (sent().length !== attempts && clock.now() < due) violations.push(`attempt ${attempts + 1} came before ${due}`)
    await clock.moveTo(due)
  }
  await customers.until('the last attempt', () => sent().length === ladderMs.length + 1)
  await theRecord(node.api, hook, ({ status }) => status === 'FAILED')
  const climbedMs = sent().at(-1)!.signedAt.getTime() - sent()[0]!.signedAt.getTime()
  const records = await recordsOf(node.api, hook)
  const after = { customers, hooks: [{ hook, records }], acknowledged: [id], now: clock.now() }
  await node.api.call('PATCH', hook.path, { enabled: false })
  return {
    violations: [...violations, ...breaches(after)],
    numbers: { attempts: sent().length, climbedMinutes: Math.round(climbedMs / minuteMs), tookMs: since(startMs) },
  }
}

async function keepKeys(): Promise<Fault> {
  const key = { 'idempotency-key': randomUUID() }
  const body = { name: 'Kept', url: `https://${hostOf(2)}/in`, events: ['flag.created'] }
  const create = async () => (await node.api.send('POST', `${project}/webhooks`, body, key, 0)).body.data
  const first = await create()
  await clock.move(dayMs - minuteMs)
  const within = await create()
  await clock.move(2 * minuteMs)
  const after = await create()
  for (const { id } of [first, after]) await node.api.call('DELETE', `${project}/webhooks/${id}`)
  return {
    violations: [
      ...(within.id === first.id && within.secret === null ? [] : ['within 24 h the answer was another']),
      ...(after.id !== first.id && after.secret ? [] : ['after 24 h the key was still taken']),
    ],
    numbers: {},
  }
}

async function keepRecords(): Promise<Fault> {
  const hook = await newHook(node.api, project, hostOf(3), ['flag.created'])
  await nextFlag()
  const { id } = await theRecord(node.api, hook, ({ status }) => status === 'DELIVERED')
  await clock.move(30 * dayMs - hourMs)
  const within = (await recordsOf(node.api, hook)).length
  await clock.move(2 * hourMs)
  const after = (await recordsOf(node.api, hook)).length
  // Expired rows are deleted at the start and every hour.
  await node.stop()
  node = await site.start()
  const gone = await reaches(
    'deletion',
    async () => (await node.api.send('POST', `${hook.path}/deliveries/${id}/retry`)).status,
    (status) => status === 404,
  )
  await node.api.call('PATCH', hook.path, { enabled: false })
  return {
    violations: within === 1 && after === 0 && gone === 404 ? [] : [`${within} within, ${after} after, ${gone}`],
    numbers: {},
  }
}

async function jump(dice: Dice): Promise<Fault> {
  const hook = await newHook(node.api, project, hostOf(4), ['flag.created'])
  customers.answer(hook.host, () => 503)
  const acknowledged: string[] = []
  for (let index = 0; index < pendingFlags; index += 1) acknowledged.push((await nextFlag()).id)
  const violations: string[] = []
  const numbers: Record<string, number> = {}
  let expected = 0
  const allAttempted = async (attempts: number) => {
    expected += pendingFlags
    await customers.until(`attempts ${attempts}`, () => customers.at(hook.host).length >= expected)
    await reaches(
      'all records',
      () => recordsOf(node.api, hook),
      (records) => records.every((record) => record.attempts === attempts && record.nextRetryAt !== null),
    )
  }
  const look = async (name: string) => {
    numbers[`${name}Ms`] = await letOneThrough()
    const { headers } = await node.api.send('GET', `${project}/webhooks`)
    const resetSeconds = Number(headers.get('x-ratelimit-reset')) - clock.now().getTime() / secondMs
    if (resetSeconds < -1 || resetSeconds > windowSeconds + 1) violations.push(`${name}: reset in ${resetSeconds} s`)
    if (customers.at(hook.host).length !== expected) violations.push(`${name}: ${customers.at(hook.host).length} sent`)
  }
  await allAttempted(1)
  await clock.move(2 * hourMs + dice.below(minuteMs))
  await allAttempted(2)
  await look('twoHoursOn')
  await clock.move(-hourMs / 2 - dice.below(minuteMs))
  await look('halfAnHourBack')
  // After a year they are no longer listed.
  const records = await recordsOf(node.api, hook)
  const after = { customers, hooks: [{ hook, records }], acknowledged, now: clock.now(), failures: node.api.failures() }
  const found = breaches(after)
  await clock.move(365 * dayMs)
  await allAttempted(3)
  await look('aYearOn')
  const atOnce = customers.mostAtOnce(hook.host)
  if (atOnce > mostOfOneHost) violations.push(`${atOnce} requests at once`)
  return { violations: [...violations, ...found], numbers: { ...numbers, sent: expected, atOnce } }
}

const queues = queueFaults({ customers, clock, api: node.api, project })
const later = isFull && { records: keepRecords }
await runEach({ ...queues, ladder: climbLadder, keys: keepKeys, ...later, W13: jump })
