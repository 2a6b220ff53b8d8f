import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../../testing/full.ts'
import { type Caller, type CallerOptions, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const host = 'hook.example.test'
const gateHost = 'gate.example.test'
/** For a name server that never answers. The others get more: the first handshake on a busy machine takes long. */
const shortMs = 500
const patientMs = 5_000
// Not a valid destination, but on Linux it leads to any listener of this machine.
const forbidden = '0.0.0.0'
const refusal = `URL host resolves to a private IP address (${forbidden})`
const unresolved = 'URL host cannot be resolved'

let authority: Authority
let receiver: Receiver
/** A good host, which redirects to the address under test. */
let gate: Receiver
let caller: Caller

beforeAll(async () => {
  authority = await makeAuthority()
  caller = startCaller(authority.caPath)
  receiver = await startReceiver({ ...(await authority.issue([host])), host: '0.0.0.0' })
  gate = await startReceiver(await authority.issue([gateHost]))
})

afterEach(() => caller.close())

afterAll(async () => {
  await caller.end()
  await receiver.close()
  await gate.close()
  await authority.remove()
})

const url = (path = '/ok', name = host) => `https://${name}:${receiver.port}${path}`
const openCaller = (lists: CallerOptions['names'][string], timeoutMs = patientMs) =>
  openNames({ [host]: lists }, timeoutMs)
const openNames = (names: CallerOptions['names'], timeoutMs = patientMs) =>
  caller.open({
    names: { ...names, [gateHost]: [['127.0.0.1']] },
    allowedHosts: `${host}:${receiver.port},${gateHost}:${gate.port}`,
    timeoutMs,
  })

/** Each way to reach an address. All are guarded alike. */
const manners = [
  { manner: 'a request', late: 'The endpoint did not answer within 0.5 s', ask: (to: string) => caller.post(to) },
  {
    manner: 'a download',
    late: 'Nothing arrived for 0.5 s',
    ask: (to: string, idleMs = patientMs) => caller.download(to, { idleMs }),
  },
  {
    manner: 'a redirect',
    late: 'Nothing arrived for 0.5 s',
    ask: (to: string, idleMs = patientMs) =>
      caller.download(`https://${gateHost}:${gate.port}/to?${encodeURIComponent(to)}`, { idleMs }),
  },
]

describe.each(manners)('by $manner,', ({ late, ask }) => {
  describe('a host name whose addresses change', () => {
    it('gets neither a new connection nor a kept one when the second answer is forbidden', async () => {
      await openCaller([['127.0.0.1'], [forbidden]])
      const before = receiver.connections()
      expect(await ask(url())).toMatchObject({ status: 200 })
      expect(await ask(url())).toMatchObject({ status: null, error: refusal })
      expect(await ask(url())).toMatchObject({ status: null, error: refusal })
      expect(receiver.connections()).toBe(before + 1)
    })

    it('gets no connection when it was allowed when saved and is forbidden when used', async () => {
      await openCaller([['127.0.0.1'], [forbidden]])
      const before = receiver.connections()
      expect(await caller.check(url())).toBeUndefined()
      expect(await ask(url())).toMatchObject({ status: null, error: refusal })
      expect(receiver.connections()).toBe(before)
    })

    it('is resolved once per attempt, and the checked address is the one used', async () => {
      await openCaller([['127.0.0.1'], [forbidden], ['127.0.0.1'], [forbidden]])
      const statuses = []
      for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await ask(url('/closing'))).status)
      expect(statuses).toEqual([200, null, 200, null])
    })

    it('gets no more connections than it has allowed answers, in any order', async () => {
      const answer = fc.array(fc.constantFrom('127.0.0.1', forbidden, '169.254.169.254', '::ffff:127.0.0.1'), {
        maxLength: 3,
      })
      await fc.assert(
        fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 8 }), async (lists) => {
          await openCaller(lists)
          const before = receiver.connections()
          const isGood = (list: string[]) => list.length > 0 && list.every((address) => address === '127.0.0.1')
          for (const list of lists) expect((await ask(url('/closing'))).status).toBe(isGood(list) ? 200 : null)
          expect(receiver.connections() - before).toBe(lists.filter(isGood).length)
          await caller.close()
        }),
        { numRuns: runsOf(25) },
      )
    })
  })

  describe('a name', () => {
    it.each([
      { what: 'one answer among allowed ones is forbidden', list: ['127.0.0.1', forbidden], error: refusal },
      { what: 'there are no answers', list: [], error: unresolved },
      {
        what: 'an answer is not an address',
        list: ['localhost'],
        error: 'URL host resolves to a private IP address (localhost)',
      },
      {
        what: 'the name server never answers',
        list: 'never' as const,
        error: late,
      },
    ])('gets no connection when $what', async ({ list, error }) => {
      await openCaller([list], list === 'never' ? shortMs : patientMs)
      const before = receiver.connections()
      const patience = list === 'never' ? shortMs : patientMs
      expect(await ask(url(), patience)).toMatchObject({ status: null, error })
      expect(receiver.connections()).toBe(before)
    })

    it('cannot be resolved when it does not exist', async () => {
      await openNames({})
      expect(await caller.check('https://nobody.example.test/')).toBe(unresolved)
      expect(await ask('https://nobody.example.test/')).toMatchObject({ error: unresolved })
    })

    it('must not lead to this machine unless it is allowed', async () => {
      await openNames({ 'other.example.test': [['127.0.0.1']] })
      const problem =
        'URL host resolves to a private IP address (127.0.0.1), which needs the entry other.example.test:443 in SVC_WEBHOOK_ALLOWED_HOSTS'
      expect(await caller.check('https://other.example.test/')).toBe(problem)
      expect(await ask('https://other.example.test/')).toMatchObject({ error: problem })
    })
  })

  describe('a URL that was saved under other rules', () => {
    it.each([
      'https://127.0.0.1',
      'https://0x7f.1',
      'https://[::1]',
      'https://localhost',
      `https://user:secret@${host}`,
    ])('is checked at each attempt: %s', async (origin) => {
      await openCaller([['127.0.0.1']])
      const before = receiver.connections()
      const attempt = await ask(`${origin}:${receiver.port}/ok`)
      expect(attempt).toMatchObject({ status: null })
      expect(attempt.error).toMatch(/^URL must/)
      expect(attempt.error).not.toContain('secret')
      expect(receiver.connections()).toBe(before)
    })
  })
})

it('a name is given up after 5 s when a URL is saved', async () => {
  await openCaller(['never'], shortMs)
  expect(await caller.check(url())).toBe(unresolved)
})

describe('a kept connection', () => {
  it('carries the next attempt', async () => {
    await openCaller([['127.0.0.1']])
    const before = receiver.connections()
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await caller.post(url())).status).toBe(200)
    expect(receiver.connections()).toBe(before + 1)
  })

  it('costs no attempt when the server closes it on the next request', async () => {
    await openCaller([['127.0.0.1']])
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect(await caller.post(url('/close-unsaid'))).toMatchObject({ status: 200, error: null })
  })

  it('ends together with attempts under way when the caller closes', async () => {
    await openCaller([['127.0.0.1']])
    const attempt = caller.post(url('/silent'))
    await caller.close()
    expect(await attempt).toMatchObject({ status: null, error: 'The attempt was interrupted', charged: false })
  })
})
