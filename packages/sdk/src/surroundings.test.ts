// What is around a client: caches and contexts of frameworks, pages that sleep, runtimes that stop timers.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Rule } from '@svc/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerStatus, answerWith } from '../test/service.ts'
import { createClient } from './client.ts'

const drawn: Rule = { id: '1', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on', traffic: 9_999 }
const file = datafileOf(5, { checkout: flagOf(false), draw: flagOf(false, { rules: [drawn] }) })
const soon = { interval: 2, timeout: 120_000 }

describe('A4 a framework', () => {
  it('whose fetch keeps answers does not bring back an old revision', async () => {
    const kept = new Map<string, Response>()
    const service = await serviceOfTest(answerWith(file))
    const caching: typeof fetch = async (url, init) => {
      const key = JSON.stringify([url, init?.headers])
      if (init?.method === 'POST' || init?.cache === 'no-store') return fetch(url, init)
      const answer = kept.get(key) ?? (await fetch(url, init))
      if (answer.status === 200) kept.set(key, answer.clone())
      return answer
    }
    const revisions = []
    for (const revision of [5, 6, 7]) {
      service.answer = answerWith(datafileOf(revision))
      const { client } = clientOfTest({ baseUrl: service.baseUrl, fetch: caching })
      await client.ready
      revisions.push(client.revision)
    }
    expect(revisions).toEqual([5, 6, 7])
  })

  it('caches neither heartbeats nor events', async () => {
    const inits: RequestInit[] = []
    const service = await serviceOfTest(answerWith(file))
    const { client } = clientOfTest({
      baseUrl: service.baseUrl,
      fetch: (url, init) => {
        inits.push(init ?? {})
        return fetch(url, init)
      },
    })
    await client.ready
    client.track('seen', { context: { targetingKey: 'u' } })
    await client.flush()
    await vi.waitUntil(() => service.heartbeats.length === 1, soon)
    expect(inits.map(({ cache }) => cache)).toEqual(['no-store', 'no-store', 'no-store'])
  })

  it('that makes a client in a request does not see its polls in that request', async () => {
    const requests = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const service = await serviceOfTest(answerWith(file))
    const client = requests.run('the first request', () =>
      createClient({
        sdkKey: 'sdk_1',
        baseUrl: service.baseUrl,
        pollIntervalMs: 1_000,
        fetch: (url, init) => {
          if (!init?.method) seen.push(requests.getStore())
          return fetch(url, init)
        },
      }),
    )
    onTestFinished(() => client.close())
    await vi.waitUntil(() => seen.length === 2, soon)
    expect(seen).toEqual([undefined, undefined])
  })
})

describe('A11 a fetch without web streams', () => {
  const textOnly: typeof fetch = async (url, init) => {
    const { status, ok, headers, text } = await fetch(url, init).then(async (response) => {
      const body = await response.text()
      return { status: response.status, ok: response.ok, headers: response.headers, text: async () => body }
    })
    return { status, ok, headers, text } as Response
  }
  const nodeStream: typeof fetch = async (url, init) =>
    ({ ...(await textOnly(url, init)), body: { pipe() {} } }) as never

  it.each([
    ['has only text()', textOnly],
    ['has a stream of Node', nodeStream],
  ])('that %s gives the data file and takes events once', async (_name, fetch) => {
    const service = await serviceOfTest(answerWith(file))
    const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, fetch })
    expect(await client.waitUntilReady()).toBe(true)
    client.track('seen', { context: { targetingKey: 'u' } })
    await client.flush()
    await client.flush()
    await client.refresh()
    expect([client.status, service.events.length, warnings]).toEqual(['ready', 1, []])
  })

  it('that gives more than 20 MB is refused', async () => {
    const service = await serviceOfTest(answerWith(file))
    const { client, warnings } = clientOfTest({
      baseUrl: service.baseUrl,
      fetch: async (url, init) =>
        ({ ...(await textOnly(url, init)), text: async () => ' '.repeat(20_000_001) }) as never,
    })
    await client.refresh()
    expect([client.status, warnings[0]]).toEqual(['connecting', expect.stringContaining('more than 20000000 bytes')])
  })
})

