import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discardContinues } from './continues.ts'

const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const goOn = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100 Go on\r\nx-a: b\r\n\r\n']

/** Everything that a reader receives when each piece arrives by itself. */
async function readAll(pieces: string[], isExpecting = true): Promise<string> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const expectAnswer = discardContinues(socket)
  if (isExpecting) expectAnswer()
  let text = ''
  const ended = new Promise((resolve) => socket.once('end', resolve))
  socket.on('readable', () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk
  })
  for (const piece of pieces) {
    socket.push(piece)
    await new Promise(setImmediate)
  }
  socket.push(null)
  await ended
  return text
}

describe('the text read from a response', () => {
  it('is the response without any 100 before it, however it is split', async () => {
    const cuts = fc.array(fc.nat(150), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...goOn), { maxLength: 3 }), cuts, async (before, at) => {
        const whole = before.join('') + response
        const edges = [0, ...at.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
        const pieces = edges.slice(1).map((edge, index) => whole.slice(edges[index], edge))
        expect(await readAll(pieces.filter(Boolean))).toBe(response)
      }),
    )
  })

  it.each([
    ['another interim response', [`HTTP/1.1 103 Early Hints\r\n\r\n${response}`]],
    ['garbage', ['\0\x01SSH-2.0']],
    ['a body that looks like one', [response, goOn[0]!]],
    ['a head without end', [`HTTP/1.1 100 Continue\r\nx: ${'a'.repeat(20_000)}`]],
  ])('includes %s unchanged', async (_what, pieces) => expect(await readAll(pieces)).toBe(pieces.join('')))

  it('is everything when no response is expected', async () => expect(await readAll(goOn, false)).toBe(goOn.join('')))
})
