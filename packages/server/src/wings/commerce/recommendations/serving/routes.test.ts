import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import { productsSeenBy } from '../../../measuring/events/index.ts'
import { itemsBoughtBy } from '../../../measuring/orders/index.ts'
import type { LiveModels } from '../models/live.ts'
import type { Placement } from '../placements/index.ts'
import { historyIn } from './actions.ts'
import { recommendationRoutes } from './routes.ts'
import { previewBody } from './schema.ts'
import { type ColdLimit, type Shelves, shelves } from './store.ts'
import { keepShelves } from './worker.ts'

let service: TestService
let project: TestProject
let url: string
let sdkKey: string
beforeAll(async () => {
  service = await startTestService({ settings: { SVC_RATE_LIMIT_RECOMMENDATIONS: '200' } })
  project = await createProject(service)
  url = `${project.path}/recommendations/placements`
  sdkKey = project.production.sdkKey
  await save([
    item('a-m', { productId: 'a', brand: 'Acme', attributes: { size: 'M' }, price: '20' }),
    item('a-l', { productId: 'a', brand: 'Acme', attributes: { size: 'L' }, price: '10', salePrice: '9.5' }),
    item('b', { brand: 'Acme', cost: '1' }),
    item('c', { brand: 'Best', condition: 'USED' }),
    item('d', { stock: 0 }),
    item('e', { availability: 'PREORDER' }),
  ])
  await succeed(service, 'POST', url, {
    ...{ name: 'Home', limit: 4 },
    variants: {
      default: { strategies: ['RECENTLY_VIEWED'], filter: { not: is('condition', 'USED') } },
      pinned: { strategies: ['RECENTLY_VIEWED'], pins: ['d', 'c'].map((productId) => ({ productId, position: 0 })) },
      none: { strategies: [] },
    },
  })
})
afterAll(() => service.close())

const is = (attribute: string, value: string) => ({ attribute, operator: 'equals', value })
const item = (itemId: string, more: object) => ({
  ...{ itemId, title: `Item ${itemId}`, link: `https://shop.example/${itemId}`, price: '5', currency: 'EUR', ...more },
})
const save = (upsert: object[], removed: string[] = []) =>
  succeed(service, 'POST', `${project.path}/catalog/items/batch`, { upsert, delete: removed })

const viewed = (...ids: string[]) => ids.map((productId) => ({ productId }))
const all = viewed('a', 'b', 'c', 'd', 'e', 'gone')

