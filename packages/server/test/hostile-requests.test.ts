import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../testing/full.ts'
import { createFlag, createProject, startTestService, type TestService } from '../testing/service.ts'

const kibibyte = 1024
const goodClients = 4
/** The minimum number of answers that other clients get meanwhile. */
const goodAnswers = isFull ? 300 : goodClients
/** The most that a slow client sends. It is less than the limit of a head, however slowly the others are answered. */
const slowBytes = 8 * kibibyte
let service: TestService
let port: number
let sdkKey: string

beforeAll(async () => {
  service = await startTestService()
  const project = await createProject(service)
  await createFlag(service, project, 'served')
  sdkKey = project.production.sdkKey
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
afterAll(() => service.close())

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // The service may close the connection while data is still being sent.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The answer until the service closed the connection. */
async function answerTo(...parts: (string | Uint8Array)[]): Promise<{ status: number; error: { code: string } }> {
  const socket = await open()
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), error: JSON.parse(body || '{}').error }
}

const line = (target = '/api/v1/projects', method = 'POST') => `${method} ${target} HTTP/1.1\r\n`
const credential = () => `Authorization: Bearer ${service.people.admin}\r\n`
const usual = () => `Host: svc.test\r\nConnection: close\r\n${credential()}Content-Type: application/json\r\n`

const post = (body: string | Uint8Array) =>
  answerTo(`${line()}${usual()}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body)

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const lastChunk = '0\r\n\r\n'

/** Sends requests until it is stopped, and collects their statuses and times. */
function startGoodClient() {
  const statuses: number[] = []
  const times: number[] = []
  let isOver = false
  const work = async () => {
    while (!isOver)
      for (const path of ['/api/v1/projects', `/api/sdk/v1/datafile/${sdkKey}.json`]) {
        const begun = performance.now()
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { authorization: `Bearer ${service.people.admin}` },
        })
        await answer.arrayBuffer()
        statuses.push(answer.status)
        times.push(performance.now() - begun)
      }
  }
  const working = work()
  return {
    statuses,
    async stop() {
      isOver = true
      await working
      return times
    },
  }
}

async function whileOthersWork(act: (answered: () => number) => Promise<void>): Promise<void> {
  const clients = Array.from({ length: goodClients }, startGoodClient)
  const statuses = () => clients.flatMap((client) => client.statuses)
  let times: number[] = []
  try {
    await act(() => statuses().length)
  } finally {
    times = (await Promise.all(clients.map((client) => client.stop()))).flat().sort((a, b) => a - b)
  }
  expect(statuses().length).toBeGreaterThanOrEqual(goodAnswers)
  expect(new Set(statuses())).toEqual(new Set([200]))
  const p99 = times[Math.floor(times.length * 0.99)]!
  console.info(`A1 ${expect.getState().currentTestName}: p99 of ${times.length} good requests ${p99.toFixed(1)} ms`)
}

const depth = 10_000
const nested = `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
const deepest = '['.repeat(512 * kibibyte) + ']'.repeat(512 * kibibyte)
const manyLists = `[${'[],'.repeat(340 * kibibyte)}[]]`
const manyKeys = `{${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":0`).join()}}`
const project = '{"name":"Hostile"}'

describe('A1 hostile requests get a 4xx while other clients are served', () => {
  test.each<[string, () => Promise<unknown>, number]>([
    ['a body with 10,000 levels', () => post(nested), 400],
    ['a body of opening and closing brackets', () => post(deepest), 400],
    ['a body with 340,000 lists', () => post(manyLists), 400],
    ['a body with 100,000 keys', () => post(manyKeys), 400],
    ['a repeated field', () => post('{"name":"One","name":"Two"}'), 400],
    ['a repeated field, once with escapes', () => post('{"name":"One","n\\u0061me":"Two"}'), 400],
    ['1e308 as a name', () => post('{"name":1e308}'), 400],
    ['a byte order mark', () => post(`\ufeff${project}`), 400],
    ['UTF-16', () => post(Buffer.from(project, 'utf16le')), 400],
    ['2 MiB in chunks', () => chunked(...Array(32).fill(chunk('x'.repeat(64 * kibibyte)))), 413],
    ['chunks of invalid JSON', () => chunked(chunk('{'), lastChunk), 400],
    ['an invalid chunk size', () => chunked('zz\r\n{}\r\n', lastChunk), 400],
    ['a header of 64 KB', () => answerTo(`${line()}${usual()}X-Big: ${'x'.repeat(64 * kibibyte)}\r\n\r\n`), 431],
    ['an absolute target', () => answerTo(`${line('http://svc.test/api/v1/projects', 'GET')}${usual()}\r\n`), 400],
    ['a target on a different host', () => answerTo(`${line('http://10.0.0.1/', 'GET')}${usual()}\r\n`), 400],
    ['both length and chunks', () => answerTo(`${line()}${usual()}Content-Length: 5\r\n${chunks}${lastChunk}`), 400],
    ['two lengths', () => answerTo(`${line()}${usual()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`), 400],
    ['a space before the colon', () => answerTo(`${line()}${usual()}X-Odd : 1\r\n\r\n`), 400],
    ['a folded header', () => answerTo(`${line()}${usual()}X-Odd: 1\r\n 2\r\n\r\n`), 400],
    ['a NUL in a header', () => answerTo(`${line()}${usual()}X-Odd: a\0b\r\n\r\n`), 400],
    ['bytes that are not HTTP', () => answerTo('\x16\x03\x01\x02\x00\x01\x00'), 400],
  ])('%s', async (_what, attack, status) => {
    await whileOthersWork(async (answered) => {
      do {
        const answers = await Promise.all(Array.from({ length: 5 }, attack))
        const error = expect.objectContaining({ code: expect.stringMatching(/^[a-z_]+$/) })
        for (const answer of answers) expect(answer).toEqual({ status, error })
      } while (answered() < goodAnswers)
    })
  })

  test('clients that disconnect at once do not delay others', async () => {
    await whileOthersWork(async (answered) => {
      const hangUp = async () => {
        const socket = await open()
        socket.write(`${line('/api/v1/projects', 'GET')}${usual()}\r\n`, () => socket.destroy())
        await once(socket, 'close')
      }
      do await Promise.all(Array.from({ length: 5 }, hangUp))
      while (answered() < goodAnswers)
    })
  })

  test('clients that send bodies and headers slowly do not delay others', async () => {
    await whileOthersWork(async (answered) => {
      const bodies = await Promise.all(Array.from({ length: 50 }, open))
      const heads = await Promise.all(Array.from({ length: 50 }, open))
      let dripped = 0
      for (const socket of bodies) socket.write(`${line()}${usual()}${chunks}`)
      for (const socket of heads) socket.write(line())
      for (const socket of [...bodies, ...heads]) socket.on('data', () => (dripped += 1))
      const enough = answered() + Math.max(100, goodAnswers)
      for (let turn = 0; answered() < enough; turn += 1) {
        if (turn < slowBytes) {
          for (const socket of bodies) socket.write(chunk(' '))
          for (const socket of heads) socket.write('X')
        }
        await nextTurn()
      }
      expect(dripped).toBe(0)
      for (const socket of [...bodies, ...heads]) socket.destroy()
    })
  })
})

const chunks = 'Transfer-Encoding: chunked\r\n\r\n'

const chunked = (...parts: string[]) => answerTo(`${line()}${usual()}${chunks}`, ...parts)
