import type { ClaimedDelivery } from './delivery.ts'

/** What of a claimed job the lanes look at. */
export type Queued = Pick<ClaimedDelivery, 'id' | 'webhookId'> & { leaseUntil: Date }

/**
 * One lane for each endpoint that a worker has jobs of: how many wait, how many are under way, and how it has been
 * doing. Pure bookkeeping, so that a slow or dead endpoint fills its own lane and nobody else's.
 */
export interface Lanes<Job extends Queued> {
  /** How many more of each webhook may be claimed, where that is not the usual number. */
  allowances(): Map<string, number>
  add(job: Job): void
  /** A job that may start now, each lane in turn. */
  next(): Job | undefined
  /** An endpoint that failed is probed with one attempt at a time until one succeeds. Undefined: nothing was sent. */
  ended(webhookId: string, result: { delivered: boolean; durationMs: number } | undefined): void
  /** Claimed jobs that have not ended. */
  held(): number
  /** Takes out the jobs that have not started. */
  clear(): Job[]
}

/** At most so many attempts under way at once, of all endpoints together. */
const maxUnderWay = 64
const fastMs = 200
const slowMs = 2_000

/** How an endpoint has been doing, by its latest attempt: what that allows to be under way, and to be held in all. */
const paces = {
  failing: { underWay: 1, held: 1 },
  slow: { underWay: 2, held: 2 },
  usual: { underWay: 8, held: 8 },
  fast: { underWay: 8, held: 64 },
}

type Pace = keyof typeof paces

function paceOf({ delivered, durationMs }: { delivered: boolean; durationMs: number }): Pace {
  if (!delivered) return 'failing'
  if (durationMs >= slowMs) return 'slow'
  return durationMs < fastMs ? 'fast' : 'usual'
}

interface Lane<Job> {
  waiting: Job[]
  underWay: number
  pace: Pace
}

export const usualAllowance = paces.usual.held

export function lanes<Job extends Queued>(): Lanes<Job> {
  const byWebhook = new Map<string, Lane<Job>>()
  let underWay = 0
  const laneOf = (webhookId: string): Lane<Job> => {
    const lane = byWebhook.get(webhookId) ?? { waiting: [], underWay: 0, pace: 'usual' }
    byWebhook.set(webhookId, lane)
    return lane
  }
  return {
    allowances() {
      return new Map(
        [...byWebhook].map(([webhookId, lane]) => {
          const held = lane.waiting.length + lane.underWay
          return [webhookId, Math.max(0, paces[lane.pace].held - held)]
        }),
      )
    },
    add(job) {
      laneOf(job.webhookId).waiting.push(job)
    },
    next() {
      if (underWay >= maxUnderWay) return undefined
      for (const [webhookId, lane] of byWebhook) {
        if (lane.waiting.length === 0 || lane.underWay >= paces[lane.pace].underWay) continue
        lane.underWay += 1
        underWay += 1
        // To the end of the line: the next call begins with another lane.
        byWebhook.delete(webhookId)
        byWebhook.set(webhookId, lane)
        return lane.waiting.shift()
      }
      return undefined
    },
    ended(webhookId, result) {
      const lane = laneOf(webhookId)
      lane.underWay -= 1
      underWay -= 1
      if (result) lane.pace = paceOf(result)
      const idle = lane.waiting.length + lane.underWay === 0
      // What has been slow or failing is remembered for its next job.
      if (idle && (lane.pace === 'usual' || lane.pace === 'fast')) byWebhook.delete(webhookId)
    },
    held: () => [...byWebhook.values()].reduce((sum, lane) => sum + lane.waiting.length + lane.underWay, 0),
    clear: () => [...byWebhook.values()].flatMap((lane) => lane.waiting.splice(0)),
  }
}
