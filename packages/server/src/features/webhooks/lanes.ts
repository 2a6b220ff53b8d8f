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

/** At most so many attempts under way at once for one endpoint, and in all. */
const maxUnderWayPerLane = 8
const maxUnderWay = 64
/** An endpoint that answers fast may have a longer stretch of its queue claimed ahead. */
const fastMs = 200
const claimAheadFast = 64

interface Lane<Job> {
  waiting: Job[]
  underWay: number
  failing: boolean
  fast: boolean
}

export const usualAllowance = maxUnderWayPerLane

export function lanes<Job extends Queued>(): Lanes<Job> {
  const byWebhook = new Map<string, Lane<Job>>()
  let underWay = 0
  const laneOf = (webhookId: string): Lane<Job> => {
    const lane = byWebhook.get(webhookId) ?? { waiting: [], underWay: 0, failing: false, fast: false }
    byWebhook.set(webhookId, lane)
    return lane
  }
  const most = (lane: Lane<Job>) => (lane.failing ? 1 : maxUnderWayPerLane)
  return {
    allowances() {
      return new Map(
        [...byWebhook].map(([webhookId, lane]) => {
          const held = lane.waiting.length + lane.underWay
          const share = lane.fast && !lane.failing ? claimAheadFast : most(lane)
          return [webhookId, Math.max(0, share - held)]
        }),
      )
    },
    add(job) {
      laneOf(job.webhookId).waiting.push(job)
    },
    next() {
      if (underWay >= maxUnderWay) return undefined
      for (const [webhookId, lane] of byWebhook) {
        if (lane.waiting.length === 0 || lane.underWay >= most(lane)) continue
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
      if (result) {
        lane.failing = !result.delivered
        lane.fast = result.delivered && result.durationMs < fastMs
      }
      const idle = lane.waiting.length + lane.underWay === 0
      if (idle && !lane.failing) byWebhook.delete(webhookId)
    },
    held: () => [...byWebhook.values()].reduce((sum, lane) => sum + lane.waiting.length + lane.underWay, 0),
    clear: () => [...byWebhook.values()].flatMap((lane) => lane.waiting.splice(0)),
  }
}
