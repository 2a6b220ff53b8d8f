import { expect, test } from 'vitest'
import { clientOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { type Asked, type ShopOptions, shop } from './commerce.ts'

const context = { targetingKey: 'u-17' }
const item = {
  productId: 'G4',
  itemId: 'SKU-4',
  score: 1,
  strategy: 'POPULAR',
  pinned: false,
  product: { title: 'Mug' },
}
const answered = { recommendationId: 'r-1', placement: 'home', variant: 'default', items: [item] }

/** A flag whose A/B test gives everybody this variation. */
const testedFlag = (variation: string) =>
  flagOf('', {
    ...{ variations: { default: 'default', none: 'none' }, defaultVariation: 'default' },
    rules: [{ id: '3', type: 'AB_TEST', salt: 's', split: [{ variation, end: 10_000 }] }],
  })

/** A shop whose service answers with `answer`, and what was sent. */
function shopOfTest({ flag, answer = answered, ...options }: Partial<ShopOptions> & Record<string, unknown> = {}) {
  const asked: Record<string, unknown>[] = []
  const events: Record<string, unknown>[] = []
  const send = (async (url: string, init?: RequestInit) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    if (!String(url).endsWith('/api/sdk/v1/recommendations')) {
      events.push(...(body.events ?? []))
      return new Response('{"rejected":[]}', { status: 202 })
    }
    asked.push(body)
    if (answer instanceof Error) throw answer
    return answer === null ? new Response('{}', { status: 503 }) : Response.json(answer)
  }) as typeof fetch
  const flags = flag ? { 'recommend-home': testedFlag(flag as string) } : {}
  const { client } = clientOfTest({ bootstrap: datafileOf(1, flags), fetch: send })
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  }
  const made = shop({
    client,
    sdkKey: 'sdk_1',
    baseUrl: 'http://127.0.0.1:9/',
    context,
    storage,
    fetch: send,
    ...options,
  })
  const sent = async () => {
    await client.flush()
    return events.map(({ type, eventKey, variationKey, properties }) =>
      type === 'exposure' ? variationKey : [eventKey ?? type, properties],
    )
  }
  return { ...made, asked, sent, kept }
}

test('a placement is asked for with the visitor and what the page shows', async () => {
  const { recommend, asked, sent } = shopOfTest()
  const more: Asked = {
    productIds: ['G17'],
    filter: { attribute: 'brand', operator: 'equals', value: 'Acme' },
    limit: 4,
  }
  const result = await recommend('home', more)
  expect(result).toMatchObject({ recommendationId: 'r-1', placement: 'home', variant: 'default', items: [item] })
  expect(asked).toEqual([{ sdkKey: 'sdk_1', placement: 'home', variant: 'default', unit: 'u-17', recent: [], ...more }])
  result.shown()
  result.shown()
  result.clicked('G4')
  const named = { placement: 'home', recommendationId: 'r-1' }
  expect(await sent()).toEqual([
    ['recommendation_shown', named],
    ['recommendation_clicked', { ...named, productId: 'G4' }],
  ])
})

test('the flag of the placement chooses the variant and counts the visitor, also where nothing is asked', async () => {
  const shown = shopOfTest({ flag: 'default' })
  expect((await shown.recommend('home')).items).toEqual([item])
  expect(await shown.sent()).toEqual(['default'])
  const control = shopOfTest({ flag: 'none' })
  const result = await control.recommend('home')
  result.shown()
  expect([result.variant, result.items, control.asked]).toEqual(['none', [], []])
  expect(await control.sent()).toEqual(['none'])
})

test('a page gets no products if the service does not answer', async () => {
  for (const answer of [null, new Error('down')]) {
    const { recommend, sent } = shopOfTest({ answer })
    const result = await recommend('home')
    result.shown()
    expect([result.recommendationId, result.items, await sent()]).toEqual([null, [], []])
  }
})

test('the last products are kept, the latest first, until the visitor refuses', async () => {
  const { recommend, viewed, order, setTracking, asked, kept, sent } = shopOfTest()
  for (let n = 0; n < 25; n += 1) viewed(`G${n}`)
  viewed('G10')
  order({ orderId: '1', currency: 'EUR', total: '5', items: [{ itemId: 'SKU-1', quantity: 1, price: '5' }] })
  await recommend('home')
  const recent = asked[0]!.recent as { productId: string; action: string }[]
  expect(recent.map(({ productId }) => productId).slice(0, 3)).toEqual(['SKU-1', 'G10', 'G24'])
  expect(recent.filter(({ action }) => action === 'product_viewed')).toHaveLength(20)
  expect((await sent()).at(-1)).toEqual(['order', expect.objectContaining({ orderId: '1' })])
  setTracking(false)
  viewed('G1')
  await recommend('home')
  expect([asked[1]!.recent, [...kept.values()]]).toEqual([[], ['[]']])
})

test.each(['[null, 7, {}]', '{"a":1}', 'null', '7'])('a foreign list of %s in the storage is no list', (text) => {
  const kept = new Map([['svc-recent', text]])
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  shopOfTest({ storage }).viewed('G1')
  expect(JSON.parse(kept.get('svc-recent')!)).toEqual([{ productId: 'G1', action: 'product_viewed' }])
})

test('ids of all kinds of numbers are ids, and what is no order harms nobody but itself', async () => {
  const { recommend, viewed, order, asked, kept, sent } = shopOfTest()
  for (const productId of [17, 18n, 12345678901234567890n]) viewed(productId as never)
  for (const placed of [{}, { items: null }, { items: [null] }, null]) order(placed as never)
  await recommend('home', { productIds: [19, 20n] as never, exclude: [2n ** 64n] as never })
  expect(asked[0]).toMatchObject({ productIds: [19, 20], exclude: ['18446744073709551616'] })
  expect(JSON.parse(kept.get('svc-recent')!).map(({ productId }: { productId: unknown }) => productId)).toEqual([
    '12345678901234567890',
    18,
    17,
  ])
  expect((await sent()).slice(0, 2)).toEqual([
    ['product_viewed', { productId: 17 }],
    ['product_viewed', { productId: 18 }],
  ])
})

test.each([
  [404, '{"error":"There is no placement home in this project."}', 'HTTP 404 {"error":"There is no placement home'],
  [301, '', 'HTTP 301 '],
])('a server is told once why there are no products: HTTP %i', async (status, text, cause) => {
  const told: unknown[] = []
  const inits: (RequestInit | undefined)[] = []
  const refuse = async (_url: unknown, init?: RequestInit) => {
    inits.push(init)
    return new Response(text, { status })
  }
  const logger = { warn: (...given: unknown[]) => told.push(given) }
  const { client } = clientOfTest({ bootstrap: datafileOf(1, {}), offline: true, logger })
  const { recommend } = shop({ client, sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', fetch: refuse as typeof fetch })
  for (let n = 0; n < 2; n += 1) expect((await recommend('home')).items).toEqual([])
  expect(told).toEqual([['Svc: there are no products', expect.stringContaining(cause)]])
  expect(inits[0]).toMatchObject({ redirect: 'manual', cache: 'no-store' })
})

test('what cannot be kept or read does no harm', async () => {
  const broken = { getItem: () => '{', setItem: () => expect.fail('full') }
  const { recommend, viewed, asked } = shopOfTest({ storage: broken })
  viewed('G1')
  await recommend('home', { recent: [{ productId: 'G2', action: 'product_viewed' }] })
  await recommend('home')
  expect(asked.map(({ recent }) => recent)).toEqual([[{ productId: 'G2', action: 'product_viewed' }], []])
})
