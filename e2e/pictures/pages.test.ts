import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../../packages/server/testing/vendors/shop.ts'
import { prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import { fillModels } from '../dashboard/recommending.ts'
import { openSite } from '../dashboard/site.ts'
import { acme, checkout, fillShop, fillSite, fillTests, shop, website } from './shop.ts'

/** Where the pictures of all pages go. Git ignores the folder: they are for looking at. */
const folder = process.env.SVC_SCREENSHOTS ?? join(import.meta.dirname, '../../screenshots')

const delivery = '/flags/delivery-dates'
const visitor = encodeURIComponent(JSON.stringify({ targetingKey: 'u-17', country: 'NL', plan: 'pro' }))

const inProject = {
  flags: '/flags',
  flag: `${checkout}?env=production`,
  'flag-draft': `${delivery}?env=production`,
  'rule-new': `${checkout}?env=production&rule=new-rollout`,
  'flag-schedule': `${checkout}?env=production&schedule=flag`,
  'flag-try': `${checkout}?env=production&panel=try&visitor=${visitor}`,
  'flag-overrides': `${checkout}?env=production&panel=always`,
  'flag-history': `${checkout}/history?env=production`,
  'flag-settings': `${checkout}/settings`,
  'flag-results': `${checkout}/results?env=production`,
  'flag-compare': `${checkout}/compare?env=production&with=development`,
  publish: '/environments/production/publish',
  playground: '/playground?env=production&flag=one-page-checkout',
  'playground-result': `/playground?env=production&flag=one-page-checkout&visitor=${visitor}`,
  connect: '/connect?env=development',
  environments: '/environments',
  environment: '/environments/production',
  clients: '/environments/production/clients',
  'environment-history': '/environments/production/history',
  compare: '/compare',
  history: '/history?env=production',
  schedules: '/history/schedules',
  audiences: '/audiences',
  audience: '/audiences/1',
  'audience-edit': '/audiences/1?panel=edit',
  segments: '/segments',
  segment: '/segments/1',
  'segment-replace': '/segments/1?panel=replace',
  revision: '/environments/production/history/6',
  metrics: '/metrics',
  metric: '/metrics/paid',
  experiments: '/experiments',
  'experiments-completed': '/experiments?status=COMPLETED',
  'experiment-create': '/experiments?panel=create',
  experiment: '/experiments/1',
  'experiment-edit': '/experiments/1?panel=edit',
  'experiment-schedule': '/experiments/2?panel=schedule',
  'experiment-draft': '/experiments/2',
  'set-up-goal': '/experiments/2?panel=goal',
  'set-up-variations': '/experiments/2?panel=variations',
  'set-up-who': '/experiments/2?panel=who',
  'set-up-size': '/experiments/2?panel=size',
  'set-up-review': '/experiments/2?panel=review',
  'results-example': '/experiments/example',
  calculator: '/experiments/calculator',
  'exclusion-groups': '/exclusion-groups',
  holdouts: '/holdouts',
  webhooks: '/integrations/webhooks',
  'webhook-create': '/integrations/webhooks?panel=create',
  destinations: '/integrations/destinations',
  'destination-kinds': '/integrations/destinations/new',
  'destination-create': '/integrations/destinations/new?kind=SLACK',
  destination: '/integrations/destinations/issues',
  'destination-edit': '/integrations/destinations/issues/edit',
  products: '/commerce',
  'catalog-sources': '/commerce/sources',
  'catalog-source': '/commerce/sources/main-feed',
  'catalog-source-sent': '/commerce/sources/outlet',
  'catalog-source-create': '/commerce/sources?panel=create',
  'catalog-source-orders': '/commerce/sources/shop-orders',
  'catalog-source-supplement': '/commerce/sources/costs?panel=from',
  'catalog-source-from': '/commerce/sources/main-feed?panel=from',
  'catalog-source-guards': '/commerce/sources/main-feed?panel=guards',
  'catalog-source-schedule': '/commerce/sources/main-feed?panel=schedule',
  product: '/commerce/products/G1',
  catalog: '/commerce/catalog',
  placements: '/commerce/placements',
  placement: '/commerce/placements/product-page',
  'placement-edit': '/commerce/placements/product-page?panel=edit',
  models: '/commerce/models',
  'model-create': '/commerce/models?panel=create',
  model: '/commerce/models/viewed',
  'model-edit': '/commerce/models/viewed?panel=edit',
  datasets: '/commerce/datasets',
  'dataset-create': '/commerce/datasets?panel=create',
  dataset: '/commerce/datasets/behaviour',
  'dataset-edit': '/commerce/datasets/behaviour?panel=edit',
  'dataset-pairs': '/commerce/datasets/trained',
  orders: '/commerce/orders',
  jobs: '/commerce/jobs',
  'project-settings': '/settings',
  'not-found': '/flags/one-page-chekout?env=production',
}
/** In the project of web experiments. */
const inSite = {
  'web-experiments': '/experiments',
  'web-experiment-create': '/experiments?panel=create',
  'web-experiment-variations': '/experiments?panel=create:variations',
  'web-experiment-goals': '/experiments?panel=create:goals',
  'web-experiment-size': '/experiments?panel=create:size',
  targeting: '/experiments/1/targeting',
  'site-settings': '/settings/site',
  tag: '/connect?env=production',
  'tag-waiting': '/connect?env=development',
  'web-playground': '/playground?env=production',
}
const elsewhere = {
  'web-experiment': `${website}/experiments/1`,
  'web-experiment-edit': `${website}/experiments/1?panel=edit`,
  'web-experiment-draft': `${website}/experiments/2`,
  design: `${website}/experiments/1/design/price`,
  'design-baseline': `${website}/experiments/1/design/original`,
  'design-empty': `${website}/experiments/2/design/variation-1`,
  'design-add': `${website}/experiments/1/design/price?panel=add`,
  'design-edit': `${website}/experiments/1/design/price?panel=edit&change=c2`,
  'design-css': `${website}/experiments/1/design/price?panel=css`,
  'design-code': `${website}/experiments/1/design/price?panel=code`,
  'design-json': `${website}/experiments/1/design/price?panel=json`,
  'design-preview': `${website}/experiments/1/design/price?panel=preview`,
  'hand-off': `${website}/experiments/1/design/price?panel=hand-off`,
  projects: '/1-acme',
  organization: '/1-acme/settings/general',
  members: '/1-acme/settings/members',
  roles: '/1-acme/settings/roles',
  tokens: '/1-acme/settings/tokens',
  'create-token': '/1-acme/settings/tokens/new',
  audit: '/1-acme/settings/audit',
  account: '/account',
  security: '/account/security',
  sessions: '/account/sessions',
  'personal-tokens': '/account/tokens',
  notifications: '/account/notifications',
  appearance: '/account/appearance',
}
const pages = Object.entries({
  ...Object.fromEntries(Object.entries(inProject).map(([name, path]) => [name, `${shop}${path}`])),
  ...Object.fromEntries(Object.entries(inSite).map(([name, path]) => [name, `${website}${path}`])),
  ...elsewhere,
})
/** What opens on a page, and what opens it. */
const opened: Record<string, [path: string, open: (page: Page) => Promise<unknown>]> = {
  palette: [`${shop}/flags`, (page) => page.keyboard.press('Control+k')],
  shortcuts: [`${shop}/flags`, (page) => page.keyboard.press('?')],
  attention: [`${shop}/flags`, (page) => page.getByRole('button', { name: /^Needs attention/ }).click()],
  'audit-changes': [
    '/1-acme/settings/audit',
    async (page) => {
      await page.getByText('What changed').first().click()
      await page.getByText('Details', { exact: true }).first().click()
    },
  ],
  webhook: [
    `${shop}/integrations/webhooks`,
    async (page) => {
      await page.getByRole('link', { name: 'Deploy log' }).click()
      await page.getByRole('table', { name: 'Deliveries' }).waitFor()
    },
  ],
  'catalog-source-preview': [
    `${shop}/commerce/sources/main-feed?panel=preview`,
    async (page) => {
      await page.getByRole('button', { name: 'Read the first rows' }).click()
      await page.getByText('Would be skipped', { exact: true }).waitFor()
    },
  ],
  'catalog-source-preview-orders': [
    `${shop}/commerce/sources/shop-orders?panel=preview`,
    async (page) => {
      await page.getByRole('button', { name: 'Read the first rows' }).click()
      await page.getByText('The first 5 of', { exact: false }).waitFor()
    },
  ],
  'placement-boosts': [
    `${shop}/commerce/placements/product-page?panel=edit`,
    async (page) => {
      await page.getByRole('button', { name: 'Add a boost' }).click()
      await page.getByLabel('What boost 2 is for').selectOption('CONDITIONS')
      await page.getByText('Filter', { exact: true }).last().scrollIntoViewIfNeeded()
      await page.getByRole('button', { name: 'Add a boost' }).scrollIntoViewIfNeeded()
    },
  ],
  'products-facet': [
    `${shop}/commerce`,
    async (page) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('button', { name: 'Brand', exact: true }).click()
      await page.getByRole('checkbox', { name: /^Acme/ }).waitFor()
    },
  ],
  'catalog-source-choose': [
    `${shop}/commerce/sources/outlet`,
    async (page) => {
      const file = { name: 'outlet.csv', mimeType: 'text/csv', buffer: Buffer.from(shirts(40)) }
      await page.getByLabel('Choose a file').last().setInputFiles(file)
      await page.getByRole('button', { name: 'Send file' }).waitFor()
    },
  ],
  'catalog-source-sending': [
    `${shop}/commerce/sources/outlet`,
    async (page) => {
      const file = { name: 'outlet.csv', mimeType: 'text/csv', buffer: Buffer.from(shirts(40)) }
      await page.route('**/uploads', () => new Promise(() => {}))
      await page.getByLabel('Choose a file').last().setInputFiles(file)
      await page.getByRole('button', { name: 'Send file' }).click()
      await page.getByRole('progressbar').waitFor()
      await page.unroute('**/uploads')
    },
  ],
  job: [
    `${shop}/commerce/sources/main-feed`,
    async (page) => {
      await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click()
      await page.getByRole('table', { name: 'Errors by line' }).waitFor()
    },
  ],
  delivery: [
    `${shop}/integrations/webhooks`,
    async (page) => {
      await page.getByRole('link', { name: 'Deploy log' }).click()
      await page.getByRole('link', { name: 'flag.created' }).first().click()
      await page.getByText('Body', { exact: true }).first().waitFor()
    },
  ],
  'webhook-create': [
    `${shop}/integrations/webhooks`,
    (page) => page.getByRole('button', { name: 'Create webhook' }).click(),
  ],
  invite: ['/1-acme/settings/members', (page) => page.getByRole('button', { name: 'Invite' }).click()],
  'role-create': ['/1-acme/settings/roles', (page) => page.getByRole('button', { name: 'Create role' }).click()],
  'filter-preview': [
    '/1-acme/settings/general',
    async (page) => {
      await page.getByLabel('Every event except').check()
      await page.getByRole('textbox', { name: 'Words' }).fill('cart')
      await page.keyboard.press('Enter')
    },
  ],
  'preview-created': [
    `${website}/experiments/1/design/price?panel=preview`,
    async (page) => {
      await page.getByRole('button', { name: 'Create preview' }).click()
      await page.getByRole('img', { name: /^QR code/ }).waitFor()
    },
  ],
  'token-secret': [
    '/1-acme/settings/tokens/new',
    async (page) => {
      await page.getByLabel('Name').fill('Deploy')
      await page.getByLabel('Read only').check()
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('dialog').getByText('Copy it now').waitFor()
    },
  ],
}
const signedOut = {
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  reset: '/reset',
  join: '/join',
  'confirm-email': '/confirm-email#old',
  'confirm-mail': '/confirm-mail#old',
  unsubscribe: '/unsubscribe#old',
}
const sizes = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 360, height: 740 },
  reflow: { width: 320, height: 640 },
}
// Nothing listens there, so the webhook fails.
const nowhere = 'localhost:9'
let feed: Shop
const site = openSite(acme, { SVC_WEBHOOK_ALLOWED_HOSTS: nowhere }, undefined, async () => {
  feed = await openShop({ others: [nowhere] })
  return feed.outbound
})
let page: Page

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const segment = await prepare(site.service.url, 'POST', '/api/v1/projects/1/segments', { name: 'Pilot customers' })
  const members = `/api/v1/projects/1/segments/${segment.id}/members/add`
  await prepare(site.service.url, 'POST', members, { ids: ['u-17', 'u-18', 'u-19'] })
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/webhooks', {
    name: 'Deploy log',
    url: 'https://localhost:9/svc',
    events: ['flag.created', 'flag.published'],
  })
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/destinations', {
    name: 'Issues',
    kind: 'GITHUB',
    config: { apiUrl: 'https://localhost:9/api/v3', owner: 'acme', repo: 'shop', token: 'ghp_longSecretWxYz' },
    events: ['flag.archived'],
  })
  await fillShop(site.service.url)
  await fillTests(site.service.url)
  // The second project, as on the other full sites.
  await prepare(site.service.url, 'POST', '/api/v1/projects', { name: 'Empty' })
  await fillSite(site.service.url)
  await fillCatalog()
  await fillModels(site.service.url)
  page = (await site.visit(ada)).page
})
afterAll(() => feed.close())

