import type { DataFile, EvaluationContext, FlagType, JsonValue } from '@svc/core'
import { compile, isForPage, userOf } from '@svc/core'
import type { ClientOptions } from './client-options.ts'
import type { Connection } from './connection.ts'
import { connection } from './connection.ts'
import type { ClientEvents } from './data-file/replica.ts'
import { createReplica } from './data-file/replica.ts'
import type { Context, Details } from './details.ts'
import { evaluate, typeOf } from './details.ts'
import { createEmitter } from './emitter.ts'
import { foundIn, misnamedVisitors } from './found-in.ts'
import type { Status } from './host.ts'
import { readSettings, timerMs } from './options.ts'
import { ensureNotInPage } from './requests/ingest-key.ts'
import type { Platform } from './requests/platform.ts'
import { platform as thisPlatform } from './requests/platform.ts'
import type { TrackOptions } from './visitors/tracking.ts'
import { createTracking } from './visitors/tracking.ts'
import { onceEach } from './warn-once.ts'

const defaultWaitMs = 10_000

/** Evaluates flags from a copy of the environment's data file, which it keeps up to date. No method throws. */
export interface Client {
  /** Whether there is a data file, and whether the service has confirmed it. `on('status', …)` tells of changes. */
  readonly status: Status
  /** Revision of the data file in use; null before the first. */
  readonly revision: number | null
  /** The data file in use; null before the first. Do not change it. A server can pass it to a page as `bootstrap`. */
  readonly dataFile: DataFile | null
  /** True while the stream is connected. */
  readonly streaming: boolean
  /**
   * Resolves with the first valid data file. It never rejects, and it stays pending while the service is down. Use
   * {@link Client.waitUntilReady} to wait with a time limit. In Node, reading this property keeps the process alive
   * until it resolves. Otherwise only a running request or an open stream does.
   */
  readonly ready: Promise<void>
  /**
   * Resolves to true with the first valid data file, including one from `bootstrap` or `store`. Resolves to false
   * after `timeoutMs` (default 10,000), after `close()`, or if the client is offline without one. Never rejects.
   */
  waitUntilReady(options?: { timeoutMs?: number }): Promise<boolean>
  /** The value of a BOOLEAN flag for this context, or `defaultValue` if there is none. Never waits. */
  getBoolean(flagKey: string, defaultValue: boolean, context?: Context): boolean
  /** The value of a STRING flag for this context, or `defaultValue` if there is none. Never waits. */
  getString(flagKey: string, defaultValue: string, context?: Context): string
  /** The value of a NUMBER flag for this context, or `defaultValue` if there is none. Never waits. */
  getNumber(flagKey: string, defaultValue: number, context?: Context): number
  /**
   * The value of a JSON flag for this context, or `defaultValue` if there is none. Never waits. The value is frozen.
   * Its shape is not checked: `Value` is only what your code expects.
   */
  getJson<Value = JsonValue>(flagKey: string, defaultValue: Value, context?: Context): Value
  /**
   * The value with its variation, rule and reason. The type of the default says which type of flag is expected: an
   * object, a list or null stands for a JSON flag.
   */
  getDetails(flagKey: string, defaultValue: boolean, context?: Context): Details<boolean>
  getDetails(flagKey: string, defaultValue: string, context?: Context): Details<string>
  getDetails(flagKey: string, defaultValue: number, context?: Context): Details<number>
  getDetails<Value extends object | null>(flagKey: string, defaultValue: Value, context?: Context): Details<Value>
  /**
   * All flags of the data file for this context, by flag key; empty before the first file. The value of a malformed
   * flag is undefined. Much faster than evaluating one by one. Does not count the flags as evaluated, nor the visitor.
   */
  getAllDetails(context?: Context): Map<string, Details<JsonValue | undefined>>
  /** Adds a listener and returns a function that removes it. Errors that a listener throws go to the logger. */
  on<Name extends keyof ClientEvents>(event: Name, listener: (payload: ClientEvents[Name]) => unknown): () => void
  /**
   * Requests the data file now, or joins the running request. Resolves when the request ends, even if it fails.
   * Offline, it resolves when the store has been read.
   */
  refresh(): Promise<void>
  /** As {@link Client.getBoolean}, but the visitor is not counted. */
  peekBoolean: Client['getBoolean']
  /** As {@link Client.getString}, but the visitor is not counted. */
  peekString: Client['getString']
  /** As {@link Client.getNumber}, but the visitor is not counted. */
  peekNumber: Client['getNumber']
  /** As {@link Client.getJson}, but the visitor is not counted. */
  peekJson: Client['getJson']
  /** As {@link Client.getDetails}, but the visitor is not counted. */
  peekDetails: Client['getDetails']
  /**
   * Reports what a visitor did, such as an order. Metrics of A/B tests count it. The event is sent within 5 s. Without
   * a `targetingKey` in the context, nothing is sent and the logger is called.
   *
   * @example client.track('order_paid', { context: { targetingKey: 'u-17' }, value: 49.9 })
   */
  track(eventKey: string, options?: TrackOptions): void
  /** Whether exposures and tracked events are sent; see the option `tracking`. `false` forgets those that wait. */
  setTracking(wanted: boolean): void
  /** Number of events that will not be counted: too many waited, or they were refused, rejected or too large. */
  readonly droppedEvents: number
  /** Sends the waiting events and the keys of evaluated flags now. Resolves when that has ended, even if it failed. */
  flush(): Promise<void>
  /**
   * Stops streaming and polling, aborts requests and removes listeners. Evaluations still use the last valid file.
   * Resolves when the waiting events have been sent, or when that has failed. Never rejects.
   */
  close(): Promise<void>
}

