import type { Item } from '../../packages/server/src/wings/model/catalog/index.ts'

const description = 'A shirt of organic cotton, made to last, with a button more than you need & a pocket. '.repeat(3)

/** An item of a feed of measurements, by its number: four are a product. */
export const item = (at: number): Item => ({
  itemId: `SKU-${at}`,
  productId: `G${at >> 2}`,
  title: `Shirt ${at}, blue & white, M`,
  description,
  link: `https://shop.example.com/p/${at >> 2}?v=${at}`,
  imageLink: `https://cdn.example.com/images/${at}.jpg`,
  additionalImageLinks: [`https://cdn.example.com/images/${at}-2.jpg`],
  availability: 'IN_STOCK',
  stock: at % 100,
  price: 199_900 + at,
  salePrice: at % 3 === 0 ? 149_900 : null,
  saleFrom: null,
  saleUntil: null,
  currency: 'EUR',
  cost: 75_000,
  brand: 'Acme',
  gtin: String(4_006_381_000_000 + at),
  mpn: null,
  sku: `S-${at}`,
  categories: ['Clothing', 'Shirts'],
  condition: 'NEW',
  adult: false,
  labels: ['summer'],
  attributes: { color: 'blue', size: 'M' },
})
