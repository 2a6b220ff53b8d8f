import { type Evaluation, type EvaluationContext, unitOfAnswer } from '@svc/core'
import { heldMap, type OpenRoom, type Room } from '../../../platform/held.ts'
import { newId } from '../../../platform/ids.ts'
import {
  type Admission,
  type Gathering,
  isBotAgent,
  isUnit,
  type NameStore,
  type NewEvent,
  needsIngestKey,
  readEvents,
} from '../events/index.ts'

const mostTogether = 500
const sessionMs = 30 * 60_000
const retryAfterMs = 2_000
/** A waiting exposure without its texts. Measured, then rounded up. */
const queuedBytes = 768

interface Context {
  names: NameStore
  gathered: Gathering<NewEvent>
  now: () => Date
  openRoom: OpenRoom
  /** Whether events of the environment are taken now. */
  takes: (envId: string) => boolean
  /** An exposure is not counted, because it needs an ingest key and has none. */
  onKeyless: (envId: string) => void
  /** Exposures were dropped, because too many wait for the database. */
  onDropped: () => void
}

/** A visitor who got a variation of a rule that measures. */
export interface Exposed extends Admission {
  envId: string
  flagKey: string
  evaluation: Evaluation
  context: EvaluationContext
  /** Whether the request came from a bot. */
  isBot: boolean
}

interface Queued {
  envId: string
  isBot: boolean
  receivedAt: Date
  told: object
  /** How much memory it takes. */
  bytes: number
}

export interface Exposures {
  /** Counts a visitor once in half an hour, as an SDK does. Never throws and never waits. */
  add(exposed: Exposed): void
  /** Stores what waits, once. */
  stop(): Promise<void>
}

/** Counts the exposures of evaluations by the service. */
export function exposures({ now, openRoom, takes, onKeyless, ...context }: Context): Exposures {
  const seen = heldMap<number>(openRoom('ofrepVisitors'))
  const queue = exposureQueue(openRoom('ofrepExposures'), context)

  const isNew = (at: number, ...visit: readonly unknown[]): boolean => {
    seen.deleteOldest((since) => at - since >= sessionMs)
    if (seen.get(...visit) !== undefined) return false
    seen.set(at, ...visit)
    return true
  }

  return {
    add({ envId, flagKey, evaluation, context, isBot, lacksKeyFor }) {
      if (needsIngestKey('exposure', lacksKeyFor)) return onKeyless(envId)
      const { ruleId, variationKey, reason } = evaluation
      const unit = unitOfAnswer(evaluation, context)
      const receivedAt = now()
      // What cannot be stored is not remembered either: a visitor’s id can have 64 KB.
      if (!isUnit(unit) || !takes(envId) || !isNew(receivedAt.getTime(), envId, ruleId, variationKey, unit)) return
      const { userAgent } = context
      const told = {
        type: 'exposure',
        id: newId(),
        ts: receivedAt.getTime(),
        unit,
        flagKey,
        ruleId,
        variationKey,
        reason,
      }
      const isFromBot = isBot || (typeof userAgent === 'string' && isBotAgent(userAgent))
      const bytes = queuedBytes + 2 * (unit.length + flagKey.length)
      queue.add({ envId, isBot: isFromBot, receivedAt, told, bytes })
    },
    stop: queue.stop,
  }
}

/**
 * Stores exposures. An evaluation does not wait for the database, so exposures queue here until they are stored, and
 * keep their ids: what was stored before a lost answer counts once.
 */
function exposureQueue(room: Room, { names, gathered, onDropped }: Pick<Context, 'names' | 'gathered' | 'onDropped'>) {
  let queue: Queued[] = []
  let sending: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  /** Stores the oldest ones. Returns false if the database did not take them. */
  async function storeNext(): Promise<boolean> {
    const taken = queue.slice(0, mostTogether)
    try {
      const events = await Promise.all(
        taken.map(({ envId, isBot, receivedAt, told }) =>
          // It was admitted when the visitor got the variation.
          readEvents(names, [told], { envId, isBot, receivedAt, isBotAgent, lacksKeyFor: 'NONE' }),
        ),
      )
      const stored = gathered.add(events.flatMap((each) => each.events))
      if (!stored) return false
      await stored
    } catch {
      return false
    }
    const done = new Set(taken)
    queue = queue.filter((each) => !done.has(each))
    room.bytes = queue.reduce((sum, { bytes }) => sum + bytes, 0)
    return true
  }

  async function storeAll(): Promise<void> {
    while (queue.length > 0 && (await storeNext()));
  }

  function plan(): void {
    if (sending || retry || queue.length === 0) return
    sending = storeAll().finally(() => {
      sending = undefined
      if (queue.length === 0) return
      retry = setTimeout(() => {
        retry = undefined
        plan()
      }, retryAfterMs).unref()
    })
  }

  return {
    add(queued: Queued): void {
      queue.push(queued)
      room.bytes += queued.bytes
      while (room.bytes > room.maxBytes && queue.length > 0) {
        room.bytes -= queue.shift()!.bytes
        onDropped()
      }
      plan()
    },
    async stop(): Promise<void> {
      clearTimeout(retry)
      await sending
      clearTimeout(retry)
      if (queue.length > 0) await storeNext()
    },
  }
}
