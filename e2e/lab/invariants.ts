import { createHmac } from 'node:crypto'
import type { DeliveryRecord, Hook } from './api.ts'
import type { Arrival, Customers } from './customers.ts'

const maxAttempts = 6
const overdueMs = 60_000
const minuteMs = 60_000
const ladderMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs)

/** The state after a fault, for all its webhooks and events. */
export interface Aftermath {
  customers: Customers
  hooks: readonly { hook: Hook; records: readonly DeliveryRecord[] }[]
  /** Ids of the acknowledged flags. Each of the webhooks must get each of them. */
  acknowledged: readonly string[]
  /** The current time of the service. */
  now: Date
  /** Answers with a status of 500 or more while no fault was active. */
  failures?: number
  /** Whether there was a crash, after which an attempt can be repeated at once. */
  crashed?: boolean
}

/** Every violated invariant, with its number in the list of targets. */
export function breaches(aftermath: Aftermath): string[] {
  const { customers, failures = 0 } = aftermath
  return [
    ...aftermath.hooks.flatMap(({ hook, records }) => breachesOf(aftermath, hook, records)),
    ...(failures > 0 ? [`I8: ${failures} answers of 500 and above`] : []),
    ...(customers.forbiddenConnections() > 0 ? ['I9: a connection to an address that is not public'] : []),
  ]
}

function breachesOf(aftermath: Aftermath, hook: Hook, records: readonly DeliveryRecord[]): string[] {
  const arrivals = Map.groupBy(aftermath.customers.at(hook.host), ({ id }) => id)
  return [
    ...lost(aftermath, records),
    ...unknown(arrivals, records),
    ...records.flatMap((record) => wrongRecord(aftermath, hook, record, arrivals.get(record.deliveryId) ?? [])),
  ].map((breach) => `${breach} (${hook.host})`)
}

function lost({ acknowledged }: Aftermath, records: readonly DeliveryRecord[]): string[] {
  const bySource = Map.groupBy(
    records.filter(({ payload }) => payload.event !== 'webhook.test'),
    ({ sourceEntityId }) => sourceEntityId,
  )
  return acknowledged.flatMap((id) => {
    const found = bySource.get(id) ?? []
    if (found.length === 0) return [`I1: ${id} has no delivery`]
    return found.length > 1 ? [`I2: ${id} has ${found.length} deliveries`] : []
  })
}

/** Events that were received but never committed have no record. */
function unknown(arrivals: Map<string, Arrival[]>, records: readonly DeliveryRecord[]): string[] {
  const known = new Set(records.map(({ deliveryId }) => deliveryId))
  return [...arrivals.keys()].filter((id) => !known.has(id)).map((id) => `I6: ${id} was received and has no record`)
}

function wrongRecord(
  { now, crashed }: Aftermath,
  hook: Hook,
  record: DeliveryRecord,
  arrivals: readonly Arrival[],
): string[] {
  const { deliveryId, status, attempts, nextRetryAt, payload } = record
  const accepted = arrivals.some(({ status: answered }) => answered !== null && answered >= 200 && answered < 300)
  const isOverdue = status === 'PENDING' && nextRetryAt && now.getTime() - Date.parse(nextRetryAt) > overdueMs
  const ended = ['FAILED', 'PERMANENTLY_FAILED'].includes(status)
  return [
    ...(payload.id !== deliveryId ? [`I2: ${deliveryId} is ${payload.id} in its body`] : []),
    ...arrivals.flatMap((arrival) => wrongArrival(arrival, hook)),
    ...(!accepted && !ended && status !== 'PENDING' ? [`I5: ${deliveryId} is ${status} and was never accepted`] : []),
    ...(accepted && status !== 'DELIVERED' ? [`I5: ${deliveryId} was accepted and is ${status}`] : []),
    ...(status === 'FAILED' && attempts < maxAttempts ? [`I1: ${deliveryId} failed after ${attempts}`] : []),
    ...(attempts > maxAttempts ? [`I3: ${deliveryId} was attempted ${attempts} times`] : []),
    ...(crashed ? [] : tooEarly(arrivals)),
    ...(isOverdue ? [`I7: ${deliveryId} is overdue since ${nextRetryAt}`] : []),
  ]
}

function wrongArrival(arrival: Arrival, { secret }: Hook): string[] {
  const { id, body } = arrival
  return [
    ...(JSON.parse(body).id === id ? [] : [`I2: ${id} came with another id in its body`]),
    ...(isSigned(arrival, secret) ? [] : [`I4: the signature of ${id} does not verify`]),
  ]
}

/** Verifies a signature by the specification, without code of the product. */
export function isSigned({ id, timestamp, body, signature }: Arrival, secret: string): boolean {
  const digest = createHmac('sha256', Buffer.from(secret, 'ascii')).update(`${id}.${timestamp}.${body}`).digest('hex')
  return signature === `sha256=${digest}`
}

function tooEarly(arrivals: readonly Arrival[]): string[] {
  return arrivals.slice(1).flatMap(({ id, signedAt }, index) => {
    const gapMs = signedAt.getTime() - arrivals[index]!.signedAt.getTime()
    return gapMs >= (ladderMs[index] ?? Infinity) ? [] : [`I3: attempt ${index + 2} of ${id} came after ${gapMs} ms`]
  })
}
