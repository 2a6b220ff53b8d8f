'use client'
import type { DataFile, Evaluator } from '@svc/core'
import { compile } from '@svc/core'
import type { FunctionComponent, ReactNode } from 'react'
import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { Client } from './client.ts'
import type { Context, Details } from './details.ts'
import { evaluate, typeOf } from './details.ts'
import type { TrackOptions } from './visitors/tracking.ts'

const defaultReadyTimeoutMs = 2_000
const bootstrapId = 'svc-flags'

/** What {@link SvcProvider} takes. */
export interface SvcProviderProps {
  /** A client that lives as long as the page. The provider does not close it. */
  client: Client
  /** The visitor, as plain data. An equal object changes nothing, so it can be written in place. */
  context?: Context | undefined
  /**
   * `true` suspends components that read a flag until the first data file is there, or `readyTimeoutMs` have passed.
   * Without it, they render with their defaults and once more with the values. Default: `false`.
   */
  suspense?: boolean
  /** The longest time to suspend, in milliseconds. Default: 2,000. */
  readyTimeoutMs?: number
  /** The components that use the hooks. */
  children?: ReactNode
}

/** A type of value, without the literal types of a default: `'Pay now'` becomes `string`. */
export type Widened<Value> = Value extends boolean
  ? boolean
  : Value extends string
    ? string
    : Value extends number
      ? number
      : Value

/** What a hook asks: a flag and its default. */
type Ask = <Value>(flagKey: string, defaultValue: Value) => Details<Value>

interface Provided {
  client: Client
  context: Context | undefined
  /** Calls a listener whenever a flag may have changed. */
  subscribe(listener: () => void): () => void
  /** Throws a promise as long as components should suspend. */
  wait(): void
  /** The data file that the page is made from on the server. */
  served(): DataFile | null
}

const Provided = createContext<Provided | undefined>(undefined)
/** Clients that a component has waited for. Here and not in a component, because one that suspends loses its state. */
const waits = new WeakMap<Client, Promise<unknown> | 'over'>()
/** Servers render every page with the same file. */
const evaluators = new WeakMap<DataFile, Evaluator>()

/**
 * Gives a client and the visitor to the hooks below it.
 *
 * @example
 * const client = createClient({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' })
 * root.render(<SvcProvider client={client} context={{ targetingKey: 'u-17' }}><Shop /></SvcProvider>)
 */
export const SvcProvider: FunctionComponent<SvcProviderProps> = ({
  client,
  context,
  suspense,
  readyTimeoutMs = defaultReadyTimeoutMs,
  children,
}) => {
  const served = useMemo(() => servedBy(client), [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal context changes nothing
  const provided = useMemo(
    () => ({
      client,
      context,
      served,
      subscribe(listener: () => void) {
        const stops = [client.on('ready', listener), client.on('change', listener)]
        return () => {
          for (const stop of stops) stop()
        }
      },
      wait() {
        if (suspense) waitFor(client, readyTimeoutMs)
      },
    }),
    [client, textOf(context), suspense, readyTimeoutMs],
  )
  return createElement(Provided.Provider, { value: provided }, children)
}

/**
 * The value of a flag for the visitor of the {@link SvcProvider}, or `defaultValue` if there is none. The component
 * renders again when the value changes. An exposure is sent after the component is shown.
 *
 * @example const isNew = useFlag('new-checkout', false)
 */
export function useFlag(flagKey: string, defaultValue: boolean): boolean
export function useFlag(flagKey: string, defaultValue: string): string
export function useFlag(flagKey: string, defaultValue: number): number
export function useFlag<Value extends object | null>(flagKey: string, defaultValue: Value): Value
export function useFlag<Value>(flagKey: string, defaultValue: Value): Value {
  return useAnswer((ask) => ask(flagKey, defaultValue).value, [flagKey, defaultValue])
}

/**
 * As {@link useFlag}, with variation, rule and reason. The component also renders again when one of them changes.
 */
export function useFlagDetails(flagKey: string, defaultValue: boolean): Details<boolean>
export function useFlagDetails(flagKey: string, defaultValue: string): Details<string>
export function useFlagDetails(flagKey: string, defaultValue: number): Details<number>
export function useFlagDetails<Value extends object | null>(flagKey: string, defaultValue: Value): Details<Value>
export function useFlagDetails<Value>(flagKey: string, defaultValue: Value): Details<Value> {
  return useAnswer((ask) => ask(flagKey, defaultValue), [flagKey, defaultValue])
}

/**
 * The values of several flags, by key. The component renders again when one of them changes.
 *
 * @example const { 'new-checkout': isNew, 'page-size': size } = useFlags({ 'new-checkout': false, 'page-size': 10 })
 */
export function useFlags<Defaults extends object>(
  defaults: Defaults,
): { readonly [Key in keyof Defaults]: Widened<Defaults[Key]> } {
  return useAnswer(
    (ask) => Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, ask(key, value).value])) as never,
    defaults,
  )
}

