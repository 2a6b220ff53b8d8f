import { order } from '../../packages/sdk/src/commerce.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import { prepare } from '../dashboard/calls.ts'
import { twoOrganizations } from '../dashboard/people.ts'

/** One organization with one project. */
export const acme = { organizations: [{ ...twoOrganizations.organizations[0], projects: [{ name: 'Web shop' }] }] }

/** Where the project is in the dashboard. */
export const shop = '/1-acme/1-web-shop'

/** Where the project with web experiments is in the dashboard. */
export const website = '/1-acme/3-website'

/** The address of its most interesting flag, in the dashboard and in the API. */
export const checkout = '/flags/one-page-checkout'

/** Fills the project with what a shop could have: an audience, flags with rules, and changes that are not published. */
export async function fillShop(url: string): Promise<void> {
  const call = (method: string, path: string, body?: object) => prepare(url, method, `/api/v1/projects/1${path}`, body)
  const createFlag = (name: string, key: string, tags: string[], more = {}) =>
    call('POST', '/flags', {
      name,
      key,
      tags,
      type: 'BOOLEAN',
      variations: [
        { name: 'Off', key: 'off', value: 'false' },
        { name: 'On', key: 'on', value: 'true' },
      ],
      defaultVariationKey: 'off',
      ...more,
    })
  const rollout = (name: string, more = {}) => ({ type: 'TARGETED_DELIVERY', name, variationKey: 'on', ...more })

  const beta = await call('POST', '/audiences', {
    name: 'Beta users',
    conditions: { all: [{ attribute: 'plan', operator: 'in', value: ['beta', 'pro'] }] },
  })
  await createFlag('Legacy cart', 'legacy-cart', ['cart'])
  await createFlag('New search ranking', 'new-search-ranking', ['search'])
  await createFlag('Delivery dates', 'delivery-dates', ['checkout'])
  await createFlag('Gift cards', 'gift-cards', ['payments'])
  await createFlag('One-page checkout', 'one-page-checkout', ['checkout'])
  const rules = `${checkout}/envs/production/rules`
  const benelux = await call(
    'POST',
    rules,
    rollout('Beta users in Benelux', {
      audienceIds: [beta.id],
      conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }] },
      trafficAllocation: 2500,
    }),
  )
  await call('POST', rules, {
    type: 'AB_TEST',
    name: 'One page for all',
    trafficAllocation: 2500,
    variations: [
      { variationKey: 'off', weight: 5000 },
      { variationKey: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
  })
  const old = await call('POST', rules, rollout('Old beta'))
  await call('POST', `${checkout}/envs/development/rules`, rollout('Beta users in Benelux', { audienceIds: [beta.id] }))
  for (const environment of ['production', 'development']) {
    for (const flag of ['one-page-checkout', 'delivery-dates', 'new-search-ranking'])
      await call('POST', `/flags/${flag}/envs/${environment}/run`)
  }
  await call('PATCH', `${rules}/${benelux.id}`, { trafficAllocation: 5000 })
  await call('DELETE', `${rules}/${old.id}`)
}

/** Makes a project of web experiments: a test that runs, a draft, and a page that has loaded the script. */
export async function fillSite(url: string): Promise<{ shortId: number }> {
  const project = await prepare(url, 'POST', '/api/v1/projects', { name: 'Website', type: 'WEB' })
  const call = (method: string, path: string, body?: object) =>
    prepare(url, method, `/api/v1/projects/${project.shortId}${path}`, body)
  await call('PUT', '/web-settings', { hosts: ['shop.example', '*.shop.example'], consent: 'REQUIRED' })
  await call('POST', '/metrics', {
    ...{ type: 'PROPORTION', conversionWindowHours: 24 },
    ...{ name: 'Signed up', key: 'signed_up', eventKey: 'signed_up' },
  })
  const pricing = {
    ...{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' },
    conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
  }
  const plans = {
    ...{ key: 'plans', name: 'Plans', url: 'https://shop.example/plans' },
    conditions: {
      any: [
        { attribute: 'page.path', operator: 'startsWith', value: '/plans' },
        { attribute: 'page.query.view', operator: 'equals', value: 'plans' },
      ],
    },
  }
  await call('POST', '/experiments', {
    ...{ name: 'Price in the headline', hypothesis: 'If the headline has a price, then more visitors sign up' },
    variations: [
      { key: 'original', name: 'Original', weight: 5000 },
      { key: 'price', name: 'With price', weight: 5000 },
    ],
    ...{ pages: [pricing, plans], metrics: { primary: ['signed_up'] } },
  })
  const changes = '/experiments/1/variations/price/changes'
  const css = '.hero { min-height: 20rem }'
  await call('PUT', changes, { changes: changesOfPrice.slice(0, 3), css })
  await call('POST', '/experiments/1/launch')
  const [headline, ...others] = changesOfPrice
  await call('PUT', changes, { changes: [{ ...headline, value: 'From € 12 a month' }, ...others], css })
  await call('POST', '/experiments', { name: 'Fewer fields', pages: [pricing] })
  const [{ sdkKey }] = await call('GET', '/environments')
  const beat = { sdkKey, sdkType: 'web', sdkVersion: '0.1.0', instanceId: 'web:shop.example', revision: 1 }
  await fetch(`${url}/api/sdk/heartbeat`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(beat),
  })
  return project
}

/** Adds what the shop measures: metrics, a draft, a test that runs and has visitors, and what keeps tests apart. */
export async function fillTests(url: string): Promise<void> {
  const call = (method: string, path: string, body?: object) => prepare(url, method, `/api/v1/projects/1${path}`, body)
  const metric = { type: 'PROPORTION', conversionWindowHours: 24 }
  await call('POST', '/metrics', { ...metric, name: 'Order paid', key: 'paid', eventKey: 'order_paid' })
  await call('POST', '/metrics', {
    ...{ ...metric, name: 'Page errors', key: 'errors', eventKey: 'page_error', direction: 'DECREASE' },
  })
  const group = await call('POST', '/exclusion-groups', { name: 'Tests of the checkout', slotSize: 2500 })
  const holdout = await call('POST', '/holdouts', { name: 'Of this year', share: 500 })
  const { id: flagId } = await call('GET', '/flags/delivery-dates')
  const split = {
    variations: [
      { key: 'off', weight: 5000 },
      { key: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
  }
  await call('POST', '/experiments', {
    ...{ ...split, flagId, name: 'Dates in the summary' },
    hypothesis: 'If we show the day of delivery, then more visitors pay, because they know what to expect',
    tags: ['checkout'],
    metrics: { primary: ['paid'], guardrails: ['errors'] },
    statistics: { plannedUnitsPerVariation: 31_235 },
  })
  await call('POST', '/experiments/1/launch')
  const cards = await call('GET', '/flags/gift-cards')
  await call('POST', '/experiments', {
    ...{ ...split, flagId: cards.id, name: 'Gift cards first' },
    hypothesis: 'If gift cards stand first, then more are bought',
    metrics: { primary: ['paid'] },
    ...{ exclusionGroupId: group.id, holdoutId: holdout.id },
  })
  const [{ sdkKey }] = await call('GET', '/environments')
  const client = createClient({ sdkKey, baseUrl: url, dimensions: ['country'] })
  await client.waitUntilReady()
  for (let at = 0; at < 400; at++) {
    const context = { targetingKey: `u-${at}`, country: at % 3 === 0 ? 'NL' : 'DE' }
    const hasDates = client.getBoolean('delivery-dates', false, context)
    if (at % (hasDates ? 4 : 5) === 0) client.track('order_paid', { context })
  }
  for (let at = 0; at < 24; at++) {
    const [total, tax] = at % 2 === 0 ? (['59.92', '9.57'] as const) : (['24.90', '3.98'] as const)
    const items = [{ itemId: at % 2 === 0 ? 'SKU-17-M' : 'SKU-4', quantity: 1 + (at % 3), price: '19.99' }]
    const placed = { orderId: String(100_234 + at), currency: at === 5 ? 'USD' : 'EUR', total, tax, items }
    order(client, placed, { targetingKey: `u-${at * 7}` })
  }
  await client.close()
  await call('POST', '/experiments/1/results/refresh')
}

const changesOfPrice = [
  { id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9 a month', was: 'Our plans' },
  { id: 'c2', page: null, type: 'STYLE', selector: 'a.cta', value: { 'background-color': '#0055ff', color: 'white' } },
  { id: 'c3', page: 'pricing', type: 'MOVE', selector: '.reviews', to: '.hero', position: 'AFTER' },
  {
    id: 'c4',
    page: null,
    type: 'INSERT',
    selector: '.hero',
    position: 'LAST',
    value: '<p class="note">No card needed</p>',
  },
  { id: 'c5', page: 'pricing', type: 'HIDE', selector: '.banner', keepSpace: true },
]
