import { describe, expect, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerNever, answerStatus, answerWith } from '../test/service.ts'
import type { Shelf } from './storage.ts'
import { createStore, localStorageStore } from './storage.ts'

const first = datafileOf(5, { checkout: flagOf(false) })
const second = datafileOf(6, { checkout: flagOf(true) })
const elsewhere = datafileOf(90, {}, { environment: { id: 'e-2', key: 'staging' } })
const soon = { interval: 2, timeout: 10_000 }
const requestTimeoutMs = 10_000
const storeMs = 1_000

/** A shelf in memory; `saved` lists the revisions that were written. */
function shelfWith(text: string | null = null, changes: Partial<Shelf> = {}) {
  const memory = { text, saved: [] as number[] }
  const shelf: Shelf = {
    load: async () => memory.text,
    async save(_key, saved) {
      memory.text = saved
      memory.saved.push(JSON.parse(saved).revision)
    },
  }
  return Object.assign(memory, shelf, changes)
}

it.each<[string, unknown]>([
  ['no JSON', '{"schemaVersion":1'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another format', JSON.stringify({ ...first, schemaVersion: 2 })],
  ['a revision in quotation marks', JSON.stringify({ ...first, revision: '9' })],
  ['a number', 5],
  ['an object', { revision: 5 }],
])('a store that holds %s disturbs nothing, and the logger hears of it', async (_what, kept) => {
  const service = await serviceOfTest(answerWith(second))
  const shelf = shelfWith(null, { load: async () => kept as string })
  const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
  await client.refresh()
  expect([client.status, client.revision]).toEqual(['ready', 6])
  expect(warnings).toContain('Svc: the store failed')
})

describe('a file that was kept', () => {
  it('is served as stale until the service confirms it', async () => {
    const service = await serviceOfTest(answerWith(second))
    const shelf = shelfWith(JSON.stringify(second))
    const { client, told } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    expect(await client.waitUntilReady()).toBe(true)
    expect([client.status, client.revision, client.getBoolean('checkout', false)]).toEqual(['stale', 6, true])
    await client.refresh()
    expect(client.status).toBe('ready')
    expect([told, shelf.saved]).toEqual([['stale', 'ready 6', 'ready'], []])
  })

  it('is there at once where the store need not wait', () => {
    const { client, told } = clientOfTest({
      offline: true,
      store: localStorageStore({ getItem: () => JSON.stringify(first), setItem() {} }),
    })
    expect([client.status, client.revision, told]).toEqual(['stale', 5, []])
  })

  it('outlives a service that is down at the start', async () => {
    const { client, told } = clientOfTest({ store: createStore(shelfWith(JSON.stringify(first))) })
    await client.refresh()
    expect([client.status, client.getBoolean('checkout', true)]).toEqual(['stale', false])
    expect(told).toEqual(expect.arrayContaining(['ready 5', 'fetch failed']))
  })

  it('is not replaced by an older one of the service, nor by one that arrives first', async () => {
    const service = await serviceOfTest(answerWith(first))
    let recall = (_text: string) => {}
    const loaded = new Promise<string>((resolve) => {
      recall = resolve
    })
    const shelf = shelfWith(null, { load: () => loaded })
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    const asked = client.refresh()
    await expect.poll(() => service.requests.length, soon).toBe(1)
    recall(JSON.stringify(second))
    await asked
    expect([client.status, client.revision, shelf.saved]).toEqual(['stale', 6, []])
  })

  it('gives way to a newer one, which is kept', async () => {
    const service = await serviceOfTest(answerWith(second))
    const shelf = shelfWith(JSON.stringify(first))
    const { client, told } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 6])
    expect(told).toContain('change 6 checkout')
    await expect.poll(() => shelf.saved, soon).toEqual([6])
    expect(JSON.parse(shelf.text ?? '')).toEqual(second)
    await client.refresh()
    expect(shelf.saved).toEqual([6])
  })

  it('gives way to one of another environment', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith(JSON.stringify(elsewhere))
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 5])
    await expect.poll(() => shelf.saved, soon).toEqual([5])
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"schemaVersion":1,'],
    ['no data file', '{"schemaVersion":2,"revision":7,"flags":{}}'],
    ['a list', '[]'],
    ['more than 20 MB', `${' '.repeat(20_000_001)}${JSON.stringify(second)}`],
    ['hostile types', '{"schemaVersion":1,"revision":"7","flags":{"checkout":{"enabled":1}}}'],
  ])('is left alone when it is %s, and is replaced', async (_name, text) => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith(text)
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 5])
    await expect.poll(() => shelf.saved, soon).toEqual([5])
  })
})

