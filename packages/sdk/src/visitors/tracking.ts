import { isForPage, own, unitOfAnswer, userOf } from '@svc/core'
import { nextDelayMs } from '../data-file/poll.ts'
import type { Context, Details } from '../details.ts'
import type { Settings } from '../options.ts'
import { withDeadline } from '../requests/deadline.ts'
import { withIngestKey } from '../requests/ingest-key.ts'
import type { Platform, Timer } from '../requests/platform.ts'
import { post } from '../requests/post.ts'
import type { Refusal } from '../requests/refusal.ts'
import { onceEach } from '../warn-once.ts'
import { asJson } from './as-json.ts'
import { moreDimensionsIn } from './more-dimensions.ts'
import { newId } from './new-id.ts'
import { createSeen } from './seen.ts'

const mostQueued = 1_000
const mostInBatch = 500
// The service takes 1 MiB, including what is around the events.
const mostBytesInBatch = 1_000_000
// A browser sends at most 64 KB in requests that outlive the page, for all scripts of the page together.
const mostBytesWhileHiding = 60_000
const mostBytesInPiece = 4_000
// What else refuses a request, such as a proxy or a redirect, says nothing about the events.
export const verdicts = [400, 401, 413]
const keyAdvice = 'the service refuses the ingest key or the SDK key'
const sentAt = 50
const sendAfterMs = 5_000
const firstDelayMs = 10_000
const longestDelayMs = 300_000
const sessionMs = 1_800_000
const mostSeen = 100_000

/** What {@link Client.track} takes besides the key of the event. */
export interface TrackOptions {
  /** The visitor. The event counts for the visitor's `targetingKey`. */
  context?: Context
  /** A finite number, such as the amount of an order. */
  value?: number
  /** More facts about the event, as JSON. The service stores only `productId`. */
  properties?: object
}

/** An event as JSON: later changes by the program do no harm. */
interface QueuedEvent {
  json: string
  bytes: number
  /** It is on its way in a request that outlives the page. */
  leaving?: boolean
}

/** The settings by which events are sent. */
export type TrackingSettings = Pick<
  Settings,
  'sdkKey' | 'ingestKey' | 'eventsUrl' | 'requestTimeoutMs' | 'fetch' | 'offline' | 'tracking' | 'dimensions' | 'warn'
>