/** A feed with some broken rows, and a sync of it that is held. */
async function fillCatalog(): Promise<void> {
  const { url } = site.service
  const sources = '/api/v1/projects/1/catalog/sources'
  await prepare(url, 'POST', sources, {
    ...{
      name: 'Main feed',
      type: 'PRODUCTS',
      url: feed.url,
      auth: { type: 'BEARER', secret: 'token-of-the-shop-WxYz' },
    },
    schedule: { every: 'HOUR', at: '00:15', timezone: 'Europe/Amsterdam' },
    mapping: { cost: 'wholesale_price', brand: 'maker' },
  })
  await prepare(url, 'POST', sources, { name: 'Outlet', type: 'PRODUCTS' })
  const pin = { from: null, until: '2036-12-01T00:00:00.000Z' }
  await prepare(url, 'POST', '/api/v1/projects/1/recommendations/placements', {
    name: 'Product page',
    variants: {
      default: {
        ...{ strategies: ['BOUGHT_TOGETHER', 'SIMILAR', 'POPULAR'], maxPerBrand: 3 },
        filter: { attribute: 'price', operator: 'lessThan', value: 100 },
        boosts: [{ sameAs: 'brand', factor: 1.3 }],
        pins: ['G1', 'G5', 'G7'].map((productId, position) => ({ ...pin, productId, position })),
      },
      none: { strategies: [] },
    },
  })
  await prepare(url, 'POST', sources, {
    ...{ name: 'Costs', type: 'SUPPLEMENT', fields: ['cost'], url: feed.url, defaultCurrency: 'EUR' },
  })
  await prepare(url, 'POST', sources, { name: 'Shop orders', type: 'ORDERS', url: feed.url, defaultCurrency: 'EUR' })
  await prepare(url, 'POST', '/api/v1/projects/1/datasets', { name: 'Trained', kind: 'NEIGHBOURS' })
  for (const [source, file] of [
    ['main-feed', shirts(90)],
    ['main-feed', shirts(20)],
    ['shop-orders', shopOrders(60)],
  ] as const) {
    feed.serve(file)
    const { id } = await prepare(url, 'POST', `${sources}/${source}/sync`)
    const job = () => prepare(url, 'GET', `/api/v1/projects/1/commerce/jobs/${id}`)
    await vi.waitUntil(async () => (await job()).endedAt !== null, { timeout: 30_000, interval: 200 })
  }
}

