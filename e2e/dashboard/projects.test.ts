import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'

const [acme, globex] = twoOrganizations.organizations
const more = ['App', 'Billing', 'Blog', 'Data <i>lake</i>', 'Intranet', 'Support'].map((name) => ({ name }))
const site = openSite({ organizations: [{ ...acme, projects: [...acme!.projects!, ...more] }, globex] })
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

it('the dashboard shows each project with the state of its environments', async () => {
  await page.goto('/1-acme')
  const cards = page.getByRole('list', { name: 'Projects' }).locator(':scope > li')
  const shop = cards.filter({ has: page.getByRole('heading', { name: 'Web shop' }) })
  await shop.getByText('Feature flags').waitFor()
  for (const name of ['Production', 'Development']) await shop.getByText(name).waitFor()
  await shop.getByText('Never connected').first().waitFor()
  await expect.poll(() => cards.count()).toBe(8)
  await expectGoodPage(owner, 'projects')
})

it('the dashboard finds a project among many from the header', async () => {
  await page.getByRole('button', { name: 'Project: All projects' }).click()
  const field = page.getByLabel('Find a project')
  await hasFocus(field)
  await field.fill('lake')
  await expect.poll(() => page.getByRole('dialog', { name: 'Projects' }).getByRole('link').count()).toBe(2)
  await expectGoodPage(owner, 'project finder')
  // In the narrow window, the finder was hidden with its button.
  await field.click()
  await field.press('Enter')
  await page.waitForURL('**-data-i-lake-i/flags')
  await page.getByRole('button', { name: 'Project: Data <i>lake</i>' }).waitFor()
})

it('the dashboard lists first steps above the flags until they are done or hidden', async () => {
  const call = (method: string, path: string, body?: object) => prepare(site.service.url, method, path, body)
  await call('POST', '/api/v1/projects/1/flags', offOn('Price', 'price'))
  await page.goto('/1-acme/1-web-shop/flags')
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Publish a change' }).waitFor()
  await steps.getByRole('link', { name: 'Connect your SDK' }).waitFor()
  await steps.getByText('Invite a colleague (done)').waitFor()
  await steps.getByText('Revoke the token of the first start (done)').waitFor()
  await expectGoodPage(owner, 'first steps')
  await page.getByRole('switch', { name: /^Price in Development/ }).click()
  await steps.getByText('Run a flag (done)').waitFor()
  await steps.getByRole('button', { name: 'Hide' }).click()
  await expect.poll(() => steps.count()).toBe(0)
  await page.reload()
  await page.getByRole('link', { name: 'Price' }).waitFor()
  expect(await steps.count()).toBe(0)
  // Their room is for the list again.
  const [title, tabs] = [page.getByRole('heading', { level: 1 }), page.getByRole('link', { name: /^Stale/ })]
  const [above, below] = await Promise.all([title.boundingBox(), tabs.boundingBox()])
  expect(below!.y - (above!.y + above!.height)).toBeLessThan(80)
  // Who looks for stale flags reads when one is stale, also where none is.
  await tabs.click()
  await page.getByText('A flag is stale 90 days after its last change').waitFor()
})

inFull('dashboard/offered')('the dashboard shows viewers no first steps', async () => {
  const viewer = await site.visit(grace, '/1-acme/1-web-shop/flags')
  await viewer.page.getByText('Ada Lovelace (owner) can change your role.').waitFor()
  expect(await viewer.page.getByRole('region', { name: 'First steps' }).count()).toBe(0)
})
