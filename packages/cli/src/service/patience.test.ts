import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keylessWrites, patientFetch } from './patience.ts'

/** A world in which waiting takes no time, and each request gets the next of these answers. */
function world(answers: (Response | Error)[]) {
  let now = 0
  const waits: number[] = []
  const keys: (string | null)[] = []
  const said: string[] = []
  const send = patientFetch(
    {
      now: () => new Date(now),
      sleep(ms) {
        waits.push(ms)
        now += ms
        return Promise.resolve()
      },
      async fetch(request) {
        keys.push((request as Request).headers.get('idempotency-key'))
        const next = answers.shift()!
        if (next instanceof Error) throw next
        return next
      },
    },
    { timeoutMs: 1000, onAnswer: () => undefined, onWait: (text) => said.push(text) },
  )
  return { send, waits, keys, said }
}

const answer = (status: number, headers?: Record<string, string>) =>
  new Response(null, { status, ...(headers && { headers }) })
const get = () => new Request('http://svc.test/api/v1/me')
const write = (path = '/api/v1/projects') => new Request(`http://svc.test${path}`, { method: 'POST', body: '{}' })

it('a write keeps one key through all tries, and a read has none', async () => {
  const { send, keys } = world([answer(503), new TypeError('fetch failed'), answer(201), answer(200)])
  expect((await send(write())).status).toBe(201)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  await send(get())
  expect(keys.at(-1)).toBeNull()
})

it('svc waits as long as Retry-After says, also for more than 30 s, but only once', async () => {
  const { send, waits, said } = world([answer(429, { 'retry-after': '45' }), answer(429, { 'retry-after': '45' })])
  expect((await send(get())).status).toBe(429)
  expect(waits).toEqual([45_000])
  expect(said).toEqual(['The service answered 429. Trying again in 45 s.'])
})

it('without Retry-After it waits longer each time, for 30 s in all', async () => {
  const { send, waits } = world(Array.from({ length: 20 }, () => answer(503)))
  expect((await send(get())).status).toBe(503)
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000])
})

it('a fault of the network is tried again three times', async () => {
  const { send, waits } = world(Array.from({ length: 5 }, () => new TypeError('fetch failed')))
  await expect(send(get())).rejects.toThrow('fetch failed')
  expect(waits).toHaveLength(3)
})

it('other answers are not tried again', async () => {
  const { send, waits } = world([answer(500)])
  expect((await send(get())).status).toBe(500)
  expect(waits).toEqual([])
})

it('svc sends a key to exactly those writes that accept one', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
  for (const [path, methods] of Object.entries<Record<string, { parameters?: { name: string }[] }>>(paths))
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      if (method === 'get') continue
      const accepts = parameters.some(({ name }) => name === 'idempotency-key')
      expect(
        keylessWrites.some((pattern) => pattern.test(path)),
        `${method} ${path}`,
      ).toBe(!accepts)
    }
})
