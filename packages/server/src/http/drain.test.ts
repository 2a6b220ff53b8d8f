import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { drainable } from './drain.ts'

const [never, atOnce] = [60_000, 1]
const ask = 'GET / HTTP/1.1\r\nHost: svc\r\n\r\n'

let server: Server
let isDraining = false

async function listen(listener: RequestListener, limits: { keptMs: number; underWayMs: number }) {
  isDraining = false
  server = createServer(listener)
  const drain = drainable(server, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return () => {
    isDraining = true
    return drain()
  }
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const answer: RequestListener = (_request, response) =>
  response.writeHead(200, { ...(isDraining && { connection: 'close' }), 'content-length': 2 }).end('ok')

async function connected(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  // A cut connection can see a reset.
  socket.on('error', () => {})
  await Promise.all([once(socket, 'connect'), once(server, 'connection')])
  return socket
}

async function exchange(socket: Socket): Promise<string> {
  socket.write(ask)
  const [text] = await once(socket, 'data')
  return String(text)
}

describe('a draining server', () => {
  it('answers a request on a kept connection, then closes the connection', async () => {
    const drain = await listen(answer, { keptMs: never, underWayMs: never })
    const socket = await connected()
    await exchange(socket)
    const drained = drain()
    const last = await exchange(socket)
    expect(last).toMatch(/^HTTP\/1\.1 200 /)
    expect(last.toLowerCase()).toContain('connection: close')
    await drained
  })

  it('accepts no new connection', async () => {
    const drain = await listen(answer, { keptMs: never, underWayMs: never })
    const { port } = server.address() as AddressInfo
    const socket = await connected()
    const drained = drain()
    const [error] = await once(connect(port, '127.0.0.1'), 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    await exchange(socket)
    await drained
  })

  it('closes unused connections, whether or not they were ever used', async () => {
    const drain = await listen(answer, { keptMs: atOnce, underWayMs: never })
    const [kept, unused] = [await connected(), await connected()]
    await exchange(kept)
    const closed = [once(kept, 'close'), once(unused, 'close')]
    await drain()
    await Promise.all(closed)
  })

  it('waits for a request in flight while it closes kept connections', async () => {
    const begun = Promise.withResolvers<() => void>()
    const drain = await listen((request, response) => begun.resolve(() => answer(request, response as never)), {
      keptMs: atOnce,
      underWayMs: never,
    })
    const [busy, unused] = [await connected(), await connected()]
    busy.write(ask)
    const finish = await begun.promise
    const drained = drain()
    await once(unused, 'close')
    finish()
    const [text] = await once(busy, 'data')
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    await drained
  })

  it('cuts connections that do not end', async () => {
    const drain = await listen(() => {}, { keptMs: never, underWayMs: atOnce })
    const socket = await connected()
    socket.write(ask)
    await once(server, 'request')
    const closed = once(socket, 'close')
    await drain()
    await closed
  })

  it('does nothing if it never listened', async () => {
    server = createServer(answer)
    await expect(drainable(server)()).resolves.toBeUndefined()
  })
})