/**
 * Gathers exposures and tracked events and sends them in batches. An event stays in the queue until the service has
 * confirmed it, and each attempt sends the same id, so that it is counted once.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: properties of an object keep their names in the browser build, whose size is limited; variables of a closure do not
export function createTracking(settings: TrackingSettings, platform: Platform) {
  const { sdkKey, fetch, warn, offline, dimensions } = settings
  const open = new Set<AbortController>()
  let on = settings.tracking
  let queue: QueuedEvent[] = []
  let dropped = 0
  let mostBytes = mostBytesInBatch
  let failures = 0
  let isRefusalTold = false
  let retryMs = 0
  let closed = false
  let timer: Timer | undefined
  let isUrgent = false
  let isHidden = false
  let sending: Promise<void> | undefined
  let sendingSinceMs = 0
  const fetchWithKey = isForPage ? fetch : withIngestKey(fetch, settings.ingestKey)
  const isAtEdge = !isForPage && platform.sdkType === 'edge'
  const seen = createSeen()
  const warnOnce = onceEach(warn)

  const add = (event: Record<string, unknown>): void => {
    const json = JSON.stringify({ id: newId(platform), ts: new Date(platform.now()).toISOString(), ...event })
    queue.push({ json, bytes: new TextEncoder().encode(json).length + 1 })
    if (queue.length > mostQueued) {
      queue.shift()
      if (!dropped++) warn('too many events wait: the oldest are dropped')
    }
    plan()
    // A hidden page can end untold. What it tracks in one go is sent together; after a failure, as planned.
    if (isHidden && !failures) {
      isHidden = false
      queueMicrotask(() => turn(true))
    }
  }

  const turn = (hidden: boolean): void => {
    isHidden = hidden
    if (hidden) sendNow()
    else if (failures) void flush()
  }

  const sendNow = (): void => {
    let leftBytes = mostBytesWhileHiding
    // Whatever fits: an event that is too large keeps no other one back.
    let last = queue.filter((event) => {
      if (!on || event.leaving || event.bytes > leftBytes) return false
      leftBytes -= event.bytes
      event.leaving = true
      return true
    })
    // In small pieces: what does not fit beside the requests of other scripts is refused, too late to send less.
    while (last[0]) {
      const piece = first(last, mostBytesInPiece)
      last = last.slice(piece.length)
      void send(piece, true)
    }
  }

  const plan = (): void => {
    if (!on || closed || sending || !queue[0]) return
    // In bytes too, so that what waits when the page is hidden can be sent then.
    const isFull = queue.length >= sentAt || sum(queue) >= mostBytesWhileHiding / 2
    const delayMs = retryMs || (isFull ? 0 : sendAfterMs)
    // A turn that is planned already comes earlier, unless the queue has just filled up.
    if (timer && (delayMs || isUrgent)) return
    isUrgent = !delayMs
    platform.clearTimeout(timer)
    timer = platform.setTimeout(flush, delayMs)
    if (!isForPage) timer.unref?.()
  }

  const flush = async (): Promise<void> => {
    if (!on) return
    // An edge runtime can end a sending together with the request in which it began.
    if (isAtEdge && platform.now() - sendingSinceMs > settings.requestTimeoutMs) sending = undefined
    if (!sending) {
      if (isAtEdge) sendingSinceMs = platform.now()
      const mine = sendAll().finally(() => {
        if (isForPage || sending === mine) sending = undefined
        plan()
      })
      sending = mine
    }
    await sending
  }

  const sendAll = async (): Promise<void> => {
    platform.clearTimeout(timer)
    timer = undefined
    while (on && queue[0]) if (!(await send(first(queue, mostBytes)))) return
  }

  /** Sends a batch. False if it is to be sent again later. */
  const send = async (events: QueuedEvent[], keepalive = false): Promise<boolean> => {
    const list = events.map(({ json }) => json)
    const forget = (): void => {
      queue = queue.filter((event) => !events.includes(event))
    }
    try {
      const answer = await withDeadline(
        (signal) =>
          post(
            isForPage ? fetch : fetchWithKey,
            settings.eventsUrl,
            `{"sdkKey":${JSON.stringify(sdkKey)},"events":[${list}]}`,
            keepalive,
            signal,
            platform,
          ),
        settings.requestTimeoutMs,
        open,
        platform,
      )
      forget()
      tellRejected(answer)
    } catch (fault) {
      for (const event of events) event.leaving = false
      const { status = 0, message, ...ended } = fault as Partial<Refusal>
      if (status === 413 && events[1]) {
        // A proxy takes less than the service.
        mostBytes = sum(events) / 2
        return true
      }
      // A key that was revoked, or that the service does not know yet: the events are as good as before.
      const isKeyRefused = !isForPage && status === 401 && settings.ingestKey !== undefined
      if (!verdicts.includes(status) || isKeyRefused) {
        // A refused key is told even if the service failed before: only people can mend it.
        if (!isForPage) isRefusalTold = isRefusalTold && failures > 0
        if (!failures++ || (isKeyRefused && !isRefusalTold))
          warn(isKeyRefused ? `${keyAdvice}: events are kept and sent again` : 'events are kept and sent again', fault)
        if (!isForPage) isRefusalTold ||= isKeyRefused
        retryMs = nextDelayMs(failures, longestDelayMs, ended, platform.random(), firstDelayMs)
        return false
      }
      dropped += queue.length
      forget()
      dropped -= queue.length
      warn(`events are refused: ${message}`)
    }
    failures = retryMs = 0
    return true
  }

  const tellRejected = (answer: string): void => {
    try {
      const { rejected } = JSON.parse(answer)
      if (!rejected[0]) return
      dropped += rejected.length
      warn(`events are rejected (${rejected.length}), the first with ${rejected[0].code}`, rejected[0].message)
    } catch {
      // Not an answer of the service, such as one of an earlier version.
    }
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

  /** Facts that can be written as JSON. One that cannot is left out, not the event. */
  const factsOf = (names: readonly string[], read: (name: string) => unknown): object =>
    Object.fromEntries(
      names.flatMap((name) => {
        try {
          const json = isForPage ? JSON.stringify(read(name)) : JSON.stringify(read(name), asJson)
          return json ? [[name, JSON.parse(json)]] : []
        } catch (fault) {
          warnOnce(`${name} is left out of an event`, fault)
          return []
        }
      }),
    )

  return {
    /** Counts a visitor who got this answer of a measuring rule, once per session. */
    expose: safely((flagKey: string, found: Details<unknown>, context: Context = {}): void => {
      if (closed || offline) return
      const unit = unitOfAnswer(found, context)
      if (unit === undefined) return
      if (seen.has(found, unit)) return
      const { ruleId, variationKey, reason } = found
      const names = isForPage ? dimensions : [...dimensions, ...moreDimensionsIn(context)]
      const facts = factsOf(names, (name) => own(context as Record<string, unknown>, name))
      add({ type: 'exposure', unit, flagKey, ruleId, variationKey, reason, context: facts })
      // Only now, so that a visitor who could not be counted is counted next time.
      const count = seen.add(found, unit)
      if (count === 1) {
        const session = platform.setTimeout(seen.clear, sessionMs)
        if (!isForPage) session.unref?.()
      }
      if (count > mostSeen) seen.clear()
    }),
    track: safely((eventKey: string, options?: TrackOptions): void => {
      if (closed || offline) return
      const { context, value, properties } = options ?? {}
      const unit = userOf(context)
      if (typeof eventKey !== 'string' || !eventKey || unit === undefined)
        return void warn('track needs an event key and a targetingKey', eventKey)
      const facts = factsOf(Object.keys(properties ?? {}), (name) => (properties as Record<string, unknown>)[name])
      add({ type: 'track', unit, eventKey, ...factsOf(['value'], () => finite(value)), properties: facts })
    }),
    setTracking(wanted: boolean): void {
      on = wanted && !offline
      if (on) return plan()
      queue = []
      seen.clear()
      for (const controller of open) controller.abort()
    },
    flush,
    /** The page is hidden and can end at any time from now on, or it is back: what failed is sent again now. */
    turn,
    /** Sends what waits in requests that outlive the page. What another request is sending is sent again: it would not. */
    sendNow,
    dropped: () => dropped,
    /** Sends what waits, once. */
    async close(): Promise<void> {
      const last = flush()
      closed = true
      platform.clearTimeout(timer)
      await last
    },
  }
}

const sum = (events: QueuedEvent[]): number => events.reduce((total, { bytes }) => total + bytes, 0)

/** The first events that fit into a request; at least one. */
const first = (events: QueuedEvent[], mostBytes: number): QueuedEvent[] => {
  let total = 0
  return events.slice(0, mostInBatch).filter(({ bytes }, index) => {
    total += bytes
    return total <= mostBytes || !index
  })
}

/** A number, or nothing. A text such as `49.90` is none, because nobody knows its format. */
const finite = (value: unknown): unknown => {
  const given = value ?? undefined
  if (given === undefined || (!isForPage && typeof given === 'bigint') || Number.isFinite(given)) return given
  throw new TypeError('must be a finite number')
}
