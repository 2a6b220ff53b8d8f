import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type CallerOptions, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const host = 'hook.example.test'
const timeoutMs = 500
// Nobody's by the rules, and on Linux a way to whatever listens on this machine.
const forbidden = '0.0.0.0'
const refusal = `URL host resolves to a private IP address (${forbidden})`
const unresolved = 'URL host cannot be resolved'

let authority: Authority
let receiver: Receiver
let caller: Caller

beforeAll(async () => {
  authority = await makeAuthority()
  caller = startCaller(authority.caPath)
  receiver = await startReceiver({ ...(await authority.issue([host])), host: '0.0.0.0' })
})

afterEach(() => caller.close())

afterAll(async () => {
  await caller.end()
  await receiver.close()
  await authority.remove()
})

const url = (path = '/ok', name = host) => `https://${name}:${receiver.port}${path}`
const openCaller = (lists: CallerOptions['names'][string]) =>
  caller.open({ names: { [host]: lists }, allowedHosts: `${host}:${receiver.port}`, timeoutMs })

describe('a name whose answers change', () => {
  it('good first, forbidden second: no second connection, and none that was kept is used', async () => {
    await openCaller([['127.0.0.1'], [forbidden]])
    const before = receiver.connections()
    expect(await caller.post(url())).toMatchObject({ status: 200 })
    expect(await caller.post(url())).toMatchObject({ status: null, error: refusal, charged: true })
    expect(await caller.post(url())).toMatchObject({ status: null, error: refusal })
    expect(receiver.connections()).toBe(before + 1)
  })

  it('good when saved, forbidden when sent to: no connection at all', async () => {
    await openCaller([['127.0.0.1'], [forbidden]])
    const before = receiver.connections()
    expect(await caller.check(url())).toBeUndefined()
    expect(await caller.post(url())).toMatchObject({ status: null, error: refusal })
    expect(receiver.connections()).toBe(before)
  })

  it('is resolved once for an attempt: the answer that was checked is the one connected to', async () => {
    await openCaller([['127.0.0.1'], [forbidden], ['127.0.0.1'], [forbidden]])
    const statuses = []
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await caller.post(url('/closing'))).status)
    expect(statuses).toEqual([200, null, 200, null])
  })

  it('makes no more connections than it has good answers, in whatever order they come', async () => {
    const answer = fc.array(fc.constantFrom('127.0.0.1', forbidden, '169.254.169.254', '::ffff:127.0.0.1'), {
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 8 }), async (lists) => {
        await openCaller(lists)
        const before = receiver.connections()
        const isGood = (list: string[]) => list.length > 0 && list.every((address) => address === '127.0.0.1')
        for (const list of lists) expect((await caller.post(url('/closing'))).status).toBe(isGood(list) ? 200 : null)
        expect(receiver.connections() - before).toBe(lists.filter(isGood).length)
        await caller.close()
      }),
      { numRuns: 25 },
    )
  })
})

describe('a name', () => {
  it.each([
    { what: 'with one forbidden answer among good ones', list: ['127.0.0.1', forbidden], error: refusal },
    { what: 'without answers', list: [], error: unresolved },
    {
      what: 'with an answer that is no address',
      list: ['localhost'],
      error: 'URL host resolves to a private IP address (localhost)',
    },
    { what: 'whose server never answers', list: 'never' as const, error: 'The endpoint did not answer within 0.5 s' },
  ])('$what is not connected to', async ({ list, error }) => {
    await openCaller([list])
    const before = receiver.connections()
    const attempt = await caller.post(url())
    expect(attempt).toMatchObject({ status: null, error, charged: true })
    expect(attempt.durationMs).toBeLessThan(timeoutMs + 300)
    expect(receiver.connections()).toBe(before)
  })

  it('that nobody has cannot be resolved', async () => {
    await caller.open({ names: {}, timeoutMs })
    expect(await caller.check('https://nobody.example.test/')).toBe(unresolved)
    expect(await caller.post('https://nobody.example.test/')).toMatchObject({ error: unresolved })
  })

  it('that is not allowed may not lead to this machine', async () => {
    await caller.open({ names: { 'other.example.test': [['127.0.0.1']] }, allowedHosts: `${host}:443`, timeoutMs })
    const problem = 'URL host resolves to a private IP address (127.0.0.1)'
    expect(await caller.check('https://other.example.test/')).toBe(problem)
    expect(await caller.post('https://other.example.test/')).toMatchObject({ error: problem })
  })

  it('is given up after 5 s when it is saved', async () => {
    await openCaller(['never'])
    expect(await caller.check(url())).toBe(unresolved)
  })
})

describe('a URL that was saved under other rules', () => {
  it.each(['https://127.0.0.1', 'https://0x7f.1', 'https://[::1]', 'https://localhost', `https://user:secret@${host}`])(
    '%s is checked at each attempt',
    async (origin) => {
      await openCaller([['127.0.0.1']])
      const before = receiver.connections()
      const attempt = await caller.post(`${origin}:${receiver.port}/ok`)
      expect(attempt).toMatchObject({ status: null, charged: true })
      expect(attempt.error).toMatch(/^URL must/)
      expect(attempt.error).not.toContain('secret')
      expect(receiver.connections()).toBe(before)
    },
  )
})

describe('a kept connection', () => {
  it('carries the next attempt', async () => {
    await openCaller([['127.0.0.1']])
    const before = receiver.connections()
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await caller.post(url())).status).toBe(200)
    expect(receiver.connections()).toBe(before + 1)
  })

  it('that the server closes on the next request costs no attempt', async () => {
    await openCaller([['127.0.0.1']])
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect(await caller.post(url('/close-unsaid'))).toMatchObject({ status: 200, error: null })
  })

  it('ends with the attempts under way when all is closed', async () => {
    await openCaller([['127.0.0.1']])
    const attempt = caller.post(url('/silent'))
    await caller.close()
    expect(await attempt).toMatchObject({ status: null, error: 'The attempt was interrupted', charged: false })
  })
})
