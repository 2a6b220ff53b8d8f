import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { startReceiver } from '../../packages/server/src/platform/outbound/testing/receiver.ts'
import { type Dns, type DnsAnswer, startDns } from './dns.ts'
import { forbiddenAddresses, labAuthority, publicAddress } from './lab.ts'

// Reached only when something hangs.
const waitLimitMs = 600_000
const certificateDays = 800

/** A request to the server of a customer, and its answer. */
export interface Arrival {
  host: string
  id: string
  event: string
  signedAt: Date
  signature: string
  timestamp: string
  body: string
  /** Id of the flag that the event is about; undefined for other events. */
  flagId: string | undefined
  atMs: number
  /** Null until it is answered. */
  status: number | null
}

export type Answer = number | 'reset' | { status: number; body: Buffer }

/** The servers of all customers, over real HTTPS at the public address of the lab: one for each name. */
export interface Customers {
  arrivals: Arrival[]
  /** Whether a host got an event about a flag. */
  hasHeard(host: string, flagId: string): boolean
  at(host: string): Arrival[]
  /** Sets how a host answers from now on. At first, each answers 204. */
  answer(host: string, how: (arrival: Arrival) => Answer | Promise<Answer>): void
  /** The highest number of simultaneous requests to a host. */
  mostAtOnce(host: string): number
  /** Resolves with the request or answer that makes `holds` true. */
  until(what: string, holds: () => boolean): Promise<void>
  dns: Dns
  /** Connections to addresses that must never be connected to. */
  forbiddenConnections(): number
}

/** `hook-0.example.test` and so on. */
export const hostOf = (index: number): string => `hook-${index}.example.test`
const hosts = 64

export async function startCustomers(more: Record<string, DnsAnswer[]> = {}): Promise<Customers> {
  const names = Object.fromEntries(Array.from({ length: hosts }, (_, index) => [hostOf(index), [[publicAddress]]]))
  const dns = await startDns({ ...names, ...more })
  const certificate = await labAuthority().issue(['example.test', '*.example.test'], certificateDays)
  const forbidden = await Promise.all(
    forbiddenAddresses.map((host) => startReceiver({ ...certificate, host, port: 443 })),
  )
  const arrivals: Arrival[] = []
  const answers = new Map<string, (arrival: Arrival) => Answer | Promise<Answer>>()
  const underWay = new Map<string, number>()
  const most = new Map<string, number>()
  const heard = new Set<string>()
  const waiting = new Set<() => void>()
  const tell = () => {
    for (const look of waiting) look()
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrival = arrivalOf(request, await buffer(request))
    const { host } = arrival
    arrivals.push(arrival)
    heard.add(`${host} ${arrival.flagId}`)
    count(host, 1)
    tell()
    try {
      const hungUp = new Promise<'gone'>((resolve) => response.once('close', () => resolve('gone')))
      const answer = await Promise.race([answers.get(host)?.(arrival) ?? 204, hungUp])
      if (answer === 'gone') return
      if (answer === 'reset') return resetConnection(request.socket)
      const { status, body } = typeof answer === 'number' ? { status: answer, body: usual(answer) } : answer
      arrival.status = status
      response.writeHead(status).end(body)
    } finally {
      count(host, -1)
      tell()
    }
  }

  function count(host: string, by: number): void {
    const now = (underWay.get(host) ?? 0) + by
    underWay.set(host, now)
    most.set(host, Math.max(now, most.get(host) ?? 0))
  }

  const server = createServer(certificate, (request, response) => {
    // A caller that was killed has closed the connection in the middle of its request.
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(443, publicAddress, resolve))

  return {
    arrivals,
    hasHeard: (host, flagId) => heard.has(`${host} ${flagId}`),
    at: (host) => arrivals.filter((arrival) => arrival.host === host),
    answer: (host, how) => void answers.set(host, how),
    mostAtOnce: (host) => most.get(host) ?? 0,
    until: (what, holds) =>
      new Promise((resolve, reject) => {
        const limit = setTimeout(() => end(new Error(`still waiting for ${what}`)), waitLimitMs)
        const look = () => {
          limit.refresh()
          if (holds()) end()
        }
        const end = (error?: Error) => {
          clearTimeout(limit)
          waiting.delete(look)
          if (error) reject(error)
          else resolve()
        }
        waiting.add(look)
        look()
      }),
    dns,
    forbiddenConnections: () => forbidden.reduce((sum, receiver) => sum + receiver.connections(), 0),
  }
}

const usual = (status: number) => (status === 204 ? undefined : 'said')

function arrivalOf({ headers }: IncomingMessage, bytes: Buffer): Arrival {
  const body = bytes.toString()
  const timestamp = String(headers['x-svc-timestamp'])
  return {
    host: headers.host ?? '',
    id: String(headers['x-svc-delivery-id']),
    event: String(headers['x-svc-event']),
    signature: String(headers['x-svc-signature']),
    timestamp,
    signedAt: new Date(timestamp),
    body,
    flagId: JSON.parse(body).flag?.id,
    atMs: performance.now(),
    status: null,
  }
}

// TLS has no reset of its own, but the socket below it has.
function resetConnection(socket: Socket): void {
  const below = (socket as unknown as { _parent?: Socket })._parent
  if (below) below.resetAndDestroy()
  else socket.destroy()
}
