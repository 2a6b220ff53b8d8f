import type { Page } from '@playwright/test'
import { nouns } from '@svc/client'
import { beforeAll } from 'vitest'
import { acme, checkout, fillShop, fillSite, fillTests, shop, website } from '../pictures/shop.ts'
import { prepare } from './calls.ts'
import { openSite, type Site } from './site.ts'

interface Member {
  email: string
  name: string
  password: string
  role: string
}

/** A project with nothing in it, beside the full one. */
export const empty = '/1-acme/2-empty'

/** A project of web experiments, and one with nothing in it. */
export const newSite = '/1-acme/4-new-site'

/** A service with something on every page, for these people. */
export function openFullSite(members: Member[], roles: { name: string; capabilities: string[] }[] = []): Site {
  const [organization] = acme.organizations
  const site = openSite(
    { organizations: [{ ...organization, projects: [{ name: 'Web shop' }, { name: 'Empty' }], roles, members }] },
    // Failed deliveries are not tried again while the pages are open.
    { SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:9', SVC_WEBHOOK_RETRY_DELAYS: '12h' },
  )
  beforeAll(() => fillAll(site.service.url))
  return site
}

async function fillAll(url: string): Promise<void> {
  await prepare(url, 'POST', '/api/v1/projects/1/segments', { name: 'Pilot customers' })
  await prepare(url, 'POST', '/api/v1/projects/1/webhooks', {
    name: 'Deploy log',
    url: 'https://localhost:9/svc',
    events: ['flag.created'],
  })
  await prepare(url, 'POST', '/api/v1/projects/1/destinations', {
    name: 'Issues',
    kind: 'GITHUB',
    config: { apiUrl: 'https://localhost:9/api/v3', owner: 'acme', repo: 'shop', token: 'ghp_longSecretWxYz' },
    events: ['flag.archived'],
  })
  await prepare(url, 'POST', '/api/v1/projects/1/catalog/sources', {
    ...{ name: 'Main feed', type: 'PRODUCTS', url: 'https://localhost:9/feed.xml' },
  })
  await prepare(url, 'POST', '/api/v1/projects/1/recommendations/placements', {
    ...{ name: 'Product page', variants: { default: { strategies: ['POPULAR'] } } },
  })
  await prepare(url, 'POST', '/api/v1/projects/1/datasets', { name: 'Behaviour', kind: 'INTERACTIONS' })
  await prepare(url, 'POST', '/api/v1/projects/1/recommendations/models', { name: 'Brands', strategy: 'SIMILAR' })
  await fillShop(url)
  await fillTests(url)
  await fillSite(url)
  await prepare(url, 'POST', '/api/v1/projects', { name: 'New site', type: 'WEB' })
}

/** Nouns without a page of their own in a list with a filter and a form. */
const notListed = ['Flag', 'Environment']

/** The lists of the nouns of a project, by what people call them: below the project. */
export const lists: Record<string, { label: string; path: string }> = Object.fromEntries(
  Object.values(nouns).flatMap((noun) =>
    'index' in noun && !notListed.includes(noun.label)
      ? [[noun.plural.toLowerCase(), { label: noun.label.toLowerCase(), path: noun.page.replace(/\/\{.*/, '') }]]
      : [],
  ),
)
const inProject = (project: string, of: typeof lists): Record<string, string> =>
  Object.fromEntries(Object.entries(of).map(([name, { path }]) => [name, `${project}/${path}`]))

/** Pages that read what the pages beside them have not read. */
export const reading = {
  ...inProject(shop, lists),
  flag: `${shop}${checkout}?env=production`,
  'flag history': `${shop}${checkout}/history?env=production`,
  'flag settings': `${shop}${checkout}/settings`,
  'flag comparison': `${shop}${checkout}/compare?env=production&with=development`,
  results: `${shop}${checkout}/results?env=production`,
  publish: `${shop}/environments/production/publish`,
  environment: `${shop}/environments/production`,
  clients: `${shop}/environments/production/clients`,
  'environment history': `${shop}/environments/production/history`,
  revision: `${shop}/environments/production/history/6`,
  history: `${shop}/history?env=production`,
  schedules: `${shop}/history/schedules`,
  audience: `${shop}/audiences/1`,
  segment: `${shop}/segments/1`,
  metric: `${shop}/metrics/paid`,
  experiment: `${shop}/experiments/1`,
  'web experiment': `${website}/experiments/1`,
  design: `${website}/experiments/1/design/price`,
  webhook: `${shop}/integrations/webhooks/deploy-log`,
  destination: `${shop}/integrations/destinations/issues`,
  'destination editor': `${shop}/integrations/destinations/issues/edit`,
  products: `${shop}/commerce`,
  orders: `${shop}/commerce/orders`,
  jobs: `${shop}/commerce/jobs`,
  'catalog source': `${shop}/commerce/sources/main-feed`,
  catalog: `${shop}/commerce/catalog`,
  placement: `${shop}/commerce/placements/product-page`,
  dataset: `${shop}/commerce/datasets/behaviour`,
  'recommendation model': `${shop}/commerce/models/brands`,
  'project settings': `${shop}/settings`,
  targeting: `${website}/experiments/2/targeting`,
  'site settings': `${website}/settings/site`,
  members: '/1-acme/settings/members',
  roles: '/1-acme/settings/roles',
  tokens: '/1-acme/settings/tokens',
  'new token': '/1-acme/settings/tokens/new',
  audit: '/1-acme/settings/audit',
  organization: '/1-acme/settings/general',
  sessions: '/account/sessions',
  'personal tokens': '/account/tokens',
  notifications: '/account/notifications',
}
/** Pages that read only what every page of the project, or of the organization, reads. */
export const sharing = {
  projects: '/1-acme',
  flags: `${shop}/flags`,
  environments: `${shop}/environments`,
  comparison: `${shop}/compare`,
  connect: `${shop}/connect`,
  tag: `${website}/connect?env=production`,
  playground: `${shop}/playground`,
}
/** Pages that are complete without a read. */
export const still = {
  calculator: `${shop}/experiments/calculator`,
  example: `${shop}/experiments/example`,
  'new destination': `${shop}/integrations/destinations/new`,
  profile: '/account',
  security: '/account/security',
  appearance: '/account/appearance',
}
export const pages = { ...reading, ...sharing, ...still }

const onlyAdministrators = 'Only for owners and administrators'
/** The text of a page if viewers, and people without any permission, cannot read any of it. */
export const closed: Record<string, string> = {
  results: 'The permission that opens them is “results:read”',
  'new destination': 'The permission that opens this page is “integrations:write”',
  'destination editor': 'The permission that opens this page is “integrations:write”',
  tokens: onlyAdministrators,
  'new token': onlyAdministrators,
  audit: onlyAdministrators,
}
/** Pages without any action. */
export const onlyToRead = [
  ...['history', 'flag history', 'environment history', 'clients', 'comparison'],
  ...['connect', 'tag', 'playground', 'calculator', 'example', 'products', 'orders'],
]

/** Changes the address like a link. A new start of the page would read what all pages share. */
export const follow = (page: Page, path: string) =>
  page.evaluate((path) => window.history.pushState({}, '', path), path)

/** Much longer than a page takes on a busy machine. */
const stillWithinMs = 40_000

/**
 * Until the page of the address is there, and all that it reads and saves. What has just been drawn begins to read after
 * that, so nothing must be left to do for a few frames. The page waits by itself: `waitForFunction` takes the promise of
 * a predicate for a yes. A page that is never still says what it waits for.
 */
export const settled = (page: Page) =>
  page.evaluate(async (limitMs) => {
    const { queryClient } = window.__TSR_ROUTER__!.options.context
    const withoutEnd = (path: string | undefined) => path?.replace(/\/$/, '')
    const waitsFor = () => {
      const { resolvedLocation, status } = window.__TSR_ROUTER__!.state
      if (withoutEnd(resolvedLocation?.pathname) !== withoutEnd(location.pathname)) return 'the page of its address'
      if (status !== 'idle') return 'its router'
      if (queryClient.isMutating() > 0) return 'what it saves'
      const [reads] = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })
      return reads && `what it reads: ${JSON.stringify(reads.queryKey)}`
    }
    let frames = 0
    const still = async () => {
      for (; frames < 3; frames = waitsFor() ? 0 : frames + 1)
        // A page at rest may never be told that it is idle, and may get no frame.
        await new Promise((resolve) => {
          requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 200 }))
          setTimeout(resolve, 1000)
        })
    }
    const never = new Promise((_resolve, reject) => {
      const say = () => reject(new Error(`${location.href} still waits for ${waitsFor() ?? 'a frame'}.`))
      setTimeout(say, limitMs)
    })
    await Promise.race([still(), never])
  }, stillWithinMs)

/**
 * Opens another page of the dashboard as a load would, for a quarter of its processor time: what the pages before have
 * read is read again. What they hold in their components or the frame stays, so it takes a load to see what is stored.
 * The page before ends first, as its program would at a load: what it still does, such as closing its panel, would
 * otherwise happen to the next one. A page that is never still is loaded.
 */
export async function openPage(page: Page, path: string): Promise<void> {
  try {
    await settled(page)
    await page.evaluate((path) => {
      const { queryClient } = window.__TSR_ROUTER__!.options.context
      const isThere = new URL(path, location.href).href === location.href
      queryClient.removeQueries({ type: 'inactive' })
      void queryClient.invalidateQueries({ refetchType: isThere ? 'active' : 'none' })
      if (!isThere) window.history.pushState({}, '', path)
    }, path)
    await settled(page)
  } catch (error) {
    console.warn(`Loaded ${path} because the page was never still: ${error}`)
    await page.goto(path)
    await settled(page)
  }
}

/** Lets the page read everything that it shows, forms included, as after a longer break of the connection. */
export async function readAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.__TSR_ROUTER__!.options.context.queryClient.refetchQueries({ type: 'active' }))
  await settled(page)
}
