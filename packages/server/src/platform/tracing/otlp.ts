import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Span, SpanOptions, Tracing } from './tracing.ts'

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export interface CollectorSettings {
  /** The base address of the collector. */
  url: string
  headers: Readonly<Record<string, string>>
  sampler: SamplerName
  /** The share of traces for the samplers with a ratio. */
  ratio: number
  version: string
}

/** Spans beyond these are dropped: a collector that does not answer costs a few megabytes at most. */
const maxWaitingSpans = 2_048
const sendEveryMs = 2_000
const sendTimeoutMs = 5_000
/** A node has 15 seconds to stop. */
const closeTimeoutMs = 2_000

/** Sends spans over OTLP, as protobuf over HTTP. Loaded only with `SVC_TELEMETRY_OTLP_URL`. */
export function openTracing({ url, headers, version, ...sampling }: CollectorSettings, log: Logger): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendTimeoutMs,
  })
  const processor = new BatchSpanProcessor({
    exporter: loggedOnce(exporter, log),
    maxQueueSize: maxWaitingSpans,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: sendTimeoutMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'svc', 'service.version': version }),
    sampler: samplerOf(sampling),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('svc', version)
  return {
    begin(name, attributes, { kind, parent, link, startedMsAgo }: SpanOptions = {}) {
      const linked = link ? spanContextOf(link) : undefined
      const span = tracer.startSpan(
        name,
        {
          attributes,
          ...(kind && { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT }),
          ...(linked && { links: [{ context: linked }] }),
          ...(startedMsAgo !== undefined && { startTime: Date.now() - startedMsAgo }),
        },
        contextOf(parent),
      )
      return spanOf(span)
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const limit = setTimeout(resolve, closeTimeoutMs)
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      clearTimeout(limit)
    },
  }
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    tell: (event, attributes) => void span.addEvent(event, attributes),
    fail(type) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', type)
    },
    end: (msAgo) => span.end(msAgo === undefined ? undefined : Date.now() - msAgo),
  }
}

function contextOf(parent: Span | string | undefined): Context {
  const spanContext = parent && spanContextOf(typeof parent === 'string' ? parent : parent.traceParent)
  return spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT
}

const traceParentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

function spanContextOf(traceParent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceParentPattern.exec(traceParent) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

function samplerOf({ sampler, ratio }: Pick<CollectorSettings, 'sampler' | 'ratio'>): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const [, isParentBased, name] = /^(parentbased_)?(.+)$/.exec(sampler) ?? []
  const root = roots[name as keyof typeof roots]()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

/** A collector that is away gets one line in the log, and one when it is back. */
function loggedOnce(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error && !isAway) log.warn({ reason: error.message }, 'the trace collector does not accept spans')
        if (!error && isAway) log.info('the trace collector accepts spans again')
        isAway = error !== undefined
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
