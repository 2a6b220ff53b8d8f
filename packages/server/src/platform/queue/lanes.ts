import { type Ended, type Pace, paceAfter, paces } from './pace.ts'

/** How many jobs a claim may bring. */
export interface Demand {
  total: number
  perLane: number
  /** Lanes that have another number than `perLane`. */
  exceptions: ReadonlyMap<string, number>
  /** The lane that was served last. Where there are too many lanes for one claim, it begins with the next by id. */
  after: string | null
}

/** What a claim brought. */
export interface Claimed<Job> {
  jobs: readonly Job[]
  /** How many jobs it could have brought for each lane that had room for them. */
  share: number
}

/**
 * One lane for each destination that a worker has jobs for: how many wait, how many are under way, and how it has been
 * doing. A slow or dead destination fills its own lane and no other. Bookkeeping alone: no IO, no clock.
 */
export interface Lanes<Job> {
  demand(): Demand
  /** Takes in what a claim brought for a demand. */
  add(claimed: Claimed<Job>, demand: Demand): void
  /** Whether another claim is due: more may wait than the last one brought, and half of that is gone. */
  isLow(): boolean
  /** A job that may start now, each lane in turn. */
  next(): Job | undefined
  /** A job that `next` gave has ended; undefined: nothing was sent, so it says nothing about the destination. */
  ended(job: Job, ended: Ended | undefined): void
  /** Takes out the jobs that have not started. */
  clear(): Job[]
}

/** Limits for all lanes together. */
const maxHeld = 512
const maxUnderWay = 64
const maxRemembered = 1_000

interface Lane<Job> {
  waiting: Job[]
  underWay: number
  pace: Pace
  /** How many jobs it held after a claim that brought all it could; 0 once a claim brought less: no more are due. */
  filled: number
}

export function lanes<Job>(laneOf: (job: Job) => string): Lanes<Job> {
  const byId = new Map<string, Lane<Job>>()
  /** The pace of idle lanes that were slow or failing: it counts for their next job. */
  const remembered = new Map<string, Pace>()
  let held = 0
  let underWay = 0
  /** The last claim brought so much that it may have passed over some lanes. */
  let isCutShort = false
  let isSomeLaneLow = false
  let after: string | null = null

  const open = (id: string): Lane<Job> => {
    const known = byId.get(id)
    if (known) return known
    const lane: Lane<Job> = { waiting: [], underWay: 0, pace: remembered.get(id) ?? 'usual', filled: 0 }
    remembered.delete(id)
    byId.set(id, lane)
    return lane
  }
  const closeIfIdle = (id: string, lane: Lane<Job>) => {
    if (lane.filled + heldBy(lane) > 0) return
    byId.delete(id)
    if (lane.pace !== 'slow' && lane.pace !== 'failing') return
    remembered.set(id, lane.pace)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size > maxRemembered) remembered.delete(oldest)
  }

  return {
    demand() {
      const exceptions = new Map<string, number>()
      for (const [id, pace] of remembered) exceptions.set(id, paces[pace].held)
      for (const [id, lane] of byId) exceptions.set(id, Math.max(0, paces[lane.pace].held - heldBy(lane)))
      return { total: maxHeld - held, perLane: paces.usual.held, exceptions, after }
    },
    add({ jobs, share }, { total, perLane, exceptions, ...demand }) {
      held += jobs.length
      isCutShort = jobs.length > total / 2
      isSomeLaneLow = false
      const brought = new Map<string, number>()
      for (const job of jobs) {
        const id = laneOf(job)
        open(id).waiting.push(job)
        brought.set(id, (brought.get(id) ?? 0) + 1)
      }
      after = lastInTurn([...brought.keys()], demand.after) ?? demand.after
      for (const [id, lane] of byId) {
        const possible = Math.min(share, exceptions.get(id) ?? perLane)
        // A claim without room for a lane has learned nothing about it.
        if (possible > 0) lane.filled = (brought.get(id) ?? 0) < possible ? 0 : heldBy(lane)
        isSomeLaneLow ||= isHalfGone(lane)
        closeIfIdle(id, lane)
      }
    },
    isLow: () => (isCutShort ? held <= maxHeld / 2 : isSomeLaneLow),
    next() {
      if (underWay >= maxUnderWay) return undefined
      for (const [id, lane] of byId) {
        if (lane.waiting.length === 0 || lane.underWay >= paces[lane.pace].underWay) continue
        lane.underWay += 1
        underWay += 1
        // To the end of the line: the next call begins with a different lane.
        byId.delete(id)
        byId.set(id, lane)
        return lane.waiting.shift()
      }
      return undefined
    },
    ended(job, ended) {
      const id = laneOf(job)
      const lane = open(id)
      held -= 1
      lane.underWay -= 1
      underWay -= 1
      if (ended) lane.pace = paceAfter(ended)
      isSomeLaneLow ||= isHalfGone(lane)
      closeIfIdle(id, lane)
    },
    clear() {
      const jobs = [...byId.values()].flatMap((lane) => lane.waiting.splice(0))
      held -= jobs.length
      return jobs
    },
  }
}

const heldBy = ({ waiting, underWay }: Lane<unknown>): number => waiting.length + underWay

const isHalfGone = (lane: Lane<unknown>): boolean => lane.filled > 0 && heldBy(lane) <= lane.filled / 2

/** Lanes are served in the order of their ids from the one after `after`, and then from the first. */
function lastInTurn(ids: readonly string[], after: string | null): string | undefined {
  const sorted = ids.toSorted()
  return sorted.findLast((id) => after !== null && id <= after) ?? sorted.at(-1)
}
