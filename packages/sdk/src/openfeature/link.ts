import type { AnyProviderEvent, EvaluationContext, ResolutionDetails, TrackingEventDetails } from '@openfeature/core'
import type { Client } from '../client.ts'
import { createClient } from '../client.ts'
import type { ClientOptions } from '../client-options.ts'
import type { Status } from '../host.ts'
import type { Refusal } from '../requests/refusal.ts'
import { answerOf, withTexts } from './answer.ts'
import { createProviderEvents } from './events.ts'

const defaultReadyTimeoutMs = 5_000

/** The options of a provider that makes its own client. */
export interface SvcProviderOptions extends ClientOptions {
  /** Milliseconds that `initialize` waits for the first data file, before it rejects. Default: 5,000. */
  readyTimeoutMs?: number
}

/** A value of the type of flag that is asked for: the type of the default of the code can be a different one. */
type Sample = boolean | string | number | object

/** What a status of the client means to OpenFeature. */
const eventOf: Record<Status, string> = {
  connecting: 'PROVIDER_ERROR',
  ready: 'PROVIDER_READY',
  stale: 'PROVIDER_STALE',
  closed: 'PROVIDER_STALE',
}

/** Links a client to a provider of OpenFeature: what both kinds of provider have in common. */
// long-function: a split makes the providers larger than their size may be
export function linkTo(given: Client | SvcProviderOptions) {
  const isOwn = !('getDetails' in given)
  const { readyTimeoutMs = defaultReadyTimeoutMs, ...options } = given as SvcProviderOptions
  const open = () => (isOwn ? createClient(options) : (given as Client))
  const events = createProviderEvents()
  let client = open()
  let stops: (() => void)[] = []
  let isStarted = false
  /** The state that OpenFeature knows; undefined before it has set one by itself. */
  let told: string | undefined

  const tell = (): void => {
    const state = eventOf[client.status]
    if (!told || told === state) return
    told = state
    events.emit(state as AnyProviderEvent)
  }

  /** OpenFeature is about to set this state by itself. What the client says can only be told after that. */
  const assume = (state: string): void => {
    isStarted = true
    setTimeout(() => {
      if (!isStarted) return
      told = state
      tell()
    })
  }

  const stop = (): void => {
    for (const each of stops) each()
  }

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (message: string, code: string) => reject(Object.assign(new Error(`Svc: ${message}`), { code }))
      stop()
      if (isOwn && client.status === 'closed') client = open()
      stops = [
        client.on('ready', tell),
        client.on('status', tell),
        client.on('change', ({ changedFlags: flagsChanged }) =>
          events.emit('PROVIDER_CONFIGURATION_CHANGED' as AnyProviderEvent, { flagsChanged }),
        ),
        client.on('error', ({ message, cause }) => {
          if (!client.dataFile && (cause as Partial<Refusal>)?.status === 404) fail(message, 'PROVIDER_FATAL')
        }),
      ]
      client
        .waitUntilReady({ timeoutMs: readyTimeoutMs })
        .then((isReady) => (isReady ? resolve() : fail(`no data file within ${readyTimeoutMs} ms`, 'GENERAL')))
    })

  return {
    events,
    initialize(): Promise<void> {
      const started = start()
      const mine = stops
      // Unless the provider was closed meanwhile.
      const settle = (state: string) => () => mine === stops && assume(state)
      started.then(settle('PROVIDER_READY'), settle('PROVIDER_ERROR'))
      return started
    },
    /** The web SDK sets its status to ready with every change of the context. */
    onContextChange(): void {
      if (isStarted) assume('PROVIDER_READY')
    },
    async onClose(): Promise<void> {
      stop()
      stops = []
      isStarted = false
      told = undefined
      await (isOwn ? client.close() : client.flush())
    },
    resolve<Value>(
      flagKey: string,
      defaultValue: Value,
      sample: Sample,
      context: EvaluationContext,
    ): ResolutionDetails<Value> {
      const details = client.getDetails(flagKey, sample as object, withTexts(context))
      return answerOf(flagKey, defaultValue, details, client.dataFile)
    },
    track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void {
      const { value, ...properties } = details ?? {}
      client.track(name, { context: withTexts(context), properties, ...(value !== undefined && { value }) })
    },
  }
}
