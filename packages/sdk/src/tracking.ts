import type { EvaluationContext } from '@svc/core'
import { isForPage, own, unitOfAnswer, userOf } from '@svc/core'
import { withDeadline } from './deadline.ts'
import type { Details } from './details.ts'
import { newId } from './new-id.ts'
import type { Settings } from './options.ts'
import type { Platform, Timer } from './platform.ts'
import { nextDelayMs } from './poll.ts'
import { post } from './post.ts'
import type { Refusal } from './refusal.ts'
import { createSeen } from './seen.ts'

const mostQueued = 1_000
const mostInBatch = 500
// A browser sends at most 64 KB in requests that outlive the page.
const mostWhileHiding = 100
const mostBytesWhileHiding = 50_000
const sentAt = 50
const sendAfterMs = 5_000
const firstDelayMs = 10_000
const longestDelayMs = 300_000
const sessionMs = 1_800_000
const mostSeen = 100_000

/** What {@link Client.track} takes besides the key of the event. */
export interface TrackOptions {
  /** The visitor. The event counts for the visitor's `targetingKey`. */
  context?: EvaluationContext
  /** A finite number, such as the amount of an order. */
  value?: number
  /** More facts about the event, as JSON. */
  properties?: Record<string, unknown>
}

interface QueuedEvent {
  id: string
  ts: string
  type: 'exposure' | 'track'
  unit: string
  [field: string]: unknown
}

/**
 * Gathers exposures and tracked events and sends them in batches. An event stays in the queue until the service has
 * confirmed it, and each attempt sends the same id, so that it is counted once.
 */
export function createTracking(settings: Settings, platform: Platform) {
  const { sdkKey, fetch, warn, offline, dimensions } = settings
  const open = new Set<AbortController>()
  let on = settings.tracking
  let queue: QueuedEvent[] = []
  let dropped = 0
  let failures = 0
  let retryMs = 0
  let closed = false
  let timer: Timer | undefined
  let sending: Promise<void> | undefined
  const seen = createSeen()

  const add = (event: Pick<QueuedEvent, 'type' | 'unit'> & Record<string, unknown>): void => {
    // As text and back: later changes by the program do no harm, and what is not JSON cannot hold up other events.
    queue.push({
      id: newId(platform),
      ts: new Date(platform.now()).toISOString(),
      ...JSON.parse(JSON.stringify(event)),
    })
    if (queue.length > mostQueued) {
      queue.shift()
      if (dropped++ === 0) warn('too many events wait: the oldest are dropped')
    }
    plan()
  }

  const plan = (): void => {
    if (!on || closed || sending || queue.length === 0) return
    const delayMs = retryMs || (queue.length < sentAt ? sendAfterMs : 0)
    // A turn that is planned already comes earlier, unless the queue has just filled up.
    if (timer && (delayMs || queue.length > sentAt)) return
    platform.clearTimeout(timer)
    timer = platform.setTimeout(flush, delayMs)
    if (!isForPage) timer.unref?.()
  }

  const flush = async (): Promise<void> => {
    if (!on) return
    sending ??= sendAll().finally(() => {
      sending = undefined
      plan()
    })
    await sending
  }

  const sendAll = async (): Promise<void> => {
    platform.clearTimeout(timer)
    timer = undefined
    while (on && queue.length > 0) if (!(await send(queue.slice(0, mostInBatch)))) return
  }

  /** Sends a batch. True if the service has taken or refused it, false if it is to be sent again. */
  const send = async (events: QueuedEvent[], keepalive = false): Promise<boolean> => {
    try {
      await withDeadline(
        (signal) => post(fetch, settings.eventsUrl, { sdkKey, events }, keepalive, signal, platform),
        settings.requestTimeoutMs,
        open,
        platform,
      )
    } catch (fault) {
      const { status = 500, message, ...ended } = fault as Partial<Refusal>
      if (status >= 500 || status === 429) {
        if (failures++ === 0) warn('events are kept and sent again', fault)
        retryMs = nextDelayMs(failures, longestDelayMs, ended, platform.random(), firstDelayMs)
        return false
      }
      warn(`events are refused: ${message}`)
    }
    failures = retryMs = 0
    const done = new Set(events)
    queue = queue.filter((event) => !done.has(event))
    return true
  }

  /** Makes a function that never throws, whatever the program passes. */
  const safely =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      try {
        act(...given)
      } catch (fault) {
        warn('an event cannot be sent', fault)
      }
    }

  // The page can end at any time from now on. What another request is sending is sent again: it would end with the page.
  const stopHiding = platform.onHide(() => {
    if (!on || queue.length === 0) return
    let last = queue.slice(0, mostWhileHiding)
    // A browser refuses a longer body as a whole.
    while (last.length > 1 && new TextEncoder().encode(JSON.stringify(last)).length > mostBytesWhileHiding)
      last = last.slice(0, last.length / 2)
    void send(last, true)
  })

  return {
    /** Counts a visitor who got this answer of a measuring rule, once per session. */
    expose: safely((flagKey: string, found: Details<unknown>, context: EvaluationContext = {}): void => {
      if (closed || offline) return
      const unit = unitOfAnswer(found, context)
      if (unit === undefined) return
      const count = seen.add(found, unit)
      if (count === 0) return
      if (count === 1) {
        const session = platform.setTimeout(seen.clear, sessionMs)
        if (!isForPage) session.unref?.()
      }
      if (count > mostSeen) seen.clear()
      const { ruleId, variationKey, reason } = found
      const chosen = dimensions.map((name) => [name, own(context, name)])
      add({ type: 'exposure', unit, flagKey, ruleId, variationKey, reason, context: Object.fromEntries(chosen) })
    }),
    track: safely((eventKey: string, options?: TrackOptions): void => {
      if (closed || offline) return
      const { context, value, properties } = options ?? {}
      const unit = userOf(context)
      if (typeof eventKey !== 'string' || !eventKey || unit === undefined)
        return void warn('track needs the key of an event and a targetingKey', eventKey)
      add({ type: 'track', unit, eventKey, value, properties })
    }),
    setTracking(wanted: boolean): void {
      on = wanted && !offline
      if (on) return plan()
      queue = []
      seen.clear()
      for (const controller of open) controller.abort()
    },
    flush,
    dropped: () => dropped,
    /** Sends what waits, once. */
    async close(): Promise<void> {
      const last = flush()
      closed = true
      stopHiding()
      platform.clearTimeout(timer)
      await last
    },
  }
}
