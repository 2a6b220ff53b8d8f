import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'

const megabyte = 1 << 20
const dripMs = 20
const [endless, fiveGigabytes] = [Infinity, 5 * 1024 * megabyte]

const letters = Buffer.alloc(megabyte, 'a')

const head = (status: string, ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n')
const text = (status: string, body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(head(status, `content-length: ${Buffer.byteLength(body)}`, ...headers)),
    Buffer.from(body),
  ])

// Gzip members of a few kilobytes, each a megabyte when unpacked.
const bomb = gzipSync(Buffer.alloc(megabyte))

/** What a receiver does after reading a request, by path. `query` is the text after the `?`. */
export const answers: Record<string, (socket: TLSSocket, query: string) => void> = {
  '/ok': (socket) => socket.write(text('200 OK', 'ok')),
  '/status': (socket, status) => socket.write(text(`${status} Whatever`, status === '204' ? '' : 'said')),
  '/redirect': (socket, status) => socket.write(text(`${status} Elsewhere`, '', 'location: /ok')),
  '/to': (socket, location) => socket.write(text('302 Elsewhere', '', `location: ${decodeURIComponent(location)}`)),
  '/nowhere': (socket) => socket.write(text('302 Elsewhere', '')),
  '/around': (socket, left) => {
    const next = Number(left) > 0 ? `/around?${Number(left) - 1}` : '/ok'
    socket.write(text('307 Elsewhere', '', `location: ${next}#top`))
  },
  '/tagged': (socket) =>
    socket.write(text('200 OK', 'tagged', 'etag: "v1"', 'last-modified: Tue, 01 Dec 2026 08:00:00 GMT')),
  // Chunks of 50 bytes, as a server sends that writes row by row.
  '/rows': (socket, count) => sendRows(socket, count),
  '/megabytes': (socket, count) =>
    pour(socket, head('200 OK', `content-length: ${Number(count) * megabyte}`), Number(count) * megabyte, letters),
  '/megabytes-until-close': (socket, count) =>
    socket.end(Buffer.concat([Buffer.from(head('200 OK')), ...Array(Number(count)).fill(letters)])),
  '/megabytes-cut': (socket) =>
    socket.end(Buffer.concat([Buffer.from(head('200 OK', `content-length: ${2 * megabyte}`)), letters])),
  '/busy': (socket) => socket.write(text('503 Busy', 'later', 'retry-after: 120')),
  '/late': (socket, ms) => setTimeout(() => socket.write(text('200 OK', 'late')), Number(ms)),
  '/silent': () => {},
  '/silent-after-head': (socket) => socket.write(head('200 OK', 'content-length: 10')),
  '/silent-in-body': (socket) => socket.write(`${head('200 OK', 'content-length: 10')}part`),
  '/failing-in-body': (socket) => socket.write(`${head('500 Broken', 'content-length: 10')}part`),
  '/drip': (socket) => {
    socket.write(head('200 OK', 'transfer-encoding: chunked'))
    every(socket, '1\r\n.\r\n')
  },
  '/drip-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    every(socket, 'x-more: x\r\n')
  },
  '/endless': (socket) => pour(socket, head('200 OK'), endless, Buffer.alloc(megabyte, 'a')),
  '/five-gigabytes': (socket) =>
    pour(socket, head('200 OK', `content-length: ${fiveGigabytes}`), fiveGigabytes, Buffer.alloc(megabyte, 'a')),
  '/bomb': (socket) => pour(socket, head('200 OK', 'content-encoding: gzip'), endless, bomb),
  '/long-head': (socket) => socket.write(head('200 OK', ...Array(200).fill(`x-long: ${'a'.repeat(1000)}`))),
  '/garbage': (socket) => socket.write('\0\x01SSH-2.0 hello\r\n\r\n'),
  '/bad-chunk': (socket) => socket.write(`${head('200 OK', 'transfer-encoding: chunked')}ZZ\r\n`),
  '/two-lengths': (socket) => socket.write(`${head('200 OK', 'content-length: 2', 'content-length: 3')}ok`),
  '/close': (socket) => socket.end(),
  '/reset': (socket) => resetConnection(socket),
  '/short': (socket) => socket.end(`${head('200 OK', 'content-length: 100')}abc`),
  // Keeps the connection after one request without announcing its end, and resets it with the next.
  '/close-unsaid': (socket) => {
    socket.write(text('200 OK', 'ok'))
    socket.removeAllListeners('data').once('data', () => resetConnection(socket))
  },
  '/closing': (socket) => socket.end(text('200 OK', 'bye', 'connection: close')),
  '/until-close': (socket) => socket.end(`${head('200 OK')}to the end`),
  '/continue': (socket) => socket.write(`${head('100 Continue')}${text('200 OK', 'went on')}`),
  '/continue-in-pieces': (socket) => inPieces(socket, `${head('100 Continue', 'x-a: b')}${text('200 OK', 'went on')}`),
  '/early-hints': (socket) => socket.write(`${head('103 Early Hints', 'link: </a>')}${text('200 OK', 'hinted')}`),
  '/continue-forever': (socket) => every(socket, head('100 Continue')),
  '/processing-forever': (socket) => every(socket, head('102 Processing')),
  '/switch': (socket) => socket.write(head('101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket')),
  '/compressed': (socket) => socket.write(text('200 OK', gzipSync('hello'), 'content-encoding: gzip')),
  '/encoded': (socket, encoding) => socket.write(text('200 OK', 'ok', `content-encoding: ${encoding}`)),
  '/cut-character': (socket) => socket.write(text('200 OK', `${'a'.repeat(1023)}é`)),
  '/nul': (socket) => socket.write(text('500 Broken', 'a\0b')),
  '/surrogates': (socket) => socket.write(text('200 OK', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]))),
  '/more-than-kept': (socket) => socket.write(text('500 Broken', 'a'.repeat(5000))),
}

function every(socket: TLSSocket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), dripMs)
  socket.once('close', () => clearInterval(timer))
}

function pour(socket: TLSSocket, beginning: string, bytes: number, piece: Buffer): void {
  socket.write(beginning)
  let left = bytes
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length
      if (!socket.write(piece)) return
    }
  }
  socket.on('drain', more)
  more()
}

function sendRows(socket: TLSSocket, count: string): void {
  const chunk = Buffer.from(`32\r\n${'r'.repeat(0x32)}\r\n`)
  socket.write(head('200 OK', 'transfer-encoding: chunked'))
  socket.write(Buffer.concat(Array<Buffer>(Number(count)).fill(chunk)))
  socket.write('0\r\n\r\n')
}

function inPieces(socket: TLSSocket, whole: string): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(whole.slice(at, at + 5))
    at += 5
    if (at >= whole.length) clearInterval(timer)
  }, 1)
  socket.once('close', () => clearInterval(timer))
}

// TLS cannot reset a connection; the socket below it can.
function resetConnection(socket: TLSSocket): void {
  const below = (socket as unknown as { _parent?: { resetAndDestroy(): void } })._parent
  if (below) below.resetAndDestroy()
  else socket.destroy()
}
