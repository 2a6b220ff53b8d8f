import { type Ended, type Pace, paceAfter, paces } from './pace.ts'

/** The number of jobs that a claim can bring. */
export interface Demand {
  total: number
  perLane: number
  /** Lanes whose number differs from `perLane`. */
  exceptions: ReadonlyMap<string, number>
  /** The lane that was served last. If there are too many lanes for one claim, it begins with the next one by id. */
  after: string | null
}

/** The result of a claim. */
export interface Claimed<Job> {
  jobs: readonly Job[]
  /** The number of jobs that it could bring for each lane with room. */
  share: number
}

/**
 * One lane for each destination that a worker has jobs for: how many wait, how many are under way, and its pace. A slow
 * or dead destination fills only its own lane. Only bookkeeping: no IO, no clock.
 */
export interface Lanes<Job> {
  demand(): Demand
  /** Adds the jobs that a claim brought for a demand. */
  add(claimed: Claimed<Job>, demand: Demand): void
  /** Whether another claim is due: more jobs may wait in the table, and half of the last claim has ended. */
  isLow(): boolean
  /** The next job that can start now; lanes take turns. */
  next(): Job | undefined
  /**
   * Call this when a job from `next` has ended. `undefined` means that nothing was sent, so the pace does not change.
   */
  ended(job: Job, ended: Ended | undefined): void
  /** Removes and returns the jobs that have not started. */
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
  /**
   * The number of jobs held after a claim that brought the maximum; 0 if a claim brought less, because no more are due.
   */
  filled: number
}

export function lanes<Job>(laneOf: (job: Job) => string): Lanes<Job> {
  const { byId, remembered, open, closeIfIdle } = openLanes<Job>()
  let held = 0
  let underWay = 0
  /** Whether the last claim was so large that it may have missed some lanes. */
  let isCutShort = false
  let isSomeLaneLow = false
  let after: string | null = null

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
        // A claim without room for a lane learned nothing about it.
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
        // Moves the lane to the end, so that the next call begins with a different one.
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

function openLanes<Job>() {
  const byId = new Map<string, Lane<Job>>()
  /** The pace of idle lanes that were slow or failing, for their next job. */
  const remembered = new Map<string, Pace>()

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

  return { byId, remembered, open, closeIfIdle }
}

const heldBy = ({ waiting, underWay }: Lane<unknown>): number => waiting.length + underWay

const isHalfGone = (lane: Lane<unknown>): boolean => lane.filled > 0 && heldBy(lane) <= lane.filled / 2

/** Lanes are served in the order of their ids, from the one after `after` to the end, then from the first. */
function lastInTurn(ids: readonly string[], after: string | null): string | undefined {
  const sorted = ids.toSorted()
  return sorted.findLast((id) => after !== null && id <= after) ?? sorted.at(-1)
}
