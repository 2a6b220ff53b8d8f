import type { components, Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { itemBatches } from '../files/item-batches.ts'
import { usage } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import { allOf } from '../service/pages.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, pairOf, wholeNumber } from '../values/option-values.ts'
import { askedFor, waitOption } from './job.ts'

const path = '/api/v1/projects/{projectId}/catalog'
const productPath = `${path}/products/{productId}` as const

type Catalog = Data<typeof path, 'get'>
interface BatchBody {
  upsert: components['schemas']['SentCatalogItem'][]
  delete: string[]
}
type Product = Data<`${typeof path}/products`, 'get'>[number]

const availabilities = ['IN_STOCK', 'OUT_OF_STOCK', 'PREORDER', 'BACKORDER'] as const
const trusts = ['AUTO', 'SDK', 'CONFIRMED'] as const

const show = command({
  name: 'catalog show',
  summary: 'Show the settings of the catalog and what it contains.',
  watch: true,
  async run({ session }) {
    const { connection, output, project } = session
    const { data } = await connection.api.GET(path, { params: { path: { projectId: project } } })
    output.data(data!.data, () => output.details(linesOf(data!.data)))
  },
})

const set = command({
  name: 'catalog set',
  summary: 'Change the settings of the catalog.',
  options: {
    currency: { value: 'CODE', about: 'The reporting currency, and that of items without one, such as EUR.' },
    rate: {
      value: 'CODE=RATE',
      many: true,
      about: 'What one unit of a currency is worth in the reporting currency. Those given replace all rates.',
    },
    trust: { value: 'TRUST', about: 'Which orders count.', choices: trusts },
  },
  examples: ['svc catalog set --currency EUR --rate USD=0.92 --rate GBP=1.17'],
  async run({ options, session }) {
    const { connection, output, project } = session
    const { currency, rate, trust } = options
    const body = {
      ...(currency !== undefined && { currency }),
      ...(rate && { rates: Object.fromEntries(rate.map((text) => pairOf(text, '--rate'))) }),
      ...(trust !== undefined && { orders: { trust: trust as Catalog['orders']['trust'] } }),
    }
    if (Object.keys(body).length === 0) throw usage('Say what to change: --currency, --rate or --trust.')
    const params = { path: { projectId: project } }
    const { response } = await connection.api.GET(path, { params })
    const { data } = await connection.api.PATCH(path, {
      params: { ...params, header: { 'x-svc-if-match': etagOf(response) } },
      body,
    })
    output.wrote(data!.data, 'The settings of the catalog are saved.')
  },
})

const products = command({
  name: 'catalog products',
  summary: 'List the products of the catalog, or find some of them.',
  watch: true,
  options: {
    q: { value: 'WORDS', about: 'Only products with all of these words. Their ends can be missing.' },
    category: { value: 'PATH', about: 'Only this category and those below it, such as "Clothing > Shirts".' },
    brand: { value: 'BRAND', about: 'Only this brand.' },
    availability: { value: 'AVAILABILITY', about: 'Only products with such an item.', choices: availabilities },
    ...limitOption,
  },
  examples: ['svc catalog products --q "blue shirt" --limit 20'],
  async run({ options, session }) {
    const { connection, output, project } = session
    const { q, category, brand, availability } = options
    const wanted = {
      ...(q !== undefined && { q }),
      ...(category !== undefined && { category }),
      ...(brand !== undefined && { brand }),
      ...(availability !== undefined && { availability: availability as Product['availability'] }),
    }
    const found = await allOf(
      (query) =>
        connection.api.GET(`${path}/products`, {
          params: { path: { projectId: project }, query: { ...query, ...wanted } },
        }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(found, () =>
      output.rows(
        [
          { head: 'PRODUCT', cell: ({ productId }) => productId },
          { head: 'TITLE', cell: ({ title }) => title },
          { head: 'PRICE', cell: (found) => priceOf(found), right: true },
          { head: 'SALE', cell: (found) => saleOf(found) },
          { head: 'AVAILABILITY', cell: (product) => product.availability },
          { head: 'ITEMS', cell: ({ itemCount }) => itemCount, right: true },
          { head: 'BRAND', cell: (product) => product.brand },
          { head: 'CATEGORY', cell: ({ categories }) => categories.join(' > ') },
        ],
        found,
        Object.keys(wanted).length > 0 ? 'No product has all of this.' : 'The catalog has no products.',
      ),
    )
  },
})

const product = command({
  name: 'catalog product',
  summary: 'Show a product with its items.',
  watch: true,
  args: ['PRODUCT'],
  async run({ args, session }) {
    const { connection, output, project } = session
    const params = { path: { projectId: project, productId: args.PRODUCT } }
    const { data } = await connection.api.GET(productPath, { params })
    const found = data!.data
    output.data(found, () => {
      output.details([
        ['Product', found.productId],
        ['Title', found.title],
        ['Link', found.link],
        ['Price', priceOf(found)],
        ['Sale', saleOf(found)],
        ['Availability', found.availability],
        ['Brand', found.brand],
        ['Category', found.categories.join(' > ')],
        ['Items', found.itemCount],
      ])
      output.rows(
        [
          { head: 'ITEM', cell: ({ itemId }) => itemId },
          { head: 'TITLE', cell: ({ title }) => title },
          { head: 'PRICE', cell: (found) => priceOf(found), right: true },
          { head: 'SALE', cell: (found) => saleOf(found) },
          { head: 'AVAILABILITY', cell: (item) => item.availability },
          { head: 'STOCK', cell: (item) => item.stock, right: true },
        ],
        found.items,
        '',
      )
    })
  },
})

const categories = command({
  name: 'catalog categories',
  summary: 'List the categories of items.',
  options: limitOption,
  async run({ options, session }) {
    const { connection, output, project } = session
    const found = await allOf(
      (query) => connection.api.GET(`${path}/categories`, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(found, () =>
      output.rows(
        [
          { head: 'CATEGORY', cell: ({ category }) => category },
          { head: 'ITEMS', cell: ({ items }) => items, right: true },
        ],
        found,
        'No item has a category.',
      ),
    )
  },
})

const facet = command({
  name: 'catalog facet',
  summary: 'Count the products of each brand or category, the most frequent first.',
  options: {
    field: { value: 'FIELD', about: 'What is counted. Default: brand.', choices: ['brand', 'category'] },
    find: { value: 'LETTERS', about: 'Only values with these letters.' },
    q: { value: 'WORDS', about: 'Only products with all of these words.' },
    category: { value: 'PATH', about: 'Only products of this category and those below it.' },
    brand: { value: 'BRAND', about: 'Only products of this brand.' },
    limit: { value: 'NUMBER', about: 'The most values, up to 100. Default: 20.' },
  },
  examples: ['svc catalog facet', 'svc catalog facet --field category --brand Acme'],
  async run({ options, session }) {
    const { connection, output, project } = session
    const { field, find, q, category, brand } = options
    const query = {
      ...(field !== undefined && { field: field as 'brand' | 'category' }),
      ...(find !== undefined && { find }),
      ...(q !== undefined && { q }),
      ...(category !== undefined && { category }),
      ...(brand !== undefined && { brand }),
      limit: wholeNumber(options.limit, '--limit') ?? 20,
    }
    const { data } = await connection.api.GET(`${path}/facets`, { params: { path: { projectId: project }, query } })
    output.data(data!.data, () =>
      output.rows(
        [
          { head: field === 'category' ? 'CATEGORY' : 'BRAND', cell: ({ value }) => value },
          { head: 'PRODUCTS', cell: ({ products }) => products, right: true },
        ],
        data!.data.values,
        'No product has one.',
      ),
    )
  },
})

const batch = command({
  name: 'catalog batch',
  summary: 'Add, replace and remove the items of a JSON file.',
  about:
    'The file has a list of items, or an object with the lists upsert and delete. Up to 1,000 of them are saved together or not at all; more are sent in several batches, and a batch that fails ends the command.',
  args: ['FILE'],
  examples: ['svc catalog batch items.json'],
  async run({ args, session }) {
    const { connection, output, project } = session
    const batches = itemBatches(await session.readJson(args.FILE), args.FILE)
    const sums = { added: 0, changed: 0, removed: 0, unchanged: 0 }
    let revision = 0
    for (const [index, body] of batches.entries()) {
      const { data } = await connection.api.POST(`${path}/items/batch`, {
        params: { path: { projectId: project } },
        body: body as BatchBody,
      })
      const saved = data!.data
      revision = saved.revision
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += saved[name]
      for (const { itemId, field, message } of saved.warnings) output.say(`${itemId}: ${field}: ${message}`)
      if (batches.length > 1) output.say(`Batch ${index + 1} of ${batches.length} is saved.`)
    }
    const { added, changed, removed, unchanged } = sums
    output.wrote(
      { revision, ...sums },
      `Revision ${revision}: ${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged.`,
    )
  },
})

const revisions = command({
  name: 'catalog revisions',
  summary: 'List the revisions of the catalog, newest first.',
  watch: true,
  options: limitOption,
  async run({ options, session }) {
    const { connection, output, project } = session
    const found = await allOf(
      (query) => connection.api.GET(`${path}/revisions`, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(found, () =>
      output.rows(
        [
          { head: 'REVISION', cell: ({ revision }) => revision, right: true },
          { head: 'CREATED', cell: ({ createdAt }) => shownTime(createdAt) },
          { head: 'BY', cell: ({ createdBy }) => createdBy.name },
          { head: 'ADDED', cell: ({ added }) => added, right: true },
          { head: 'CHANGED', cell: ({ changed }) => changed, right: true },
          { head: 'REMOVED', cell: ({ removed }) => removed, right: true },
          { head: 'ITEMS', cell: ({ counts }) => counts.items, right: true },
        ],
        found,
        'The catalog has no revisions.',
      ),
    )
  },
})

const restore = command({
  name: 'catalog restore',
  summary: 'Make a new revision with the items of an old one.',
  about: 'The next sync of a source brings the items of its feed again, so correct the feed or take its schedule away.',
  args: ['REVISION'],
  options: waitOption,
  examples: ['svc catalog restore 41 --wait'],
  async run({ args, options, session }) {
    const { connection, project } = session
    const { data } = await connection.api.POST(`${path}/revisions/{revision}/restore`, {
      params: { path: { projectId: project, revision: args.REVISION } },
    })
    await askedFor(session, data!.data, `restores revision ${args.REVISION}`, options.wait)
  },
})

export const catalog: Group = {
  name: 'catalog',
  summary: 'The products of a shop: find them, and change them by batch.',
  commands: [show, set, products, product, categories, facet, batch, revisions, restore],
}

const confirmedFrom = (times: Catalog['orders']['confirmedFrom']): string | null =>
  Object.entries(times)
    .map(([envId, time]) => `${shownTime(time)} in ${envId}`)
    .join(', ') || null

const linesOf = ({ currency, rates, orders, counts, revision, updatedAt }: Catalog) =>
  [
    ['Products', counts.products],
    ['Items', counts.items],
    ['Revision', revision],
    ['Currency', currency],
    [
      'Rates',
      Object.entries(rates)
        .map(([code, rate]) => `${code}=${rate}`)
        .join(', '),
    ],
    ['Orders', orders.trust],
    ['Confirmed from', confirmedFrom(orders.confirmedFrom)],
    ['Updated', shownTime(updatedAt)],
  ] as const

const priceOf = ({ price, currency }: Pick<Product, 'price' | 'currency'>): string => `${price} ${currency}`

/** The sale price, if there is one, with the days of the sale. */
const saleOf = ({ salePrice, saleFrom, saleUntil }: Pick<Product, 'salePrice' | 'saleFrom' | 'saleUntil'>): string =>
  salePrice === null
    ? ''
    : [salePrice, saleFrom && `from ${shownTime(saleFrom)}`, saleUntil && `until ${shownTime(saleUntil)}`]
        .filter(Boolean)
        .join(' ')