describe('A8 a page that is visible or online again', () => {
  async function failing() {
    const service = await serviceOfTest(answerStatus(503))
    const running = clientOfTest({ baseUrl: service.baseUrl }, { sdkType: 'browser', random: () => 0.5 })
    for (let i = 0; i < 8; i++) await running.client.refresh()
    service.answer = answerWith(file)
    return { service, ...running }
  }

  it('asks at once, and not again within 3 s', async () => {
    const { client, service, time } = await failing()
    const before = service.requests.length
    time.advance(10_000)
    for (let i = 0; i < 5; i++) time.show()
    time.advance(0)
    await vi.waitUntil(() => client.status === 'ready', soon)
    for (let i = 0; i < 5; i++) time.show()
    time.advance(2_999)
    expect(service.requests.length).toBe(before + 1)
    time.advance(1)
    await vi.waitUntil(() => service.requests.length === before + 2, soon)
  })

  it('asks soon if it has just asked', async () => {
    const { client, time } = await failing()
    time.show()
    time.advance(3_000)
    await vi.waitUntil(() => client.status === 'ready', soon)
  })

  it('sends events that failed', async () => {
    const service = await serviceOfTest(answerWith(file))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl }, { sdkType: 'browser' })
    await client.ready
    service.eventsAnswer = answerStatus(503)
    client.track('seen', { context: { targetingKey: 'u' } })
    await client.flush()
    service.eventsAnswer = answerStatus(202, '{"rejected":[]}')
    time.show()
    await vi.waitUntil(() => service.events.length === 2, soon)
  })

  it('asks for nothing after close()', async () => {
    const { client, service, time } = await failing()
    const before = service.requests.length
    await client.close()
    time.show()
    time.advance(60_000)
    expect(service.requests.length).toBe(before)
  })
})

describe('A9 and A10 an edge runtime', () => {
  it('that refuses timers outside of a request gets its first file in one', async () => {
    const service = await serviceOfTest(answerWith(file))
    let isInRequest = false
    const warnings: string[] = []
    const client = createClient(
      { sdkKey: 'sdk_1', baseUrl: service.baseUrl, logger: { warn: (message) => warnings.push(message) } },
      {
        sdkType: 'edge',
        setTimeout(run, delayMs) {
          if (!isInRequest) throw new Error('Disallowed operation called within global scope.')
          return setTimeout(run, delayMs) as never
        },
      },
    )
    onTestFinished(() => client.close())
    expect([client.status, service.requests.length]).toEqual(['connecting', 0])
    isInRequest = true
    expect([await client.waitUntilReady({ timeoutMs: 20_000 }), client.status]).toEqual([true, 'ready'])
    expect(warnings).toEqual([])
  })

  /** The timers of a request end with it. */
  async function atEdge() {
    const service = await serviceOfTest(answerWith(file))
    const running = clientOfTest(
      { baseUrl: service.baseUrl, pollIntervalMs: 1_000 },
      { sdkType: 'edge', random: () => 0.5 },
    )
    await running.client.waitUntilReady()
    await vi.waitUntil(() => running.client.status === 'ready', soon)
    service.answer = answerWith(datafileOf(6))
    const stopTimers = () => {
      for (const timer of running.time.pending()) running.time.platform.clearTimeout(timer)
    }
    return { service, ...running, stopTimers }
  }

  it('that stopped the timers is stale when the poll is overdue, and waits for the next file', async () => {
    const { client, time, stopTimers } = await atEdge()
    stopTimers()
    time.advance(2_000)
    expect(client.status).toBe('ready')
    time.advance(1)
    expect([client.status, client.revision]).toEqual(['stale', 5])
    expect(await client.waitUntilReady()).toBe(true)
    expect([client.status, client.revision]).toEqual(['ready', 6])
  })

  it('that stopped the timers asks with the next evaluation', async () => {
    const { client, time, stopTimers } = await atEdge()
    stopTimers()
    time.advance(5_000)
    client.getBoolean('checkout', true)
    client.getBoolean('checkout', true)
    await vi.waitUntil(() => client.revision === 6, soon)
    expect(client.status).toBe('ready')
  })

  it('that ended a request with its fetch begins another one, and the wait keeps its limit', async () => {
    const { client, service, time, stopTimers } = await atEdge()
    service.answer = () => {}
    stopTimers()
    time.advance(5_000)
    const waited = client.waitUntilReady({ timeoutMs: 500 })
    time.advance(500)
    expect([await waited, client.status]).toEqual([true, 'stale'])
    stopTimers()
    time.advance(2_000)
    service.answer = answerWith(datafileOf(7))
    await client.waitUntilReady()
    expect([client.status, client.revision]).toEqual(['ready', 7])
  })

  it('that ended a request with its events sends them with the next flush', async () => {
    const { client, service, time, stopTimers } = await atEdge()
    service.eventsAnswer = () => {}
    client.track('seen', { context: { targetingKey: 'u' } })
    void client.flush()
    await vi.waitUntil(() => service.events.length === 1, soon)
    stopTimers()
    service.eventsAnswer = answerStatus(202, '{"rejected":[]}')
    time.advance(10_001)
    await client.flush()
    expect(service.events).toHaveLength(2)
    expect(service.events[1]).toEqual(service.events[0])
  })

  it.each(['node', 'browser'] as const)('%s evaluates without looking at the clock', async (sdkType) => {
    const service = await serviceOfTest(answerWith(file))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl }, { sdkType })
    await client.ready
    await vi.waitUntil(() => client.status === 'ready', soon)
    const now = vi.spyOn(time.platform, 'now')
    client.getBoolean('checkout', true)
    expect(now).not.toHaveBeenCalled()
  })
})