describe('what is kept', () => {
  it('is not an older file over a newer one of another process, which is taken instead', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith()
    const { client, told } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    client.on('ready', () => {
      shelf.text = JSON.stringify(second)
    })
    await client.refresh()
    await expect.poll(() => client.revision, soon).toBe(6)
    expect([client.status, shelf.saved]).toEqual(['stale', []])
    expect(told).toEqual(['ready 5', 'ready', 'change 6 checkout', 'stale'])
  })

  it('is in the order of the revisions, however slow the store', async () => {
    const service = await serviceOfTest(answerWith(first))
    const ends: (() => void)[] = []
    const shelf = shelfWith()
    const store = createStore({
      load: shelf.load,
      save: async (key, text) => {
        await new Promise<void>((resolve) => ends.push(resolve))
        await shelf.save(key, text)
      },
    })
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store })
    await client.refresh()
    await expect.poll(() => ends.length, soon).toBe(1)
    service.answer = answerWith(second)
    await client.refresh()
    ends[0]?.()
    await expect.poll(() => ends.length, soon).toBe(2)
    ends[1]?.()
    await expect.poll(() => shelf.saved, soon).toEqual([5, 6])
  })

  it('has the SDK key in its name, fit for a file', async () => {
    const keys = new Set<string>()
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith(null, {
      load: (key) => {
        keys.add(key)
        return null
      },
      save: (key) => keys.add(key),
    })
    const { client } = clientOfTest({ sdkKey: '../a', baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([...keys]).toEqual(['svc-..%2Fa'])
  })

  it('is still written after close', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith()
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.ready
    client.close()
    await expect.poll(() => shelf.saved, soon).toEqual([5])
  })
})

describe('a store that fails', () => {
  const broken = () => {
    throw new Error('disk')
  }
  const rejected = () => Promise.reject(new Error('disk'))

  it.each<[string, Partial<Shelf>]>([
    ['throws', { load: broken, save: broken }],
    ['rejects', { load: rejected, save: rejected }],
    ['cannot write', { save: rejected }],
    ['is none', { load: undefined as never, save: 7 as never }],
    ['gives no text', { load: () => ({ revision: 7 }) as never, save: broken }],
  ])('disturbs nothing when it %s, and the logger hears of it', async (_name, changes) => {
    const service = await serviceOfTest(answerWith(first))
    const store = createStore(shelfWith(null, changes))
    const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store })
    await client.refresh()
    await expect.poll(() => warnings, soon).toContain('Svc: the store failed')
    service.answer = answerWith(second)
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 6])
  })

  it('is heard of once, until it works again', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith()
    const works = { now: false }
    const save: Shelf['save'] = (key, text) => (works.now ? shelf.save(key, text) : rejected())
    const { client, warnings } = clientOfTest({
      baseUrl: service.baseUrl,
      store: createStore({ load: shelf.load, save }),
    })
    for (const _turn of [1, 2]) await client.refresh()
    await expect.poll(() => warnings, soon).toEqual(['Svc: the store failed'])
    works.now = true
    await expect.poll(() => client.refresh().then(() => shelf.saved), soon).toEqual([5])
    expect(warnings).toHaveLength(1)
  })

  it('never answers: the service is waited for no longer than a second more', async () => {
    const service = await serviceOfTest(answerWith(first))
    const store = createStore(shelfWith(null, { load: () => new Promise(() => {}) }))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl, store })
    const asked = client.refresh()
    const grace = () => time.pending().find(({ delayMs }) => delayMs === storeMs)
    await expect.poll(grace, soon).toBeDefined()
    time.advance(storeMs - 1)
    expect(client.status).toBe('connecting')
    time.advance(1)
    await asked
    expect([client.status, client.revision]).toEqual(['ready', 5])
    expect(time.pending().filter(({ referenced }) => referenced)).toEqual([])
  })

  it('answers late with a newer file, which is taken', async () => {
    const service = await serviceOfTest(answerWith(first))
    let recall = (_text: string) => {}
    const loaded = new Promise<string>((resolve) => {
      recall = resolve
    })
    const store = createStore(shelfWith(null, { load: () => loaded }))
    const { client, time, told } = clientOfTest({ baseUrl: service.baseUrl, store })
    const asked = client.refresh()
    await expect.poll(() => time.pending().some(({ delayMs }) => delayMs === storeMs), soon).toBe(true)
    time.advance(storeMs)
    await asked
    recall(JSON.stringify(second))
    await expect.poll(() => told, soon).toEqual(['ready 5', 'ready', 'change 6 checkout', 'stale'])
  })

  it('is slower than a request: what comes next is kept behind it, not before', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith()
    const ends: (() => void)[] = []
    const save: Shelf['save'] = async (key, text) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      await shelf.save(key, text)
    }
    const { client, time, warnings } = clientOfTest({
      baseUrl: service.baseUrl,
      store: createStore({ load: shelf.load, save }),
    })
    await client.refresh()
    await expect.poll(() => ends.length, soon).toBe(1)
    time.advance(requestTimeoutMs)
    await expect.poll(() => warnings, soon).toEqual(['Svc: the store failed'])
    service.answer = answerWith(second)
    await client.refresh()
    expect([client.revision, ends.length]).toEqual([6, 1])
    ends[0]!()
    await expect.poll(() => ends.length, soon).toBe(2)
    ends[1]!()
    await expect.poll(() => shelf.saved, soon).toEqual([5, 6])
  })

  it('was not made: the start says so', () => {
    expect(() => clientOfTest({ store: localStorageStore as never })).toThrow(
      new TypeError('createClient: store must be the result of a call, such as fileStore(folder)'),
    )
  })
})

