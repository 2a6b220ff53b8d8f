import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const path = '/1-acme/1-web-shop/commerce'
const batch = '/api/v1/projects/1/catalog/items/batch'

const site = openSite()
let visitor: Visitor

const item = (itemId: string, more: Record<string, unknown> = {}) => ({
  ...{ itemId, title: `Shirt ${itemId}`, link: `https://shop.example/${itemId}`, price: '19.99', currency: 'EUR' },
  ...more,
})
const rows = () => visitor.page.getByRole('table').getByRole('rowheader')

beforeAll(async () => {
  visitor = await site.visit(ada)
})

it('the empty page says how to send the first item', async () => {
  const { page } = visitor
  await openPage(page, path)
  await page.getByRole('heading', { name: 'No products yet' }).waitFor()
  await page.getByText('/catalog/items/batch').waitFor()
  if (isFull) await expectGoodPage(visitor, 'products-empty')
})

it('products appear with their price and availability, and are found', async () => {
  const { page } = visitor
  await prepare(site.service.url, 'POST', batch, {
    upsert: [
      item('blue', {
        ...{ brand: 'Acme', categories: ['Clothing', 'Shirts'], salePrice: '14.99' },
        imageLink: 'https://cdn.shop.example/blue.jpg',
      }),
      item('blue-l', { productId: 'blue', stock: 0, attributes: { size: 'L' } }),
      item('red', { availability: 'OUT_OF_STOCK', categories: ['Clothing'] }),
      item('mug/4', { title: 'Mug', availability: 'PREORDER', categories: ['Kitchen'] }),
    ],
  })
  await openPage(page, path)
  await page.getByText('€14.99, usually €19.99').waitFor()
  expect(await rows().allInnerTexts()).toEqual(['Shirt blue', 'Mug', 'Shirt red'])
  await page.getByText('1 of 2 in stock').waitFor()
  await expectGoodPage(visitor, 'products')
  await page.getByLabel('Search titles, ids, brands and attributes').fill('shi')
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Shirt blue', 'Shirt red'])
  await page.getByLabel('Search titles, ids, brands and attributes').fill('')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Category', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Clothing 2' }).waitFor()
  await page.getByLabel('Search in Category').fill('shirts')
  await page.getByRole('checkbox', { name: 'Clothing 2' }).waitFor({ state: 'detached' })
  if (isFull) await expectGoodPage(visitor, 'products-facet')
  await page.getByRole('checkbox', { name: 'Clothing > Shirts 1' }).check()
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Shirt blue'])
  await openPage(page, `${path}?availability=BACKORDER`)
  await page.getByRole('heading', { name: 'No product matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows().count()).toBe(3)
})

it('the page of a product says of each item why visitors cannot buy it', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Shirt blue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shirt blue' }).waitFor()
  await page.getByText('Its stock is 0.').waitFor()
  await page.getByText('size: L').waitFor()
  // The policy of the dashboard loads nothing from a shop.
  const image = page.getByRole('link', { name: 'Image of Shirt blue', exact: true })
  expect([await image.getAttribute('href'), await image.getAttribute('rel')]).toEqual([
    ...['https://cdn.shop.example/blue.jpg', 'noreferrer'],
  ])
  await expectGoodPage(visitor, 'product')
  await openPage(page, `${path}/products/mug%2F4`)
  await page.getByText('It can only be ordered in advance.').waitFor()
})

inFull('dashboard/jobs')('the address of an unknown product says so, and leads to the others', async () => {
  const { page } = visitor
  await page.goto(`${path}/products/none`)
  await page.getByRole('heading', { level: 1, name: 'Product not found' }).waitFor()
  await page.getByRole('link', { name: 'All products' }).click()
  await expect.poll(() => rows().count()).toBe(3)
})

it('the palette finds a product by what the service finds it by', async () => {
  const { page } = visitor
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search flags, pages and actions' }).fill('acme')
  await page.getByRole('option', { name: 'Shirt blue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shirt blue' }).waitFor()
})

it('the settings show what the catalog contains, and change its money and which orders count', async () => {
  const { page } = visitor
  await openPage(page, path)
  await page.getByRole('navigation', { name: 'Commerce' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('region', { name: 'What it contains' }).getByText('4', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Revisions' }).getByText('The API').waitFor()
  await page.getByLabel('Reporting currency').fill('EUR')
  await page.getByRole('button', { name: 'Add a rate' }).click()
  await page.getByLabel('Currency of rate 1').fill('EUR')
  await page.getByLabel('Worth of 1 EUR in EUR').fill('none')
  await page.getByRole('button', { name: 'Save catalog' }).click()
  await page.getByText('2 fields need your attention').waitFor()
  if (isFull) await expectGoodPage(visitor, 'catalog-faults')
  await page.getByLabel('Currency of rate 1').fill('USD')
  await page.getByLabel('Worth of 1 USD in EUR').fill('0.92')
  await page.getByLabel('Only those that an import knows').check()
  await page.getByRole('button', { name: 'Save catalog' }).click()
  await page.getByText('Catalog saved.').waitFor()
  await expectGoodPage(visitor, 'catalog')
  expect(await prepare(site.service.url, 'GET', '/api/v1/projects/1/catalog')).toMatchObject({
    ...{ currency: 'EUR', rates: { USD: '0.92' }, orders: { trust: 'CONFIRMED' } },
  })
})
