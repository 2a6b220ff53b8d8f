import { createClient } from '@svc/sdk'
import { order } from '@svc/sdk/commerce'
import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'

const path = '/1-acme/1-web-shop/commerce/placements'
const placement = '/api/v1/projects/1/recommendations/placements/product-page'

const site = openSite()
let owner: Visitor
const panel = () => owner.page.getByRole('dialog')
const button = (name: string) => panel().getByRole('button', { name, exact: true })

beforeAll(async () => {
  const item = (itemId: string, price: string) => ({
    ...{ itemId, title: `Shirt ${itemId}`, link: `https://shop.example/${itemId}`, price, currency: 'EUR' },
  })
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/catalog/items/batch', {
    upsert: [item('G17', '19.99'), item('G4', '14.99'), item('G99', '9.99')],
  })
  owner = await site.visit(ada)
})

it('a person makes a placement: what fills the list in which order, limits and pins', async () => {
  const { page } = owner
  await page.goto(path)
  await page.getByText('svc placement create').waitFor()
  await page.getByRole('button', { name: 'Create placement' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Product page')
  await panel().getByLabel('Add what fills the list').selectOption('RECENTLY_VIEWED')
  await button('Move Recently viewed up').click()
  await panel().getByLabel('Most of one brand').fill('3')
  await button('Pin a product').click()
  await button('Create placement').click()
  await panel().getByText('Enter the id of a product.').waitFor()
  // Nobody has to know an id: words of a title find it.
  await panel().getByLabel('Product of pin 1').fill('shirt')
  await panel().getByRole('option', { name: 'Shirt G99' }).click()
  expect(await panel().getByLabel('Product of pin 1').inputValue()).toBe('G99')
  await expectGoodPage(owner, 'placement-create')
  await button('Create placement').click()
  await page.getByRole('heading', { level: 1, name: 'Product page' }).waitFor()
  await page.getByText('Recently viewed, then Popular').waitFor()
  await page.getByText('At most 3 products of a brand.').waitFor()
  await page.getByText('Position 1: G99').waitFor()
  expect(await prepare(site.service.url, 'GET', placement)).toMatchObject({
    ...{ key: 'product-page', limit: 8 },
    variants: {
      default: {
        ...{ strategies: ['RECENTLY_VIEWED', 'POPULAR'], excludeBought: true, maxPerBrand: 3 },
        pins: [{ productId: 'G99', position: 0 }],
      },
      none: { strategies: [] },
    },
  })
})

it('the page shows what visitors would get, by position and strategy, and why other products are left out', async () => {
  const { page } = owner
  const cards = page.getByRole('list', { name: 'The list' }).getByRole('listitem')
  await cards.filter({ hasText: 'Pinned' }).getByRole('link', { name: 'Shirt G99' }).waitFor()
  await page.getByLabel('Looked at before').fill('G17, G4')
  await cards.nth(2).waitFor()
  expect(await cards.getByRole('link').allInnerTexts()).toEqual(['Shirt G99', 'Shirt G17', 'Shirt G4'])
  const onPage = page.getByLabel('Products on the page or in the cart')
  await onPage.fill('shirt g4')
  await page.getByRole('option', { name: 'Shirt G4' }).waitFor()
  await onPage.press('ArrowDown')
  await onPage.press('Enter')
  expect(await onPage.inputValue()).toBe('G4, ')
  await page.getByText('1 product left out').click()
  await page.getByText('The visitor is looking at it: 1 product (G4)').waitFor()
  await page.getByText('2 of up to 8 products.').waitFor()
  await expectGoodPage(owner, 'placement-preview')
  await page.getByLabel('Variant').selectOption('none')
  await page.getByText('No product. A page that gets none shows nothing.').waitFor()
})

it('one click measures what the list brings, once orders come in', async () => {
  const { page } = owner
  await page.getByRole('button', { name: 'Measure it…' }).click()
  await button('Measure it').click()
  await panel().getByText('No order has come in').waitFor()
  await expectGoodPage(owner, 'placement-measure')
  const { url } = site.service
  const [{ sdkKey }] = await prepare(url, 'GET', '/api/v1/projects/1/environments')
  const client = createClient({ sdkKey, baseUrl: url })
  const items = [{ itemId: 'G17', quantity: 1, price: '19.99' }]
  order(client, { orderId: '1', currency: 'EUR', total: '19.99', items }, { targetingKey: 'u-17' })
  await client.close()
  await button('Measure it').click()
  await page.getByText('The test runs. The interval appears here').waitFor()
  await page.getByRole('link', { name: 'See the test' }).click()
  await page.getByRole('heading', { level: 1, name: 'Recommendations: Product page' }).waitFor()
  await page.goBack()
})

it('an edit changes filter and boosts, and keeps what the form does not show: times of pins, other variants', async () => {
  const { page } = owner
  const { variants } = await prepare(site.service.url, 'GET', placement)
  const filter = { attribute: 'price', operator: 'lessThan', value: 50 }
  const [pin] = variants.default.pins
  const until = '2036-12-01T00:00:00.000Z'
  const own = { ...variants.default, filter, boosts: [{ sameAs: 'brand', factor: 1.3 }], pins: [{ ...pin, until }] }
  await prepare(site.service.url, 'PATCH', placement, { variants: { ...variants, default: own } })
  await page.goto(`${path}/product-page`)
  await page.getByText('Only items where price is less than 50.').waitFor()
  await page.getByText('Raises items with the same brand as the product on the page (weight × 1.3).').waitFor()
  await expectGoodPage(owner, 'placement')
  await page.keyboard.press('e')
  await panel().getByLabel('Products in the list').fill('4')
  await panel().getByLabel('Position of pin 1').fill('2')
  const cheap = panel().getByRole('group', { name: 'Items that can be shown' })
  await cheap.getByLabel('Value', { exact: true }).fill('40')
  await panel().getByLabel('Factor of boost 1').fill('20')
  await button('Add a boost').click()
  await panel().getByLabel('What boost 2 is for').selectOption('CONDITIONS')
  const boosted = panel().getByRole('group', { name: 'Items that it is for' })
  await boosted.getByLabel('Attribute', { exact: true }).fill('brnd')
  await boosted.getByLabel('Value', { exact: true }).fill('Acme')
  await button('Save placement').click()
  await boosted.getByText('“brnd” is no field of an item. Did you mean brand?').waitFor()
  await panel().getByText('Enter 0.1 to 10.').first().waitFor()
  await expectGoodPage(owner, 'placement-boosts')
  await boosted.getByLabel('Attribute', { exact: true }).fill('brand')
  await panel().getByLabel('Factor of boost 1').fill('2')
  await button('Save placement').click()
  await panel().waitFor({ state: 'detached' })
  await page.getByText('Up to 4 products.', { exact: true }).waitFor()
  expect((await prepare(site.service.url, 'GET', placement)).variants).toEqual({
    ...variants,
    default: {
      ...own,
      filter: { all: [{ ...filter, value: 40 }] },
      boosts: [
        { sameAs: 'brand', factor: 2 },
        { when: { all: [{ attribute: 'brand', operator: 'equals', value: 'Acme' }] }, factor: 1.3 },
      ],
      pins: [{ ...pin, position: 1, until }],
    },
  })
})

inFull('dashboard/offered')(
  'a person who cannot change placements sees how a list is made, and no button',
  async () => {
    const viewer = await site.visit(grace, `${path}/product-page`)
    await viewer.page.getByText('Recently viewed, then Popular').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Edit|Delete)/ }).count()).toBe(0)
  },
)

it('a deleted placement is gone, and its address leads to the others', async () => {
  const { page } = owner
  await page.getByRole('button', { name: 'Delete…' }).click()
  await panel().getByLabel('Type Product page to confirm').fill('Product page')
  await button('Delete placement').click()
  await page.getByRole('heading', { name: 'No placements yet' }).waitFor()
  await page.goto(`${path}/product-page`)
  await page.getByRole('heading', { level: 1, name: 'Placement not found' }).waitFor()
  await page.getByRole('link', { name: 'All placements' }).waitFor()
})