describe('bootstrap', () => {
  it.each([
    ['a data file', first],
    ['its text', JSON.stringify(first)],
  ])('serves %s at once and follows from there', async (_name, bootstrap) => {
    const service = await serviceOfTest(answerWith(second))
    const { client, told } = clientOfTest({ baseUrl: service.baseUrl, bootstrap })
    expect([client.status, client.revision, client.getBoolean('checkout', true)]).toEqual(['ready', 5, false])
    expect(client.dataFile).toEqual(first)
    await client.refresh()
    expect([client.revision, told]).toEqual([6, ['ready 5', 'change 6 checkout']])
  })

  it('gives way to a newer file that was kept, and not to an older one', async () => {
    const given = (kept: unknown, bootstrap: typeof first) =>
      clientOfTest({ offline: true, bootstrap, store: createStore(shelfWith(JSON.stringify(kept))) }).client
    const [older, newer] = [given(first, second), given(second, first)]
    await Promise.all([older.refresh(), newer.refresh()])
    expect([older, newer].map(({ revision, status }) => `${revision} ${status}`)).toEqual(['6 ready', '6 stale'])
  })

  it.each(['', '{', 'null', '{"schemaVersion":1}', 7, null, []])('is ignored when it is %j', async (bootstrap) => {
    const service = await serviceOfTest(answerWith(first))
    const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, bootstrap: bootstrap as string })
    expect([client.status, warnings]).toEqual(['connecting', ['Svc: bootstrap is ignored']])
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 5])
  })
})

describe('offline', () => {
  it('makes no request, whatever is called', async () => {
    const { client, time, sent } = clientOfTest({ offline: true, bootstrap: first })
    await client.ready
    await client.refresh()
    time.advance(86_400_000)
    client.close()
    expect([client.getBoolean('checkout', true), sent, time.pending()]).toEqual([false, [], []])
  })

  it('does not wait for what cannot come', async () => {
    const { client } = clientOfTest({ offline: true })
    expect(await client.waitUntilReady({ timeoutMs: Infinity })).toBe(false)
    expect([client.status, client.getBoolean('checkout', true)]).toEqual(['connecting', true])
  })

  it('waits for a store that takes its time', async () => {
    const { client } = clientOfTest({ offline: true, store: createStore(shelfWith(JSON.stringify(first))) })
    expect(await client.waitUntilReady({ timeoutMs: Infinity })).toBe(true)
    expect([client.status, client.revision]).toEqual(['stale', 5])
  })
})

it('tells of each change of the status once', async () => {
  const service = await serviceOfTest(answerWith(first))
  const { client, told } = clientOfTest({ baseUrl: service.baseUrl })
  await client.refresh()
  service.answer = answerStatus(500)
  await client.refresh()
  await client.refresh()
  service.answer = answerWith(first)
  await client.refresh()
  service.answer = answerNever
  client.close()
  expect(told).toEqual(['ready 5', 'ready', 'HTTP 500', 'stale', 'HTTP 500', 'ready'])
})
