import type { DataFile, EvaluationContext, FlagType, JsonValue } from '@svc/core'
import type { Details } from './details.ts'
import { evaluate, typeOf } from './details.ts'
import { createEmitter } from './emitter.ts'
import type { Status } from './host.ts'
import type { ClientOptions } from './options.ts'
import { readSettings, timerMs } from './options.ts'
import type { Platform } from './platform.ts'
import { platform as thisPlatform } from './platform.ts'
import type { ClientEvents } from './replica.ts'
import { createReplica } from './replica.ts'

const defaultWaitMs = 10_000
// Keys of flags that are not there, each of which the logger hears of once.
const mostUnknown = 100

/** Evaluates flags from a copy of the environment's data file, which it keeps up to date. No method throws. */
export interface Client {
  readonly status: Status
  /** Revision of the data file served; null before the first. */
  readonly revision: number | null
  /** The data file served, not to be changed: a server hands it to a page as its `bootstrap`. Null before the first. */
  readonly dataFile: DataFile | null
  /** True while the service streams. */
  readonly streaming: boolean
  /**
   * Resolves with the first good data file. It never rejects and stays pending while the service is down, so
   * where a start must not wait for ever, use {@link Client.waitUntilReady}. Once read, it keeps a Node process alive
   * until it resolves; otherwise nothing but a request under way or an open stream does.
   */
  readonly ready: Promise<void>
  /**
   * True with the first good data file, one from `bootstrap` or `store` included; false after `timeoutMs` (default
   * 10,000) or `close()`, and offline where there is none. Never rejects.
   */
  waitUntilReady(options?: { timeoutMs?: number }): Promise<boolean>
  /** The flag's value for this context, or `defaultValue` where it has none. Never waits. */
  getBoolean(flagKey: string, defaultValue: boolean, context?: EvaluationContext): boolean
  /** The flag's value for this context, or `defaultValue` where it has none. Never waits. */
  getString(flagKey: string, defaultValue: string, context?: EvaluationContext): string
  /** The flag's value for this context, or `defaultValue` where it has none. Never waits. */
  getNumber(flagKey: string, defaultValue: number, context?: EvaluationContext): number
  /**
   * The flag's value for this context, or `defaultValue` where it has none. Never waits. The value is frozen, and that
   * it has the type of the default is taken for granted.
   */
  getJson<Value = JsonValue>(flagKey: string, defaultValue: Value, context?: EvaluationContext): Value
  /**
   * As `getBoolean` and its like, by the type of the default, with the variation, rule and reason. Where the default is an
   * object, a list or null, the flag is a JSON flag.
   */
  getDetails(flagKey: string, defaultValue: boolean, context?: EvaluationContext): Details<boolean>
  getDetails(flagKey: string, defaultValue: string, context?: EvaluationContext): Details<string>
  getDetails(flagKey: string, defaultValue: number, context?: EvaluationContext): Details<number>
  getDetails<Value extends object | null>(
    flagKey: string,
    defaultValue: Value,
    context?: EvaluationContext,
  ): Details<Value>
  /**
   * Every flag of the data file for this context, by flag key; empty before the first file. A value is undefined where
   * the flag is malformed. Many times as quick as asking for one after the other.
   */
  getAllDetails(context?: EvaluationContext): Map<string, Details<JsonValue | undefined>>
  /** Listens; the function returned stops it. What a listener throws goes to the logger. */
  on<Name extends keyof ClientEvents>(event: Name, listener: (payload: ClientEvents[Name]) => unknown): () => void
  /**
   * Asks for the data file now, or joins the request under way. Resolves when that ended, well or not; offline, when
   * the store has been read.
   */
  refresh(): Promise<void>
  /** Stops streaming and polling, aborts requests under way, drops the listeners. Evaluations go on with the last good file. */
  close(): void
}

/**
 * Starts a client: it fetches the environment's data file at once and again at every interval, or when the stream tells
 * of a newer one, and evaluates locally.
 *
 * @param options what is wrong in them is thrown here as a TypeError; nothing throws later
 * @param replaced timers, clock and chance, for tests that move time by hand; what is left out is the process's own
 * @example
 * import { createClient } from '@svc/sdk'
 *
 * const client = createClient({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' })
 * await client.waitUntilReady({ timeoutMs: 2_000 })
 * console.log(client.getBoolean('new-checkout', false, { targetingKey: 'u-17', country: 'NL' }))
 * client.on('change', ({ revision, changedFlags }) => console.log(revision, changedFlags))
 * client.close()
 */
export function createClient(options: ClientOptions, replaced?: Partial<Platform>): Client {
  const platform = { ...thisPlatform, ...replaced }
  const settings = readSettings(options)
  const events = createEmitter<ClientEvents>((fault) => settings.warn('a listener threw', fault))
  let settle: (ready: boolean) => void
  const settled = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const ready = settled.then((isReady) => (isReady ? undefined : new Promise<void>(() => {})))
  events.on('ready', () => {
    settle(true)
    replica.keepAlive(false)
  })
  const replica = createReplica(settings, platform, events.emit)
  if (settings.offline) void replica.refresh().then(() => settle(false))

  const unknown = new Set<string>()
  const details = <Value>(flagKey: string, defaultValue: Value, type: FlagType, context?: EvaluationContext) => {
    const found = evaluate(replica.held()?.evaluator, flagKey, defaultValue, type, context)
    // Most likely misspelled. Keys may come from outside, so there is an end to it.
    if (found.errorCode === 'FLAG_NOT_FOUND' && unknown.size < mostUnknown && !unknown.has(flagKey)) {
      unknown.add(flagKey)
      settings.warn('the data file has no flag', flagKey)
    }
    return found
  }

  return {
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
      if (replica.status() === 'connecting') replica.keepAlive(true)
      return ready
    },
    waitUntilReady: (wait) =>
      new Promise((resolve) => {
        const timer = platform.setTimeout(() => resolve(false), timerMs(wait?.timeoutMs, defaultWaitMs))
        settled.then((isReady) => {
          platform.clearTimeout(timer)
          resolve(isReady)
        })
      }),
    getBoolean: (flagKey, defaultValue, context) => details(flagKey, defaultValue, 'BOOLEAN', context).value,
    getString: (flagKey, defaultValue, context) => details(flagKey, defaultValue, 'STRING', context).value,
    getNumber: (flagKey, defaultValue, context) => details(flagKey, defaultValue, 'NUMBER', context).value,
    getJson: (flagKey, defaultValue, context) => details(flagKey, defaultValue, 'JSON', context).value,
    getDetails: <Value>(flagKey: string, defaultValue: Value, context?: EvaluationContext) =>
      details(flagKey, defaultValue, typeOf(defaultValue), context),
    getAllDetails: (context) => replica.held()?.evaluator.evaluateAll(context ?? {}) ?? new Map(),
    on: events.on,
    refresh: replica.refresh,
    close() {
      replica.close()
      events.clear()
      settle(false)
    },
  }
}