async function ask(body: object) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/api/sdk/v1/recommendations',
    headers: { 'content-type': 'text/plain', origin: 'https://shop.example' },
    payload: JSON.stringify({ sdkKey, placement: 'home', ...body }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const shown = async (body: object): Promise<string[]> => {
  const answer = await ask(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.items.map(({ itemId }: { itemId: string }) => itemId)
}

test('a page gets the products of a placement, each by one of its items', async () => {
  const { status, headers, body } = await ask({ recent: viewed('b', 'a') })
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  expect(body).toEqual({
    ...{ recommendationId: expect.any(String), placement: 'home', variant: 'default' },
    items: [
      {
        ...{ productId: 'b', itemId: 'b', score: 1, strategy: 'RECENTLY_VIEWED', pinned: false },
        product: {
          ...{ title: 'Item b', link: 'https://shop.example/b', imageLink: null },
          ...{ price: '5.00', salePrice: null, currency: 'EUR' },
        },
      },
      expect.objectContaining({
        ...{ productId: 'a', itemId: 'a-l' },
        product: expect.objectContaining({ price: '10.00', salePrice: '9.50' }),
      }),
    ],
  })
})

test('nothing that is out of stock or filtered is shown, not even by a pin', async () => {
  expect(await shown({ recent: all })).toEqual(['a-l', 'b'])
  expect(await shown({ recent: all, variant: 'pinned' })).toEqual(['c', 'a-l', 'b'])
  expect(await shown({ recent: all, variant: 'none' })).toEqual([])
  expect(await shown({ recent: all, variant: 'unknown' })).toEqual([])
  expect(await shown({})).toEqual([])
})

test('a request filters items, excludes products and says what was bought', async () => {
  expect(await shown({ recent: all, filter: is('attributes.size', 'M') })).toEqual(['a-m'])
  expect(await shown({ recent: all, variant: 'pinned', filter: is('brand', 'Acme') })).toEqual(['a-l', 'b'])
  expect(await shown({ recent: all, exclude: ['a'], limit: 1 })).toEqual(['b'])
  expect(await shown({ recent: all, productIds: ['b'] })).toEqual(['a-l'])
  expect(await shown({ recent: [...all, { productId: 'a-m', action: 'order' }] })).toEqual(['b'])
})

test('ids of products can be whole numbers, as many shops have them', async () => {
  const body = { productIds: [17], exclude: [18, 'G19'], recent: [{ productId: 20 }] }
  expect((await ask(body)).status).toBe(200)
  for (const wrong of [1.5, 2 ** 53, true, null]) expect((await ask({ exclude: [wrong] })).status).toBe(400)
})

test('what is wrong is said as to SDKs', async () => {
  for (const [body, status, error] of [
    [{ sdkKey: 'nobody' }, 401, 'Unknown SDK key'],
    [{ placement: 'nowhere' }, 404, 'There is no placement nowhere in this project.'],
    [{ limit: 51 }, 400, /limit/],
    [{ colour: 'red' }, 400, /colour/],
    [{ filter: is('cost', '1') }, 400, /filter.attribute must not be cost in a request/],
    [{ filter: { attribute: 'title', operator: 'matches', value: 'x' } }, 400, /matches/],
    [{ filter: { all: Array(11).fill(is('brand', 'x')) } }, 400, /at most 10 conditions/],
    [{ exclude: Array(101).fill('a') }, 400, /exclude/],
    [{ recent: Array(51).fill({ productId: 'a' }) }, 400, /recent/],
    [{ category: 'x'.repeat(33_000) }, 413, 'The body is larger than 32 KiB.'],
  ] as [object, number, string | RegExp][]) {
    const answer = await ask(body)
    expect([answer.status, Object.keys(answer.body)], JSON.stringify(body).slice(0, 80)).toEqual([status, ['error']])
    expect(answer.body.error).toMatch(error)
  }
})

test('changes of the catalog and of placements reach the next answers', async () => {
  const made = await succeed(service, 'POST', url, {
    name: 'Cart',
    variants: { default: { strategies: ['RECENTLY_VIEWED'], filter: is('brand', 'Acme') } },
  })
  const inCart = () => shown({ placement: 'cart', recent: viewed('b', 'x', 'c') })
  await expect.poll(inCart).toEqual(['b'])
  await save([item('x', { brand: 'Acme' }), item('b', { brand: 'Acme', stock: 0 })])
  await expect.poll(inCart).toEqual(['x'])
  await save([item('b', { brand: 'Best' })], ['x'])
  await expect.poll(inCart).toEqual([])
  await succeed(service, 'PATCH', `${url}/${made.id}`, {
    variants: { default: { strategies: ['RECENTLY_VIEWED'], filter: is('brand', 'Best') } },
  })
  await expect.poll(inCart).toEqual(['b', 'c'])
  await succeed(service, 'DELETE', `${url}/${made.id}`)
  await expect.poll(async () => (await ask({ placement: 'cart' })).status).toBe(404)
  await save([item('b', { brand: 'Acme', cost: '1' })])
})

test('what is known of a visitor is used only where the placement says so', async () => {
  const now = new Date().toISOString()
  const event = (more: object) => ({ id: crypto.randomUUID(), ts: now, unit: 'u-17', ...more })
  const order = { orderId: '1', currency: 'EUR', total: '5', items: [{ itemId: 'b', quantity: 1, price: '5' }] }
  const events = [
    ...['a', 'b'].map((productId) => event({ type: 'track', eventKey: 'product_viewed', properties: { productId } })),
    event({ type: 'order', order }),
  ]
  expect((await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events })).body.accepted).toBe(3)
  const variants = { default: { strategies: ['RECENTLY_VIEWED'] } }
  await succeed(service, 'POST', url, { name: 'Known', history: true, variants })
  await expect.poll(() => shown({ placement: 'known', unit: 'u-17' })).toEqual(['a-l'])
  expect(await shown({ placement: 'known', unit: 'u-17', recent: viewed('c', 'b') })).toEqual(['c'])
  expect(await shown({ placement: 'known', unit: 'u-18' })).toEqual([])
  const of = { envId: project.production.id, unit: 'u-17', limit: 50 }
  expect([(await productsSeenBy(service.db, of)).length, await itemsBoughtBy(service.db, of)]).toEqual([2, ['b']])
  expect(await productsSeenBy(service.db, { ...of, most: 1 })).toHaveLength(1)
  expect(await itemsBoughtBy(service.db, { ...of, most: 0 })).toEqual([])
  expect(await shown({ unit: 'u-17' })).toEqual([])
  expect(await shown({ unit: 'u-17', recent: viewed('b') })).toEqual(['b'])
})

