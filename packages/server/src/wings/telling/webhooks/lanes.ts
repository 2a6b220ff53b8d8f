import type { ClaimedDelivery } from './delivery.ts'

/** What of a claimed job the lanes look at. */
export type Queued = Pick<ClaimedDelivery, 'id' | 'webhookId'> & { leaseUntil: Date }

/** How much a claim may bring. */
export interface Demand {
  /** In all. */
  limit: number
  /** Of one webhook. */
  perWebhook: number
  /** Of those for which that is another number. */
  allowances: ReadonlyMap<string, number>
  /** The webhook that was served last: where there are too many for one claim, it begins with the next by id. */
  after: string | null
}

export interface Claimed<Job> {
  jobs: readonly Job[]
  /** How many of one webhook it might have brought, where its lane had room for them. */
  share: number
}

/**
 * One lane for each endpoint that a worker has jobs of: how many wait, how many are under way, and how it has been
 * doing. Pure bookkeeping, so that a slow or dead endpoint fills its own lane and nobody else's.
 */
export interface Lanes<Job extends Queued> {
  demand(): Demand
  /** Takes in what a claim brought for a demand. */
  add(claimed: Claimed<Job>, demand: Demand): void
  /** Whether another claim is due: more may wait than the last one brought, and half of that is gone. */
  isLow(): boolean
  /** A job that may start now, each lane in turn. */
  next(): Job | undefined
  /** An endpoint that failed is probed with one attempt at a time until one succeeds. Undefined: nothing was sent. */
  ended(webhookId: string, result: { delivered: boolean; durationMs: number } | undefined): void
  /** Takes out the jobs that have not started. */
  clear(): Job[]
}

/** At most so many jobs at once, of all endpoints together. */
const maxHeld = 512
const maxUnderWay = 64
const maxRemembered = 1_000
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
  /** How many jobs it held after a claim that brought all it might; 0 once a claim brought less: no more are due. */
  filled: number
}

export function lanes<Job extends Queued>(): Lanes<Job> {
  const byWebhook = new Map<string, Lane<Job>>()
  /** How idle endpoints had been doing that were slow or failing: it counts for their next job. */
  const remembered = new Map<string, Pace>()
  let held = 0
  let underWay = 0
  /** The last claim brought so much that it may have passed over some webhooks. */
  let isCutShort = false
  let isSomeLaneLow = false
  let after: string | null = null

  const laneOf = (webhookId: string): Lane<Job> => {
    const known = byWebhook.get(webhookId)
    if (known) return known
    const lane: Lane<Job> = { waiting: [], underWay: 0, pace: remembered.get(webhookId) ?? 'usual', filled: 0 }
    remembered.delete(webhookId)
    byWebhook.set(webhookId, lane)
    return lane
  }
  const closeIfIdle = (webhookId: string, lane: Lane<Job>) => {
    if (lane.filled + heldBy(lane) > 0) return
    byWebhook.delete(webhookId)
    if (lane.pace !== 'slow' && lane.pace !== 'failing') return
    remembered.set(webhookId, lane.pace)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size > maxRemembered) remembered.delete(oldest)
  }

  return {
    demand() {
      const allowances = new Map<string, number>()
      for (const [webhookId, pace] of remembered) allowances.set(webhookId, paces[pace].held)
      for (const [webhookId, lane] of byWebhook)
        allowances.set(webhookId, Math.max(0, paces[lane.pace].held - heldBy(lane)))
      return { limit: maxHeld - held, perWebhook: paces.usual.held, allowances, after }
    },
    add({ jobs, share }, { limit, perWebhook, allowances, ...demand }) {
      after = lastInTurn(jobs, demand.after) ?? demand.after
      held += jobs.length
      isCutShort = jobs.length > limit / 2
      isSomeLaneLow = false
      const brought = new Map<string, number>()
      for (const job of jobs) {
        laneOf(job.webhookId).waiting.push(job)
        brought.set(job.webhookId, (brought.get(job.webhookId) ?? 0) + 1)
      }
      for (const [webhookId, lane] of byWebhook) {
        const mightBring = Math.min(share, allowances.get(webhookId) ?? perWebhook)
        // Of a lane that was full the claim has learned nothing.
        if (mightBring > 0) lane.filled = (brought.get(webhookId) ?? 0) < mightBring ? 0 : heldBy(lane)
        isSomeLaneLow ||= isHalfGone(lane)
        closeIfIdle(webhookId, lane)
      }
    },
    isLow: () => (isCutShort ? held <= maxHeld / 2 : isSomeLaneLow),
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
      held -= 1
      lane.underWay -= 1
      underWay -= 1
      if (result) lane.pace = paceOf(result)
      isSomeLaneLow ||= isHalfGone(lane)
      closeIfIdle(webhookId, lane)
    },
    clear() {
      const jobs = [...byWebhook.values()].flatMap((lane) => lane.waiting.splice(0))
      held -= jobs.length
      return jobs
    },
  }
}

const heldBy = ({ waiting, underWay }: Lane<unknown>): number => waiting.length + underWay

const isHalfGone = (lane: Lane<unknown>): boolean => lane.filled > 0 && heldBy(lane) <= lane.filled / 2

/** The webhooks come in the order of their ids from behind `after`, and then from the first. */
function lastInTurn(jobs: readonly Queued[], after: string | null): string | undefined {
  const ids = jobs.map(({ webhookId }) => webhookId).sort()
  return ids.findLast((id) => after !== null && id <= after) ?? ids.at(-1)
}
