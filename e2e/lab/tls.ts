import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Certificate, makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { type ReceiverOptions, startReceiver } from '../../packages/server/src/platform/outbound/testing/receiver.ts'
import { labAuthority, morePublicAddresses } from './lab.ts'

interface BadTls {
  /** The error in the record of an attempt. */
  error: string
  /** Starts the server; returns a function that counts the requests it has read. */
  start(name: string, host: string): Promise<() => number>
}

const authority = labAuthority()
const stranger = await makeAuthority()
const oldest = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const
// Node's default list of ciphers excludes them by name.
const foreign = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CAMELLIA256-SHA384' } as const

const closed = 'The endpoint closed the connection without an answer'
const noTls = 'The endpoint does not speak TLS on this port'

/** Servers that must get no request, by name. */
export const badTls: Record<string, BadTls> = {
  'expired.example.test': {
    error: 'The certificate of the endpoint has expired',
    start: secured((name) => authority.issue([name], -1)),
  },
  'misnamed.example.test': {
    error: 'The certificate of the endpoint is for another host',
    start: secured(() => authority.issue(['other.example.test'])),
  },
  'self-signed.example.test': {
    error: 'The certificate of the endpoint is self-signed',
    start: secured((name) => authority.issueSelfSigned(name)),
  },
  'stranger.example.test': {
    error: 'The certificate of the endpoint is not from a trusted authority',
    start: secured((name) => stranger.issue([name])),
  },
  'old.example.test': {
    error: 'The endpoint does not speak TLS 1.2 or newer',
    start: secured((name) => authority.issue([name]), oldest),
  },
  'cipher.example.test': {
    error: 'No secure connection could be made with the endpoint',
    start: secured((name) => authority.issue([name]), foreign),
  },
  'plain.example.test': { error: noTls, start: instead((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')) },
  'garbage.example.test': { error: noTls, start: instead((socket) => socket.end(Buffer.alloc(100_000, '\0\x01SSH'))) },
  'hangs-up.example.test': { error: closed, start: instead((socket) => socket.end()) },
  'resets.example.test': { error: closed, start: instead((socket) => socket.resetAndDestroy()) },
}

/** Starts them all, each at its own address. */
export async function startBadTls(): Promise<{ names: Record<string, string[][]>; requests(): number }> {
  const names: Record<string, string[][]> = {}
  const counts: (() => number)[] = []
  for (const [index, [name, { start }]] of Object.entries(badTls).entries()) {
    const host = morePublicAddresses[index]!
    counts.push(await start(name, host))
    names[name] = [[host]]
  }
  await stranger.remove()
  return { names, requests: () => counts.reduce((sum, count) => sum + count(), 0) }
}

function secured(issue: (name: string) => Promise<Certificate>, options: ReceiverOptions = {}): BadTls['start'] {
  return async (name, host) => {
    const { requests } = await startReceiver({ ...(await issue(name)), ...options, host, port: 443 })
    return () => requests.length
  }
}

/** A server that acts like this instead of a handshake. */
function instead(act: (socket: Socket) => void): BadTls['start'] {
  return async (_name, host) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => act(socket))
    })
    server.listen(443, host)
    await once(server, 'listening')
    return () => 0
  }
}