test('a sale that has not begun is hidden from the filters of requests', async () => {
  const sale = { salePrice: '1.5', saleFrom: '2999-01-01T00:00:00Z', saleUntil: '2999-02-01T00:00:00Z' }
  await save([item('later', sale), item('now', { salePrice: '1.5' })])
  const asked = { recent: viewed('later', 'now') }
  await expect.poll(() => shown(asked)).toEqual(['later', 'now'])
  expect(await shown({ ...asked, filter: { attribute: 'salePrice', operator: 'lessThan', value: 2 } })).toEqual(['now'])
  for (const attribute of ['salePrice', 'saleFrom', 'saleUntil'])
    expect(await shown({ ...asked, filter: { attribute, operator: 'notExists' } })).toContain('later')
  await save([], ['later', 'now'])
})

test('a project that is being read for the first time hears of changes', async () => {
  const ofNode = shelves({ db: service.db, now: () => new Date() })
  const projectId = project.path.split('/').at(-1)!
  const reading = ofNode.refresh(projectId)
  expect([ofNode.isHeld(projectId), ofNode.heldProjects()]).toEqual([true, [projectId]])
  await reading
  expect([ofNode.isHeld(projectId), ofNode.heldProjects()]).toEqual([true, [projectId]])
})

test('cards that are not in memory are read up to a limit, and the next request finds them', async () => {
  const ofNode = shelves({ db: service.db, now: () => new Date() })
  const held = await ofNode.refresh(project.id)
  const items = [...held.shelf.itemIds.keys()]
  const found = async (limit?: ColdLimit) => [...(await ofNode.itemsOf(held, items, limit)).keys()].toSorted()
  expect(await found({ items: 2, ms: 0 })).toEqual([])
  expect(await found({ items: 2, ms: 10_000 })).toEqual([0, 1])
  expect(await found({ items: 1, ms: 10_000 })).toEqual([0, 1, 2])
  // Nobody waits in a long line for a part of an answer.
  const crowd = await Promise.all(Array.from({ length: 20 }, () => found({ items: 1, ms: 10_000 })))
  expect(crowd.filter(({ length }) => length === 3).length).toBeGreaterThanOrEqual(9)
  expect(await found()).toEqual(items)
})

test('a crowd that reads the cards of one project keeps no card of another from its visitors', async () => {
  const other = await createProject(service)
  await succeed(service, 'POST', `${other.path}/catalog/items/batch`, { upsert: [item('o', {})] })
  await succeed(service, 'POST', `${other.path}/recommendations/placements`, {
    ...{ name: 'Home', variants: { default: { strategies: [] } } },
  })
  const ofNode = shelves({ db: service.db, now: () => new Date() })
  const [crowded, quiet] = [await ofNode.refresh(project.id), await ofNode.refresh(other.id)]
  const limit = { items: 1, ms: 10_000 }
  const crowd = Promise.all(Array.from({ length: 20 }, () => ofNode.itemsOf(crowded, [0], limit)))
  expect([...(await ofNode.itemsOf(quiet, [0], limit)).keys()]).toEqual([0])
  await crowd
})