/** The client of the {@link SvcProvider}. */
export const useSvcClient = (): Client => useProvided().client

/**
 * A function that reports what the visitor did. It stays the same while the visitor does.
 *
 * @example
 * const track = useTrack()
 * track('order_paid', { value: 49.9 })
 */
export function useTrack(): (eventKey: string, options?: TrackOptions) => void {
  const { client, context } = useProvided()
  return useCallback(
    (eventKey, options) => client.track(eventKey, { ...(context && { context }), ...options }),
    [client, context],
  )
}

/**
 * Writes the data file that the server renders with into the page, for {@link readBootstrap}. Render it inside of the
 * {@link SvcProvider}, on the server and in the browser. A content security policy does not need the `nonce`, because
 * the script is only data.
 */
export const SvcBootstrap: FunctionComponent<{ client: Client; nonce?: string }> = ({ client, nonce }) => {
  const provided = useContext(Provided)
  // In a page there is nothing to wait for: the script is there or it is not needed.
  if (!globalThis.document) provided?.wait()
  const text = useMemo(() => {
    const file = provided?.client === client ? provided.served() : client.dataFile
    // Without `<`, so that a value that contains `</script>` cannot end the script.
    return JSON.stringify(file).replaceAll('<', '\\u003c')
  }, [client, provided])
  return createElement('script', {
    type: 'application/json',
    id: bootstrapId,
    nonce,
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: text },
  })
}

/**
 * The data file that {@link SvcBootstrap} wrote into the page, as text; undefined if there is none.
 *
 * @example const client = createClient({ sdkKey, baseUrl, bootstrap: readBootstrap() })
 */
export function readBootstrap(): string | undefined {
  const text = globalThis.document?.getElementById(bootstrapId)?.textContent
  return text && text !== 'null' ? text : undefined
}

function useProvided(): Provided {
  const provided = useContext(Provided)
  if (!provided) throw new Error('Svc: SvcProvider is missing')
  return provided
}

/** `given` is what the answer depends on besides client and visitor. */
function useAnswer<Answer>(question: (ask: Ask) => Answer, given: unknown): Answer {
  const { client, context, subscribe, served, wait } = useProvided()
  wait()
  const shown = useRef<Answer | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `given` stands for the question
  const [read, readServed] = useMemo(() => {
    let last = shown.current
    let first: Answer | undefined
    const peek: Ask = (flagKey, defaultValue) => client.peekDetails(flagKey, defaultValue as object, context) as never
    const ofServer: Ask = (flagKey, defaultValue) =>
      evaluate(evaluatorOf(served()), flagKey, defaultValue, typeOf(defaultValue), context)
    return [() => (last = kept(last, kept(first, question(peek)))), () => (first = kept(first, question(ofServer)))]
  }, [client, context, served, textOf(given)])
  const answer = useSyncExternalStore(subscribe, read, readServed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` changes with the question
  useEffect(() => {
    shown.current = answer
    // A rule can begin to count without a change of the value. With a change, the next effect counts what is shown then.
    const expose = () => {
      if (Object.is(read(), answer))
        question((flagKey, defaultValue) => client.getDetails(flagKey, defaultValue as object, context) as never)
    }
    expose()
    return subscribe(expose)
  }, [read, subscribe, answer])
  return answer
}

/** The last answer if the next one is equal, so that objects keep their identity. */
const kept = <Answer>(last: Answer | undefined, next: Answer): Answer =>
  typeof next === 'object' && typeof last === 'object' && textOf(last) === textOf(next) ? last : next

/** A text to compare plain data by. What is no plain data is compared by its identity. */
function textOf(value: unknown): unknown {
  try {
    return JSON.stringify(value)
  } catch {
    return value
  }
}

/** Throws a promise while the first data file is awaited. */
function waitFor(client: Client, timeoutMs: number): void {
  if (client.dataFile) return
  let wait = waits.get(client)
  if (!wait) {
    wait = client.waitUntilReady({ timeoutMs }).then(() => waits.set(client, 'over'))
    waits.set(client, wait)
  }
  if (wait !== 'over') throw wait
}

/**
 * Finds the data file that a page is made from, once: on a server the file when it is first read, in a browser the one
 * that the server wrote into the page. So parts that render later do not differ from those that came before.
 */
function servedBy(client: Client): () => DataFile | null {
  const first = client.dataFile
  let served: DataFile | null | undefined
  return () => {
    if (served === undefined) served = writtenFor(client) ?? first ?? client.dataFile
    return served
  }
}

/** The file in the page, unless it is of a different client. */
function writtenFor({ dataFile }: Client): DataFile | undefined {
  try {
    const file = JSON.parse(readBootstrap() ?? '') as DataFile
    return file.environment.id === (dataFile ?? file).environment.id ? file : undefined
  } catch {
    return undefined
  }
}

function evaluatorOf(file: DataFile | null): Evaluator | undefined {
  if (!file) return undefined
  const evaluator = evaluators.get(file) ?? compile(file)
  evaluators.set(file, evaluator)
  return evaluator
}
