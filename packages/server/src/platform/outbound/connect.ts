import { connect as connectTcp, type Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import type { End } from './abort.ts'
import type { Destination } from './destination.ts'

// Happy eyeballs (RFC 8305) among the checked addresses: how long to wait for one before trying the next as well.
const nextAddressMs = 250

/** A connection to a checked address on which nothing has been sent yet. */
export interface Tunnel {
  socket: Socket
  address: string
}

/** Opens a TCP connection to one of the checked addresses. Nothing is resolved a second time. */
export async function connectDirectly({ host, port, addresses }: Destination, end: End): Promise<Tunnel> {
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup: (_host, { all }, done) =>
      all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
  })
  await opened(socket, 'connect', end)
  return { socket, address: socket.remoteAddress ?? '' }
}

/** Starts TLS over an open connection, using the name of the host for SNI and certificate. */
export async function secure(socket: Socket, host: string, end: End): Promise<TLSSocket> {
  const secured = startTls({ socket, host, servername: host, ALPNProtocols: ['http/1.1'] })
  return await opened(secured, 'secureConnect', end)
}

/** Resolves with the socket after `event`. Destroys it if it fails, closes or is aborted before. */
export function opened<Opened extends Socket>(socket: Opened, event: string, end: End): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      end.offAbort(abort)
      socket.off(event, succeed).off('close', close)
      act()
    }
    const succeed = () => settle(() => resolve(socket))
    const fail = (error: Error) => settle(() => reject(error))
    const close = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    const abort = () => {
      fail(end.reason as Error)
      socket.destroy()
    }
    // This listener stays: a later error of the socket must not end the process.
    socket.on('error', fail)
    socket.once(event, succeed).once('close', close)
    end.onAbort(abort)
    if (end.aborted) abort()
  })
}