/**
 * Starts a client. It fetches the data file of the environment at once, then after every poll interval or when the
 * stream announces a new revision. It evaluates flags locally.
 *
 * @param replaced timers, clock and random numbers, for tests that control time; by default those of the process
 * @throws TypeError if an option is wrong; the methods of the client never throw
 * @example
 * import { createClient } from '@svc/sdk'
 *
 * const client = createClient({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' })
 * await client.waitUntilReady({ timeoutMs: 2_000 })
 * console.log(client.getBoolean('new-checkout', false, { targetingKey: 'u-17', country: 'NL' }))
 * client.on('change', ({ revision, changedFlags }) => console.log(revision, changedFlags))
 * client.close()
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: properties of an object keep their names in the browser build, whose size is limited; variables of a closure do not
export function createClient(options: ClientOptions, replaced?: Partial<Platform>): Client {
  const platform = { ...thisPlatform, ...replaced }
  const settings = readSettings(options)
  if (!isForPage) ensureNotInPage(settings.ingestKey, platform)
  const events = createEmitter<ClientEvents>((fault) => settings.warn('a listener threw', fault), 'ready')
  const warnOnce = onceEach(settings.warn)
  // A set, so that a wait that ends by its time limit leaves nothing behind.
  const waiting = new Set<(isReady: boolean) => void>()
  let outcome: boolean | undefined
  const settle = (isReady: boolean): void => {
    outcome ??= isReady
    for (const tell of waiting) tell(outcome)
    waiting.clear()
  }
  const ready = new Promise<void>((resolve) => {
    waiting.add((isReady) => isReady && resolve())
  })
  events.on('ready', () => {
    settle(true)
    if (!isForPage) replica.keepAlive(false)
  })
  const replica = createReplica(settings, platform, events.emit)
  const tracking = createTracking(settings, platform)
  if (settings.offline) void replica.refresh().then(() => settle(false))

  const stops: (() => void)[] = settings.offline
    ? []
    : [
        platform.onVisibility((isHidden) => {
          tracking.turn(isHidden)
          if (isHidden) void replica.report()
          else replica.show()
        }),
      ]
  // Elsewhere, timers see to it. Here, they can end with their request.
  const catchesUp = !isForPage && platform.sdkType === 'edge'

  const peek = <Value>(flagKey: string, defaultValue: Value, type: FlagType, context?: Context) => {
    if (catchesUp) void replica.catchUp()
    const found = evaluate(replica.held()?.evaluator, flagKey, defaultValue, type, context)
    // The key is probably misspelled.
    if (found.errorCode === 'FLAG_NOT_FOUND') warnOnce('the data file has no flag', flagKey, `flag ${flagKey}`)
    const isNeeded = found.reason === 'UNIT_MISSING' || typeof context === 'string'
    if (isNeeded || (!isForPage && isMisnamed(context))) warnOfContext(context)
    return found
  }
  const isMisnamed = misnamedVisitors()
  const warnOfContext = (context: unknown) => {
    if (userOf(context) !== undefined) return
    warnOnce('the context needs a targetingKey, a text or a number', `found: ${foundIn(context)}`)
  }
  const details = <Value>(flagKey: string, defaultValue: Value, type: FlagType, context?: Context) => {
    const found = peek(flagKey, defaultValue, type, context)
    if (found.measured) tracking.expose(flagKey, found, context)
    return found
  }
  const valueBy =
    (ask: typeof peek, type: FlagType) =>
    <Value>(flagKey: string, defaultValue: Value, context?: Context) =>
      ask(flagKey, defaultValue, type, context).value

  const lent: Connection | undefined = isForPage
    ? undefined
    : {
        ...{ baseUrl: options.baseUrl.replace(/\/+$/, ''), settings, platform, emit: events.emit },
        ...{ compile, expose: tracking.expose },
        onClose: (stop) => void stops.push(stop),
      }

  return {
    ...(!isForPage && { [connection]: lent }),
    get status() {
      return replica.status()
    },
    get revision() {
      return replica.held()?.file.revision ?? null
    },
    get dataFile() {
      return replica.held()?.file ?? null
    },
    get streaming() {
      return replica.streaming()
    },
    get ready() {
      if (!isForPage && replica.status() === 'connecting') replica.keepAlive(true)
      return ready
    },
    waitUntilReady: (wait) =>
      new Promise((resolve) => {
        const late = !isForPage && replica.catchUp()
        if (outcome !== undefined && !late) return resolve(outcome)
        let isOver = false
        const end = (isReady: boolean) => {
          isOver = true
          platform.clearTimeout(timer)
          waiting.delete(end)
          resolve(isReady)
        }
        const timer = platform.setTimeout(() => end(!!outcome), timerMs(wait?.timeoutMs, defaultWaitMs))
        if (late) void late.then(() => (outcome === undefined ? isOver || waiting.add(end) : end(outcome)))
        else waiting.add(end)
      }),
    getBoolean: valueBy(details, 'BOOLEAN'),
    getString: valueBy(details, 'STRING'),
    getNumber: valueBy(details, 'NUMBER'),
    getJson: valueBy(details, 'JSON'),
    getDetails: <Value>(flagKey: string, defaultValue: Value, context?: Context) =>
      details(flagKey, defaultValue, typeOf(defaultValue), context),
    peekBoolean: valueBy(peek, 'BOOLEAN'),
    peekString: valueBy(peek, 'STRING'),
    peekNumber: valueBy(peek, 'NUMBER'),
    peekJson: valueBy(peek, 'JSON'),
    peekDetails: <Value>(flagKey: string, defaultValue: Value, context?: Context) =>
      peek(flagKey, defaultValue, typeOf(defaultValue), context),
    getAllDetails: (context) =>
      replica.held()?.evaluator.evaluateAll((context ?? {}) as EvaluationContext) ?? new Map(),
    on: events.on,
    refresh: replica.refresh,
    track: tracking.track,
    setTracking: tracking.setTracking,
    get droppedEvents() {
      return tracking.dropped()
    },
    async flush() {
      await Promise.all([tracking.flush(), replica.report()])
    },
    async close() {
      for (const stop of stops) stop()
      const last = replica.close()
      events.clear()
      settle(false)
      await tracking.close()
      await last
    },
  }
}