/** Orders of the last weeks with refunds, a cancellation and one without a time. */
const shopOrders = (count: number): string =>
  [
    'order_id,placed_at,unit,total,tax,shipping,status,item_id,quantity,price,cost,refunded_amount',
    ...Array.from({ length: count }, (_, at) => {
      const placedAt = at === 30 ? '' : new Date(Date.now() - (at + 1) * 11 * 3_600_000).toISOString()
      const [pieces, price] = [1 + (at % 3), 19.99 + (at % 4)]
      const total = (pieces * price + 4.95).toFixed(2)
      const refund = at % 13 === 5 ? price.toFixed(2) : ''
      return [
        ...[98_200 + at, placedAt, at % 9 === 8 ? '' : `u-${at * 7}`, total, (Number(total) * 0.16).toFixed(2), '4.95'],
        ...[at % 17 === 9 ? 'CANCELLED' : '', `SKU-${(at * 5) % 90}`, pieces, price.toFixed(2)],
        ...[at % 6 === 2 ? '' : '7.50', refund],
      ].join(',')
    }),
  ].join('\n')

const colors = ['blue', 'green', 'red', 'white']
const shirts = (count: number): string =>
  [
    'id,item_group_id,title,link,price,sale_price,maker,wholesale_price,product_type,availability,image_link,color',
    ...Array.from({ length: count }, (_, at) => {
      const color = colors[at % colors.length]
      const price = at % 17 === 3 ? 'on request' : `${19 + (at % 7)}.99 EUR`
      const sale = at % 5 === 1 ? '14.99 EUR' : ''
      return [
        ...[
          `SKU-${at}`,
          `G${Math.floor(at / 2)}`,
          `Shirt ${Math.floor(at / 2)}, ${color}`,
          `https://shop.example/p/${at}`,
        ],
        ...[price, sale, at % 3 === 0 ? 'Acme' : 'Northwind', '7.50', 'Clothing > Shirts'],
        ...[at % 9 === 4 ? 'out_of_stock' : 'in_stock', `https://cdn.shop.example/${at}.jpg`, color],
      ].join(',')
    }),
  ]
    .map((line) => line.replace(/(Shirt \d+), (\w+)/, '"$1, $2"'))
    .join('\n')