test('a preview says of each candidate why it is not in the list', async () => {
  const preview = { recent: all, exclude: ['b'], productIds: ['a'], placement: 'home' }
  const { candidates, items } = await succeed(service, 'POST', `${url}/home/preview`, preview)
  expect(items).toEqual([])
  expect(
    candidates.map(({ productId, reason, included }: Record<string, unknown>) => [productId, reason, included]),
  ).toEqual([
    ['a', 'CONTEXT', false],
    ['b', 'EXCLUDED', false],
    ['c', 'FILTERED', false],
    ['d', 'OUT_OF_STOCK', false],
    ['e', 'OUT_OF_STOCK', false],
  ])
  const { status } = await service.call(service.people.admin, 'POST', `${url}/home/preview`, { placement: 'cart' })
  expect(status).toBe(400)
})

test('previews with a filter run one after the other, and a crowd of them is refused', async () => {
  const ofNode = shelves({ db: service.db, now: () => new Date() })
  const found = (await ofNode.refresh(project.id)).placements.get('home')!
  const reading = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const itemsOf = async (...asked: Parameters<typeof ofNode.itemsOf>) => {
    most = Math.max(most, ++running)
    await reading.promise
    running -= 1
    return ofNode.itemsOf(...asked)
  }
  const preview = previewWith({ ...ofNode, itemsOf })
  const filtered = () => preview({ found, body: previewBody.parse({ recent: all, filter: is('brand', 'Acme') }) })
  const crowd = Array.from({ length: 20 }, filtered)
  await expect.poll(() => running).toBe(1)
  // Nobody waits without a filter.
  const plain = preview({ found, body: previewBody.parse({ recent: all }) })
  await expect.poll(() => running).toBe(2)
  reading.resolve()
  const items = { data: { items: [{ itemId: 'a-l' }, { itemId: 'b' }] } }
  expect(await plain).toMatchObject(items)
  const answers = (await Promise.all(crowd)) as { refusal?: string }[]
  const [refused, shown] = [answers.filter(({ refusal }) => refusal), answers.filter(({ refusal }) => !refusal)]
  expect(most).toBe(2)
  // One runs and ten wait.
  expect(refused.length).toBeGreaterThanOrEqual(9)
  for (const each of refused) expect(each).toMatchObject({ refusal: 'unavailable' })
  expect(shown.length).toBeGreaterThan(0)
  for (const each of shown) expect(each).toMatchObject(items)
})

/** The work of the route for previews on these shelves, which is private to its service otherwise. */
function previewWith(ofNode: Shelves) {
  let handle: (request: object) => Promise<unknown> = () => Promise.reject(new Error('no route'))
  const route = (defined: { handle: typeof handle }) => {
    handle = defined.handle
  }
  const models = { ready: async () => undefined, of: () => [] } as unknown as LiveModels
  const history = historyIn(service.db, { hasEvents: false })
  const one = {} as OneOf<Placement>
  const context = { db: service.db, shelves: ofNode, models, history, now: () => new Date() }
  recommendationRoutes(route as unknown as Route, { one, url }, context)
  return handle
}

test('a node forgets the catalog of a project that is deleted, and of one without placements', async () => {
  const held = shelves({ db: service.db, now: () => new Date() })
  await keepShelves(service.database, held, { run: () => undefined })
  const others = await Promise.all([createProject(service), createProject(service)])
  for (const { path, id } of others) {
    await succeed(service, 'POST', `${path}/recommendations/placements`, {
      name: 'Home',
      variants: { default: { strategies: ['RECENTLY_VIEWED'] } },
    })
    await held.refresh(id)
    expect(held.isHeld(id)).toBe(true)
  }
  const [{ path, id }, other] = others as [TestProject, TestProject]
  const confirm = { 'x-svc-confirm': (await succeed(service, 'GET', path)).key }
  await service.call(service.people.admin, 'DELETE', path, undefined, confirm)
  await succeed(service, 'DELETE', `${other.path}/recommendations/placements/home`)
  await expect.poll(() => [held.isHeld(id), held.isHeld(other.id)]).toEqual([false, false])
})
