import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import { openSite } from '../dashboard/site.ts'
import { acme, checkout, fillShop, shop } from './shop.ts'

/** Where the pictures of all pages go. Without it, none are taken. */
const folder = process.env.SCREENSHOTS

const inProject = {
  flags: '/flags',
  'create-flag': '/flags?create=true',
  flag: `${checkout}?env=production`,
  'flag-history': `${checkout}/history?env=production`,
  'flag-settings': `${checkout}/settings`,
  'flag-compare': `${checkout}/compare?env=production&with=development`,
  publish: '/environments/production/publish',
  playground: '/playground?env=production&flag=one-page-checkout',
  connect: '/connect?env=development',
  environments: '/environments',
  environment: '/environments/production',
  clients: '/environments/production/clients',
  'environment-history': '/environments/production/history',
  compare: '/compare',
  history: '/history?env=production',
  schedules: '/history/schedules',
  audiences: '/audiences',
  segments: '/segments',
  metrics: '/metrics',
  metric: '/metrics/paid',
  'exclusion-groups': '/exclusion-groups',
  holdouts: '/holdouts',
  webhooks: '/integrations/webhooks',
  'project-settings': '/settings',
  'not-found': '/flags/one-page-chekout?env=production',
}
const elsewhere = {
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
  appearance: '/account/appearance',
}
const pages = Object.entries({
  ...Object.fromEntries(Object.entries(inProject).map(([name, path]) => [name, `${shop}${path}`])),
  ...elsewhere,
})
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
const site = openSite(acme)
let page: Page

beforeAll(async () => {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await fillShop(site.service.url)
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/metrics', {
    name: 'Order paid',
    key: 'paid',
    type: 'PROPORTION',
    eventKey: 'order_paid',
    direction: 'INCREASE',
  })
  page = (await site.visit(ada)).page
})

it.runIf(folder)('takes every page in light and dark, wide and narrow', { timeout: 900_000 }, async () => {
  for (const [name, path] of pages)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
        await page.screenshot({ path: join(folder!, `${name}-${colorScheme}-${size}.png`), animations: 'disabled' })
      }
    }
})
