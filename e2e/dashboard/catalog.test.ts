import { beforeAll, expect, it } from 'vitest'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'

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
  await page.goto(path)
  await page.getByRole('heading', { name: 'No products yet' }).waitFor()
  await page.getByText('/catalog/items/batch').waitFor()
  await expectGoodPage(visitor, 'products-empty')
})

it('products appear with their price and availability, and are found', async () => {
  const { page } = visitor
  await prepare(site.service.url, 'POST', batch, {
    upsert: [
      item('blue', { brand: 'Acme', categories: ['Clothing', 'Shirts'], salePrice: '14.99' }),
      item('blue-l', { productId: 'blue', stock: 0, attributes: { size: 'L' } }),
      item('red', { availability: 'OUT_OF_STOCK', categories: ['Clothing'] }),
      item('mug/4', { title: 'Mug', availability: 'PREORDER', categories: ['Kitchen'] }),
    ],
  })
  await page.goto(path)
  await page.getByText('14.99 EUR, usually 19.99 EUR').waitFor()
  expect(await rows().allInnerTexts()).toEqual(['Shirt blue', 'Mug', 'Shirt red'])
  await page.getByText('1 of 2 in stock').waitFor()
  await expectGoodPage(visitor, 'products')
  await page.getByLabel('Search titles, ids, brands and attributes').fill('shi')
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Shirt blue', 'Shirt red'])
  await page.goto(`${path}?category=Clothing+%3E+Shirts`)
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Shirt blue'])
  await page.goto(`${path}?availability=BACKORDER`)
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
  await expectGoodPage(visitor, 'product')
  await page.goto(`${path}/products/mug%2F4`)
  await page.getByText('It can only be ordered in advance.').waitFor()
})

it('the address of an unknown product says so, and leads to the others', async () => {
  const { page } = visitor
  await page.goto(`${path}/products/none`)
  await page.getByRole('heading', { level: 1, name: 'Product not found' }).waitFor()
  await page.getByRole('link', { name: 'All products' }).click()
  await expect.poll(() => rows().count()).toBe(3)
})
