import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { type Answer, createProject, startTestService, type TestService } from '../../../../testing/service.ts'

const count = isFull ? 20_000 : 4_000
const variants = 4
const atOnce = 1000
const colors = ['black', 'blue', 'green', 'grey', 'red', 'white', 'yellow']
const things = ['Shirt', 'Trousers', 'Jacket', 'Mug', 'Lamp', 'Chair', 'Table', 'Bottle', 'Bag', 'Hat', 'Scarf']

let service: TestService
let url: string

const raw = (n: number) => {
  const product = Math.floor(n / variants)
  const [color, thing] = [colors[product % colors.length]!, things[product % things.length]!]
  return {
    ...{
      itemId: `SKU-${n}`,
      productId: `P${String(product).padStart(5, '0')}`,
      title: `${thing} ${color} No ${product}`,
    },
    ...{ description: 'Made to last. '.repeat(20), link: `https://shop.example/p/${product}?v=${n}`, currency: 'EUR' },
    ...{ imageLink: `https://cdn.shop.example/${product}.jpg`, stock: n % 10, price: `${(n % 100) + 1}.99` },
    ...{ brand: `Brand ${product % 50}`, categories: [product % 2 ? 'Home' : 'Clothing', thing] },
    attributes: { color, size: ['S', 'M', 'L', 'XL'][n % variants] },
  }
}

beforeAll(async () => {
  service = await startTestService()
  url = `${(await createProject(service)).path}/catalog`
  for (let from = 0; from < count; from += atOnce)
    await succeed(service, 'POST', `${url}/items/batch`, {
      upsert: Array.from({ length: atOnce }, (_, n) => raw(from + n)),
    })
})
afterAll(() => service.close())

async function idsOf(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `${url}/products?limit=100&${query}${cursor && `&cursor=${cursor}`}`
    const { body }: Answer = await service.call(service.people.admin, 'GET', path)
    ids.push(...body.data.map(({ productId }: { productId: string }) => productId))
    cursor = body.page.nextCursor
  }
  return ids
}

const productsWith = (passes: (item: ReturnType<typeof raw>) => boolean): string[] => [
  ...new Set(
    Array.from({ length: count }, (_, n) => raw(n))
      .filter(passes)
      .map(({ productId }) => productId),
  ),
]

test('the catalog says what it contains', async () => {
  const { counts, revision } = await succeed(service, 'GET', url)
  expect([counts, revision]).toEqual([{ items: count, products: count / variants }, count / atOnce])
  const categories: { items: number }[] = await succeed(service, 'GET', `${url}/categories?limit=100`)
  expect(categories.reduce((sum, { items }) => sum + items, 0)).toBe(count)
})

test('brands are counted, each product once', async () => {
  const { values, hasMore } = await succeed(service, 'GET', `${url}/facets?category=Home&limit=100`)
  const counts = new Map<string, number>()
  for (let product = 1; product < count / variants; product += 2)
    counts.set(`Brand ${product % 50}`, (counts.get(`Brand ${product % 50}`) ?? 0) + 1)
  const found = values.map(({ value, products }: { value: string; products: number }) => [value, products])
  expect([hasMore, new Map(found)]).toEqual([false, counts])
})

test('a page with a rare availability is found among many items, and facets count only what was looked at', async () => {
  const itemId = `SKU-${count - 1}`
  await succeed(service, 'POST', `${url}/items/batch`, { upsert: [{ ...raw(count - 1), availability: 'PREORDER' }] })
  const { productId } = raw(count - 1)
  expect(await idsOf('availability=PREORDER')).toEqual([productId])
  expect(await succeed(service, 'GET', `${url}/facets?availability=PREORDER`)).toEqual({
    ...{ values: [{ value: raw(count - 1).brand, products: 1 }], hasMore: false, isWhole: true },
  })
  expect((await succeed(service, 'GET', `${url}/products/${productId}`)).items.at(-1)).toMatchObject({ itemId })
  await succeed(service, 'POST', `${url}/items/batch`, { upsert: [raw(count - 1)] })
})

test('every product is on one page', async () => expect(await idsOf('')).toEqual(productsWith(() => true)))

test.each([
  ['q=jacket%20blue', ({ title }) => /Jacket blue/.test(title)],
  [`q=sku-${count - 1}`, ({ itemId }) => itemId === `SKU-${count - 1}`],
  [
    'category=Home%20%3E%20Lamp&q=yel',
    ({ title, categories }) => categories[0] === 'Home' && /Lamp yellow/.test(title),
  ],
  ['brand=Brand%207&category=Clothing', ({ brand, categories }) => brand === 'Brand 7' && categories[0] === 'Clothing'],
  ['availability=OUT_OF_STOCK&brand=Brand%203', ({ brand, stock }) => brand === 'Brand 3' && stock === 0],
  ['q=velvet', () => false],
] satisfies [string, (item: ReturnType<typeof raw>) => boolean][])(
  'the products of %s are found',
  async (query, passes) => expect(await idsOf(query)).toEqual(productsWith(passes)),
)
