import { describe, expect, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerNever, answerStatus, answerWith } from '../test/service.ts'
import type { Shelf } from './storage.ts'
import { createStore, localStorageStore } from './storage.ts'

const first = datafileOf(5, { checkout: flagOf(false) })
const second = datafileOf(6, { checkout: flagOf(true) })
const elsewhere = datafileOf(90, {}, { environment: { id: 'e-2', key: 'staging' } })
const soon = { interval: 2 }
const requestTimeoutMs = 10_000
const storeMs = 1_000

/** A shelf in memory. `saved` lists the revisions that were written. */
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
  ['text that is not JSON', '{"schemaVersion":1'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a different schema version', JSON.stringify({ ...first, schemaVersion: 2 })],
  ['a revision as a string', JSON.stringify({ ...first, revision: '9' })],
  ['a number', 5],
  ['an object', { revision: 5 }],
])('a store that holds %s changes nothing, and the logger gets a warning', async (_what, kept) => {
  const service = await serviceOfTest(answerWith(second))
  const shelf = shelfWith(null, { load: async () => kept as string })
  const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
  await client.refresh()
  expect([client.status, client.revision]).toEqual(['ready', 6])
  expect(warnings).toContain('Svc: the store failed')
})

describe('a stored file', () => {
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

  it('is used at once when the store is synchronous', () => {
    const { client, told } = clientOfTest({
      offline: true,
      store: localStorageStore({ getItem: () => JSON.stringify(first), setItem() {} }),
    })
    expect([client.status, client.revision, told]).toEqual(['stale', 5, []])
  })

  it('is used when the service is down at the start', async () => {
    const { client, told } = clientOfTest({ store: createStore(shelfWith(JSON.stringify(first))) })
    await client.refresh()
    expect([client.status, client.getBoolean('checkout', true)]).toEqual(['stale', false])
    expect(told).toEqual(expect.arrayContaining(['ready 5', 'fetch failed']))
  })

  it('is not replaced by an older one from the service, even if that arrives first', async () => {
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

  it('is replaced by a newer one, which is stored', async () => {
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

  it('is replaced by one of a different environment', async () => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith(JSON.stringify(elsewhere))
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 5])
    await expect.poll(() => shelf.saved, soon).toEqual([5])
  })

  it.each([
    ['nothing', ''],
    ['not JSON', '{"schemaVersion":1,'],
    ['not a data file', '{"schemaVersion":2,"revision":7,"flags":{}}'],
    ['a list', '[]'],
    ['more than 20 MB', `${' '.repeat(20_000_001)}${JSON.stringify(second)}`],
    ['made of the wrong types', '{"schemaVersion":1,"revision":"7","flags":{"checkout":{"enabled":1}}}'],
  ])('is ignored when it is %s, and is replaced', async (_name, text) => {
    const service = await serviceOfTest(answerWith(first))
    const shelf = shelfWith(text)
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store: createStore(shelf) })
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 5])
    await expect.poll(() => shelf.saved, soon).toEqual([5])
  })
})

describe('a store', () => {
  it('takes a newer file of another process instead of overwriting it', async () => {
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

  it('writes in the order of the revisions, however slow it is', async () => {
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

  it('gets the SDK key in the name, safe for a file', async () => {
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

describe('a failing store', () => {
  const broken = () => {
    throw new Error('disk')
  }
  const rejected = () => Promise.reject(new Error('disk'))

  it.each<[string, Partial<Shelf>]>([
    ['throws', { load: broken, save: broken }],
    ['rejects', { load: rejected, save: rejected }],
    ['cannot write', { save: rejected }],
    ['has no functions', { load: undefined as never, save: 7 as never }],
    ['returns no text', { load: () => ({ revision: 7 }) as never, save: broken }],
  ])('changes nothing when it %s, and the logger gets a warning', async (_name, changes) => {
    const service = await serviceOfTest(answerWith(first))
    const store = createStore(shelfWith(null, changes))
    const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store })
    await client.refresh()
    await expect.poll(() => warnings, soon).toContain('Svc: the store failed')
    service.answer = answerWith(second)
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 6])
  })

  it('is reported once, until it works again', async () => {
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

  it('delays the first file by at most a second when it never answers', async () => {
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

  it('can answer late with a newer file, which is used', async () => {
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

  it('whose save times out gets the next file after that save has ended', async () => {
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

  it('that was not created makes createClient throw', () => {
    expect(() => clientOfTest({ store: localStorageStore as never })).toThrow(
      new TypeError('createClient: store must be the result of a call, such as fileStore(folder)'),
    )
  })
})

describe('bootstrap', () => {
  it.each([
    ['a data file', first],
    ['the text of a data file', JSON.stringify(first)],
  ])('can be %s, which is used at once and then updated', async (_name, bootstrap) => {
    const service = await serviceOfTest(answerWith(second))
    const { client, told } = clientOfTest({ baseUrl: service.baseUrl, bootstrap })
    expect([client.status, client.revision, client.getBoolean('checkout', true)]).toEqual(['ready', 5, false])
    expect(client.dataFile).toEqual(first)
    await client.refresh()
    expect([client.revision, told]).toEqual([6, ['ready 5', 'change 6 checkout']])
  })

  it('is replaced by a newer stored file, not by an older one', async () => {
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

  it('does not wait when there is no data file', async () => {
    const { client } = clientOfTest({ offline: true })
    expect(await client.waitUntilReady({ timeoutMs: Infinity })).toBe(false)
    expect([client.status, client.getBoolean('checkout', true)]).toEqual(['connecting', true])
  })

  it('waits for an asynchronous store', async () => {
    const { client } = clientOfTest({ offline: true, store: createStore(shelfWith(JSON.stringify(first))) })
    expect(await client.waitUntilReady({ timeoutMs: Infinity })).toBe(true)
    expect([client.status, client.revision]).toEqual(['stale', 5])
  })
})

it('each change of the status fires one event', async () => {
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