/** Takes a page in every color scheme and size: the whole page, or only the window if something covers the page. */
async function take(page: Page, name: string, path: string, open?: (page: Page) => Promise<unknown>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await isLoaded(page)
      const isPanel = /[?&](rule|schedule|panel)=/.test(path)
      if (isPanel) await page.getByRole('dialog').waitFor()
      await open?.(page)
      await isLoaded(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${name} ${size}`).toBeLessThanOrEqual(0)
      const picture = join(folder, `${name}-${colorScheme}-${size}.png`)
      await page.screenshot({ path: picture, animations: 'disabled', fullPage: !open && !isPanel })
    }
  }
}

/** Placeholders appear a moment after the heading, so no look is enough until the page has rested. */
async function isLoaded(page: Page): Promise<void> {
  const placeholders = () => page.getByRole('status').filter({ hasText: 'Loading' }).count()
  await expect
    .poll(async () => (await placeholders()) + (await page.evaluate(pendingReads)), { interval: 200, timeout: 15_000 })
    .toBe(0)
}

/** How many reads began in the last 300 ms: after them, placeholders are there or no longer needed. */
const pendingReads = () =>
  performance.getEntriesByType('resource').filter(({ startTime }) => startTime > performance.now() - 300).length

it.each(pages)('takes the page %s', (name, path) => take(page, name, path))

it.each(Object.entries(opened))('takes what opens: %s', (name, [path, open]) => take(page, name, path, open))

it('takes the pages without sign-in', async () => {
  const { page: other } = await site.visit()
  for (const [name, path] of Object.entries(signedOut)) await take(other, name, path)
})
