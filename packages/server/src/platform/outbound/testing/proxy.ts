import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createPlain, type Socket } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import type { Certificate } from './certificates.ts'

/** `tunnel` opens a tunnel, a status line refuses it, and the others never answer properly. */
export type ProxyManner = 'tunnel' | 'silent' | 'close' | `HTTP/1.1 ${string}` | 'garbage'

/** A CONNECT proxy that remembers its requests. */
export interface TestProxy {
  port: number
  asked: string[]
  close(): Promise<void>
}

export async function startProxy(manner: ProxyManner, certificate?: Certificate): Promise<TestProxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const serve = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    socket.once('data', (head) => {
      asked.push(String(head))
      behave(socket, manner, String(head).split(' ')[1]!)
    })
  }
  const server = certificate ? createSecure(certificate, serve) : createPlain(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function behave(socket: Socket, manner: ProxyManner, target: string): void {
  if (manner === 'tunnel') tunnel(socket, target)
  else if (manner === 'close') socket.end()
  else if (manner === 'garbage') socket.write('\0not a status line\r\n\r\n')
  else if (manner !== 'silent') socket.end(`${manner}\r\ncontent-length: 0\r\n\r\n`)
}

function tunnel(socket: Socket, target: string): void {
  const at = target.lastIndexOf(':')
  const far = connect(Number(target.slice(at + 1)), target.slice(0, at).replace(/^\[|\]$/g, ''))
  far.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
  far.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(far).pipe(socket)
  })
  socket.once('close', () => far.destroy())
}
