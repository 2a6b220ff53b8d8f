import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Load {
  requests: number
  /** The time of each request. */
  ms: number[]
}

/** Repeats one request on kept connections. Every answer must be as long as the first. */
export async function load(port: number, request: string, connections: number, seconds: number): Promise<Load> {
  const length = await lengthOfAnswer(port, request)
  const ms: number[] = []
  const end = performance.now() + seconds * 1000
  const turns = Array.from({ length: connections }, async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    let received = 0
    let asked = performance.now()
    socket.on('data', ({ length: more }) => {
      received += more
      if (received < length) return
      received -= length
      const now = performance.now()
      ms.push(now - asked)
      asked = now
      if (now < end) socket.write(request)
      else socket.end()
    })
    socket.write(request)
    await once(socket, 'close')
  })
  await Promise.all(turns)
  return { requests: ms.length, ms }
}

/** The length of the header lines and the body, on a kept connection like all later requests. */
async function lengthOfAnswer(port: number, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  let answer = Buffer.alloc(0)
  for await (const chunk of socket) {
    answer = Buffer.concat([answer, chunk as Buffer])
    const headEnd = answer.indexOf('\r\n\r\n')
    if (headEnd < 0) continue
    const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(answer.subarray(0, headEnd).toString())?.[1] ?? 0)
    if (answer.length >= headEnd + 4 + bodyLength) break
  }
  return answer.length
}