it('A3 waits with a time limit leave nothing behind', async () => {
  const { client, time } = clientOfTest({ fetch: () => new Promise(() => {}) })
  const refs: WeakRef<object>[] = []
  for (let i = 0; i < 100; i++) {
    const waited = client.waitUntilReady({ timeoutMs: 1 })
    refs.push(new WeakRef(waited))
    time.advance(1)
    expect(await waited).toBe(false)
  }
  await new Promise(setImmediate)
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--expose-gc')
  const { runInNewContext } = await import('node:vm')
  runInNewContext('gc')()
  expect(refs.filter((ref) => ref.deref()).length).toBeLessThan(10)
})

describe('A5 a listener of ready that comes late', () => {
  it('is called once, unless it was removed', async () => {
    const heard: unknown[] = []
    const { client } = clientOfTest({ offline: true, bootstrap: file })
    await client.ready
    await null
    client.on('ready', ({ revision }) => heard.push(revision))
    client.on('ready', () => heard.push('removed'))()
    const stop = client.on('ready', () => {
      heard.push('self')
      stop()
    })
    await new Promise(setImmediate)
    expect(heard).toEqual([5, 'self'])
    await client.close()
    client.on('ready', () => heard.push('closed'))
    await new Promise(setImmediate)
    expect(heard).toEqual([5, 'self'])
  })

  it('is called once if it is added by another one', async () => {
    const heard: unknown[] = []
    const { client } = clientOfTest({ offline: true, bootstrap: file })
    client.on('ready', () => {
      client.on('ready', () => heard.push('inner'))
    })
    await client.ready
    await new Promise(setImmediate)
    expect(heard).toEqual(['inner'])
  })
})

describe('B1 evaluated flags', () => {
  const told = (service: Awaited<ReturnType<typeof serviceOfTest>>) =>
    service.heartbeats.flatMap(({ body }) => body.evaluatedFlags as unknown as string[])

  it.each(['flush', 'close', 'hide'] as const)('are reported by %s', async (end) => {
    const service = await serviceOfTest(answerWith(file))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl }, { sdkType: 'browser' })
    await client.waitUntilReady()
    await vi.waitUntil(() => service.heartbeats.length === 1, soon)
    client.getString('checkout', 'x')
    await (end === 'hide' ? time.hide() : client[end]())
    await vi.waitUntil(() => service.heartbeats.length === 2, soon)
    await (end === 'hide' ? time.hide() : client[end]())
    await client.close()
    expect(new Set(told(service))).toEqual(new Set(['checkout']))
    // The end of a page does not wait for its heartbeat, so it can be sent again.
    expect(service.heartbeats.length).toBeLessThanOrEqual(end === 'hide' ? 3 : 2)
  })

  it('that were evaluated before a new revision are reported too', async () => {
    const service = await serviceOfTest(answerWith(file))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    await client.waitUntilReady()
    await vi.waitUntil(() => service.heartbeats.length === 1, soon)
    client.getBoolean('checkout', false)
    service.answer = answerWith(datafileOf(6))
    await client.refresh()
    await vi.waitUntil(() => service.heartbeats.length === 2, soon)
    await client.close()
    // A heartbeat whose answer is still on its way is sent again: twice is better than never.
    expect(new Set(told(service))).toEqual(new Set(['checkout']))
  })

  it('do not hold up close() when the service refuses them', async () => {
    const service = await serviceOfTest(answerWith(file))
    service.heartbeatAnswer = answerStatus(503)
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    await client.waitUntilReady()
    client.getBoolean('checkout', false)
    await client.close()
  })
})

