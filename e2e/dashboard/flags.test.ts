import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../chromium.ts'
import { expectGoodPage, hasFocus, signIn, type Visitor, visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { type DashboardService, startDashboard } from './service.ts'

const list = '/1-acme/1-web-shop/flags'
const project = '/api/v1/projects/1'
const longName = `${'A name at the limit of its length '.repeat(6)}`.slice(0, 190)

let service: DashboardService
let browser: Browser
let owner: Visitor
let page: Page

const createFlag = (name: string, key: string, tags: string[] = []) =>
  prepare(service.url, 'POST', `${project}/flags`, {
    name,
    key,
    type: 'BOOLEAN',
    variations: [
      { name: 'Off', key: 'off', value: 'false' },
      { name: 'On', key: 'on', value: 'true' },
    ],
    defaultVariationKey: 'off',
    tags,
  })
const stateOf = async (key: string, environment: string) =>
  (await prepare(service.url, 'GET', `${project}/flags/${key}/envs/${environment}`)).enabled
const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const switchOf = (name: string, environment: string) =>
  page.getByRole('switch', { name: new RegExp(`^${name} in ${environment}:`) })

beforeAll(async () => {
  service = await startDashboard(twoOrganizations)
  browser = await openBrowser()
  owner = await visitor(browser, service.url)
  page = owner.page
  await signIn(page, ada)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

it('offers to create the first flag; the key follows the name, and the flag is created', async () => {
  await page.goto(list)
  await page.getByRole('heading', { name: 'No flags yet' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create a flag' })
  await dialog.getByLabel('Name').fill('One-page checkout')
  expect(await dialog.getByLabel('Key').inputValue()).toBe('one-page-checkout')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${list}/one-page-checkout**`)
  expect((await prepare(service.url, 'GET', `${project}/flags/one-page-checkout`)).name).toBe('One-page checkout')
})

it('runs and pauses a flag by keyboard; a protected environment asks first', async () => {
  await page.goto(list)
  await row('One-page checkout').waitFor()
  await page.keyboard.press('j')
  await hasFocus(row('One-page checkout'))
  await page.keyboard.press('r')
  await hasFocus(page.getByRole('dialog', { name: 'run One-page checkout' }).getByRole('button', { name: 'Run' }))
  await page.keyboard.press('Enter')
  await page.getByText('Saved. No client is connected to Production.').waitFor()
  expect(await stateOf('one-page-checkout', 'production')).toBe(true)

  await row('One-page checkout').focus()
  await page.keyboard.press('p')
  await page.getByText('Every visitor in Production gets the default of this flag.').waitFor()
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Pause' }))
  await page.keyboard.press('Enter')
  await switchOf('One-page checkout', 'Production').and(page.locator('[aria-checked=false]')).waitFor()
  await expect.poll(() => stateOf('one-page-checkout', 'production')).toBe(false)
})

it('switches at once where the environment is not protected, and Undo switches back', async () => {
  await switchOf('One-page checkout', 'Development').click()
  const message = page.getByRole('alert').filter({ hasText: 'One-page checkout runs in Development.' })
  await message.waitFor()
  expect(await stateOf('one-page-checkout', 'development')).toBe(true)
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stateOf('one-page-checkout', 'development')).toBe(false)
})

it('says why a run is refused, and runs instead of the schedule', async () => {
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const at = `${project}/flags/one-page-checkout/envs/development/schedule`
  await prepare(service.url, 'PUT', at, { action: 'RUN', runAt: later, timezone: 'UTC' })
  await page.reload()
  await switchOf('One-page checkout', 'Development').click()
  await page.getByText('It runs by itself').waitFor()
  expect(await switchOf('One-page checkout', 'Development').getAttribute('aria-checked')).toBe('false')
  await page.getByRole('button', { name: 'Run now, cancel the schedule' }).click()
  await expect.poll(() => stateOf('one-page-checkout', 'development')).toBe(true)
})

it('keeps search, filters and order in the address', async () => {
  await createFlag('New search ranking', 'search', ['search'])
  await createFlag('Legacy cart', 'cart', ['checkout'])
  await createFlag('<script>alert(1)</script>', 'script')
  await createFlag(longName, 'long', ['checkout'])
  await page.goto(`${list}?sort=name`)
  await page.getByRole('status').filter({ hasText: '5 flags' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('cart')
  await page.getByText('1 of 5 flags').waitFor()
  await page.waitForURL('**q=cart**')
  await page.keyboard.press('Escape')
  await page.goto(`${list}?sort=-name&tag=checkout`)
  await page.getByText('2 of 5 flags').waitFor()
  const names = await page.getByRole('rowheader').getByRole('link').allTextContents()
  expect(names).toEqual(['Legacy cart', longName.trim()])
  await page.goto(`${list}?q=nothing`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('status').filter({ hasText: '5 flags' }).waitFor()
})

it('pauses several flags at once and takes it back', async () => {
  for (const key of ['search', 'cart'])
    await prepare(service.url, 'POST', `${project}/flags/${key}/envs/production/run`)
  await page.reload()
  for (const name of ['New search ranking', 'Legacy cart']) await page.getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Pause in…' }).click()
  await page.getByRole('menuitem', { name: 'Production' }).click()
  await page.getByRole('dialog', { name: 'Pause 2 flags in Production' }).getByRole('button', { name: 'Pause' }).click()
  const message = page.getByRole('alert').filter({ hasText: '2 flags paused in Production.' })
  await message.waitFor()
  expect([await stateOf('search', 'production'), await stateOf('cart', 'production')]).toEqual([false, false])
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stateOf('search', 'production')).toBe(true)
  await expect.poll(() => stateOf('cart', 'production')).toBe(true)
})

it('is a good page with hostile names', async () => {
  await page.goto(list)
  await row('Legacy cart').waitFor()
  await expectGoodPage(owner, 'flags')
})

it('shows a viewer the flags, but locks the switches and says why', async () => {
  const viewer = await visitor(browser, service.url)
  await signIn(viewer.page, grace)
  await viewer.page.goto(list)
  await viewer.page.getByText('You can look at flags. Editors and admins can change them.').waitFor()
  const locked = viewer.page.getByRole('switch', { name: 'Legacy cart in Production: running' })
  expect(await locked.getAttribute('aria-disabled')).toBe('true')
  expect(await viewer.page.getByRole('button', { name: 'Create flag' }).count()).toBe(0)
  await viewer.context.close()
})
