import { AsyncLocalStorage } from 'node:async_hooks'

/** Never ids of visitors, values, bodies, secrets or SDK keys. */
export type Attributes = Readonly<Record<string, string | number>>

/** A span that never ends is not sent. */
export interface Span {
  /** Its ids as the W3C header `traceparent` writes them. */
  readonly traceParent: string
  rename(name: string): void
  set(attributes: Attributes): void
  tell(event: string, attributes: Attributes): void
  /** @param type what kind of failure it was, in the words of OpenTelemetry's `error.type` */
  fail(type: string): void
  /** @param msAgo if it has ended before */
  end(msAgo?: number): void
}

export interface SpanOptions {
  kind?: 'server' | 'client'
  /** Default: none, so that a new trace begins. */
  parent?: Span | string | undefined
  /** The cause, in another trace. */
  link?: string | null
  /** When it began, if that is past. */
  startedMsAgo?: number
}

/** Sends spans to a collector. */
export interface Tracing {
  begin(name: string, attributes: Attributes, options?: SpanOptions): Span
  /** Sends what waits, for a limited time. */
  close(): Promise<void>
}

interface Scope {
  tracing: Tracing
  span?: Span
  action?: Action
}

/** A transaction of a change. It is sent only if it has recorded something. */
interface Action {
  span: Span
  isNamed: boolean
}

/**
 * Without a collector, there is never a scope: everything below costs one look-up. It is a scope and not a global,
 * because tests run several services in one process.
 */
const scopes = new AsyncLocalStorage<Scope>()

/** Runs work in a span, or with none as the root of spans of the work that it starts. */
export const inScope = <Result>(tracing: Tracing | null, span: Span | undefined, work: () => Result): Result =>
  tracing ? scopes.run({ tracing, ...(span && { span }) }, work) : work()

/** The span that the current work belongs to. */
export const currentSpan = (): Span | undefined => scopes.getStore()?.span

/** Begins a span under the current one. */
export function beginSpan(name: string, attributes: Attributes = {}): Span | undefined {
  const scope = scopes.getStore()
  return scope?.tracing.begin(name, attributes, { parent: scope.span })
}

/** Runs work in a span under the current one. */
export async function traced<Result>(name: string, attributes: Attributes, work: () => Promise<Result>) {
  const scope = scopes.getStore()
  if (!scope) return work()
  const span = scope.tracing.begin(name, attributes, { parent: scope.span })
  try {
    return await scopes.run({ tracing: scope.tracing, span }, work)
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Runs a transaction. If it records a change and is not refused, it becomes a span with the name of the change. */
export async function tracedAction<Result>(work: () => Promise<Result>, isRefused: (result: Result) => boolean) {
  const scope = scopes.getStore()
  if (!scope) return work()
  const { tracing, span: parent } = scope
  const span = tracing.begin('action', { 'db.system.name': 'postgresql' }, { parent })
  const action: Action = { span, isNamed: false }
  try {
    const result = await scopes.run({ tracing, span, action }, work)
    if (action.isNamed && !isRefused(result)) span.end()
    return result
  } catch (error) {
    span.fail(typeOf(error))
    if (action.isNamed) span.end()
    throw error
  }
}

/** Names the span of the current transaction after the first change that it records. */
export function nameAction(name: string): void {
  const action = scopes.getStore()?.action
  if (!action || action.isNamed) return
  action.isNamed = true
  action.span.rename(`action ${name}`)
}

/** Notes the revision that the current transaction makes. */
export function noteRevision(revision: number): void {
  scopes.getStore()?.action?.span.set({ 'svc.revision': revision })
}

const typeOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error')