describe('B10 a context without a targeting key', () => {
  it.each([
    [{ userId: 'u', country: 'NL' }, 'found: userId, country'],
    [{ key: 'u' }, 'found: key'],
    [{ targetingKey: {} }, 'found: targetingKey'],
    [{}, 'found: an empty context'],
    [undefined, 'found: no context'],
    ['u-17', 'found: string'],
  ])('is told about once: %j', async (context, found) => {
    const told: unknown[] = []
    const logger = { warn: (...given: unknown[]) => told.push(given) }
    const { client } = clientOfTest({ offline: true, bootstrap: file, logger })
    for (let i = 0; i < 3; i++) client.getBoolean('draw', false, context as object)
    expect(told).toEqual([['Svc: the context needs a targetingKey, a text or a number', found]])
  })

  it.each([{ userId: 'u' }, { key: 'u', plan: 'free' }, { id: 7 }])(
    'is told about by the name of its visitor where no rule draws: %j',
    async (context) => {
      const { client, warnings } = clientOfTest({ offline: true, bootstrap: file })
      for (let i = 0; i < 3; i++) client.getBoolean('checkout', false, context)
      expect(warnings).toEqual(['Svc: the context needs a targetingKey, a text or a number'])
    },
  )

  const unreadable = new Proxy({}, { getOwnPropertyDescriptor: () => expect.unreachable() })
  it.each([{ country: 'NL' }, undefined, null, 17, [], unreadable])(
    'is none where nobody is named and no rule draws: %#',
    async (context) => {
      const { client, warnings } = clientOfTest({ offline: true, bootstrap: file })
      expect(client.getBoolean('checkout', true, context as object)).toBe(false)
      expect(warnings).toEqual([])
    },
  )

  it.each(['u-17', 17, 12345678901234567890n])('is none with the key %s', async (targetingKey) => {
    const { client, warnings } = clientOfTest({ offline: true, bootstrap: file })
    expect(client.getDetails('draw', false, { targetingKey }).reason).toBe('TARGETING_MATCH')
    client.getBoolean('checkout', false)
    expect(warnings).toEqual([])
  })
})

it('B11 takes objects of types of the program as a context and as properties', () => {
  interface Visitor {
    targetingKey: string
    plan: 'free' | 'paid'
  }
  const visitor: Visitor = { targetingKey: 'u-17', plan: 'free' }
  const { client } = clientOfTest({ offline: true, bootstrap: file })
  expect(client.getDetails('draw', false, visitor).value).toBe(true)
  client.track('seen', { context: visitor, properties: visitor })
})

describe('B3 keys', () => {
  it.each(['svc_svc_abc', 'svc_pat_abc', ' svc_svc_abc', 'Bearer svc_ing_abc', '"svc_svc_abc"'])(
    'refuses the secret token %s without showing it',
    (sdkKey) => {
      const make = () => createClient({ sdkKey, baseUrl: 'http://127.0.0.1:9' })
      expect(make).toThrow(TypeError)
      expect(make).toThrow('sdkKey is a secret token')
      expect(make).not.toThrow('abc')
    },
  )

  it('shows at most 8 characters of a key', async () => {
    const service = await serviceOfTest(answerStatus(404))
    const { client, warnings } = clientOfTest({ sdkKey: 'sdk_0123456789abcdef', baseUrl: service.baseUrl })
    const told: string[] = []
    client.on('error', ({ message }) => told.push(message))
    await client.refresh()
    await client.refresh()
    for (const message of [...warnings, ...told]) expect(message).toContain('/datafile/sdk_0123….json')
    expect(told.length).toBeGreaterThan(0)
  })
})
