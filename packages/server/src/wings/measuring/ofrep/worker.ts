import { type Evaluation, type EvaluationContext, unitOfAnswer } from '@svc/core'
import { newId } from '../../../platform/ids.ts'
import { type Gathering, isBotAgent, type NameStore, readEvents } from '../events/index.ts'

const mostSeen = 100_000
const mostQueued = 10_000
const mostTogether = 500
const sessionMs = 30 * 60_000
const retryAfterMs = 2_000

interface Context {
  names: NameStore
  gathered: Gathering
  now: () => Date
  /** Exposures were dropped, because too many wait for the database. */
  onDropped: () => void
}

/** A visitor who got a variation of a rule that measures. */
export interface Exposed {
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
}

export interface Exposures {
  /** Counts a visitor once in half an hour, as an SDK does. Never throws and never waits. */
  add(exposed: Exposed): void
  /** Stores what waits, once. */
  stop(): Promise<void>
}

/**
 * Stores the exposures of evaluations by the service. An evaluation does not wait for the database, so exposures queue
 * here until they are stored, and keep their ids: what was stored before a lost answer counts once.
 */
export function exposures({ names, gathered, now, onDropped }: Context): Exposures {
  let seen = new Set<string>()
  let seenSince = 0
  let queue: Queued[] = []
  let sending: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const isNew = (key: string, at: number): boolean => {
    if (at - seenSince >= sessionMs || seen.size >= mostSeen) {
      seen = new Set()
      seenSince = at
    }
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }

  /** Stores the oldest. False if the database did not take them. */
  async function storeNext(): Promise<boolean> {
    const taken = queue.slice(0, mostTogether)
    try {
      const events = await Promise.all(
        taken.map(({ told, ...arrival }) => readEvents(names, [told], { ...arrival, isBotAgent })),
      )
      const stored = gathered.add(events.flatMap((each) => each.events))
      if (!stored) return false
      await stored
    } catch {
      return false
    }
    const done = new Set(taken)
    queue = queue.filter((each) => !done.has(each))
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
    add({ envId, flagKey, evaluation, context, isBot }) {
      const { ruleId, variationKey, reason } = evaluation
      const unit = unitOfAnswer(evaluation, context)
      const receivedAt = now()
      if (unit === undefined || !isNew(JSON.stringify([envId, ruleId, variationKey, unit]), receivedAt.getTime()))
        return
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
      queue.push({ envId, isBot: isBot || (typeof userAgent === 'string' && isBotAgent(userAgent)), receivedAt, told })
      if (queue.length > mostQueued) {
        queue.shift()
        onDropped()
      }
      plan()
    },
    async stop() {
      clearTimeout(retry)
      await sending
      clearTimeout(retry)
      if (queue.length > 0) await storeNext()
    },
  }
}
