import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector gets it. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  /** 1: internal, 2: server, 3: client. */
  kind: number
  durationMs: number
  attributes: Record<string, string | number>
  events: { name: string; attributes: Record<string, string | number> }[]
  links: { traceId: string; spanId: string }[]
  /** 2: failed. */
  status: number
  resource: Record<string, string | number>
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  requests: { url: string; headers: IncomingHttpHeaders }[]
  /** Everything that arrived, for searches. */
  bytes(): Buffer
  close(): Promise<void>
}

/** An OpenTelemetry collector that keeps what it gets. It reads OTLP as protobuf over HTTP, and nothing else. */
export async function startCollector(answer: () => number | 'never' = () => 200): Promise<Collector> {
  const bodies: Buffer[] = []
  const collector: Pick<Collector, 'spans' | 'requests'> = { spans: [], requests: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const status = answer()
    collector.requests.push({ url: request.url!, headers: request.headers })
    if (status === 'never') return
    if (status === 200) {
      const body = Buffer.concat(chunks)
      bodies.push(body)
      collector.spans.push(...spansOf(body))
    }
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => Buffer.concat(bodies),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// The numbers of the fields are from opentelemetry/proto: trace/v1/trace.proto, common/v1/common.proto.

function spansOf(request: Buffer): CollectedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(messages(resourceSpans, 1)[0]!, 1))
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({ ...spanOf(span), resource }))
  })
}

function spanOf(span: Buffer): Omit<CollectedSpan, 'resource'> {
  const [status] = messages(span, 15)
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentSpanId: hex(span, 4),
    name: text(span, 5),
    kind: Number(number(span, 6)),
    durationMs: Number(number(span, 8) - number(span, 7)) / 1e6,
    attributes: attributesOf(messages(span, 9)),
    events: messages(span, 11).map((event) => ({ name: text(event, 2), attributes: attributesOf(messages(event, 3)) })),
    links: messages(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
    status: status ? Number(number(status, 3)) : 0,
  }
}

const attributesOf = (pairs: Buffer[]): Record<string, string | number> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [value] = messages(pair, 2)
      const [string] = messages(value!, 1)
      return [text(pair, 1), string ? string.toString('utf8') : Number(number(value!, 3))]
    }),
  )

type Field = { field: number; value: bigint | Buffer }

/** The fields of a message, in protobuf's wire format. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const field = tag >> 3
    const wireType = tag & 7
    if (wireType === 0) yield { field, value: varint() }
    else if (wireType === 1) yield { field, value: take(8).readBigUInt64LE() }
    else if (wireType === 2) yield { field, value: take(Number(varint())) }
    else if (wireType === 5) yield { field, value: BigInt(take(4).readUInt32LE()) }
    else throw new Error(`not protobuf: wire type ${wireType}`)
  }
}

const valuesOf = (message: Buffer, number: number) =>
  [...fieldsOf(message)].filter(({ field }) => field === number).map(({ value }) => value)
const messages = (message: Buffer, field: number) => valuesOf(message, field) as Buffer[]
const hex = (message: Buffer, field: number) => messages(message, field)[0]?.toString('hex') ?? ''
const text = (message: Buffer, field: number) => messages(message, field)[0]?.toString('utf8') ?? ''
const number = (message: Buffer, field: number) => (valuesOf(message, field)[0] ?? 0n) as bigint
