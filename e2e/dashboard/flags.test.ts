import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull, rowsOf } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { evaluate, offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const list = '/1-acme/1-web-shop/flags'
const project = '/api/v1/projects/1'
const longName = `${'A name at the limit of its length '.repeat(6)}`.slice(0, 190)

const site = openSite()
let owner: Visitor
let page: Page

const createFlag = (name: string, key: string, tags: string[] = []) =>
  prepare(site.service.url, 'POST', `${project}/flags`, { ...offOn(name, key), tags })
const stateOf = async (key: string, environment: string) =>
  (await prepare(site.service.url, 'GET', `${project}/flags/${key}/envs/${environment}`)).enabled
const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const switchOf = (name: string, environment: string) =>
  page.getByRole('switch', { name: new RegExp(`^${name} in ${environment}:`) })

const listsKeys = async (...labels: string[]) => {
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const label of labels) await list.getByText(label, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
}

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

it('the empty list offers to create the first flag; the key follows the name, and the flag is created', async () => {
  await openPage(page, list)
  await page.getByRole('heading', { name: 'No flags yet' }).waitFor()
  await page.getByText('svc flag create one-page-checkout --project web-shop').waitFor()
  if (isFull) await expectGoodPage(owner, 'flags-none')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create a flag' })
  await dialog.getByLabel('Name').fill('One-page checkout')
  await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('one-page-checkout')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${list}/one-page-checkout**`)
  expect((await prepare(site.service.url, 'GET', `${project}/flags/one-page-checkout`)).name).toBe('One-page checkout')
})

it('the form asks for the values of a flag that is not on or off, and checks them', async () => {
  await openPage(page, list)
  await page.getByRole('button', { name: 'Create flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a flag' })
  const variation = (place: string) => dialog.getByRole('group', { name: `${place} variation` })
  await dialog.getByLabel('Name').fill('Delivery limit')
  await dialog.getByText('It begins with two variations, Off and On').waitFor()
  await dialog.getByLabel('Type').selectOption('NUMBER')
  await variation('First').getByLabel('Value').fill('12')
  await variation('Second').getByLabel('Name').fill('Original')
  await variation('Second').getByLabel('Value').fill('twenty')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await dialog.getByRole('button', { name: /Choose a name that differs from the first/ }).waitFor()
  await variation('Second').getByLabel('Name').fill('More & more')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await hasFocus(variation('Second').getByLabel('Value'))
  await expectGoodPage(owner, 'flag-create')
  await variation('Second').getByLabel('Value').fill('20.5')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await page.waitForURL(`**${list}/delivery-limit**`)
  const flag = await prepare(site.service.url, 'GET', `${project}/flags/delivery-limit`)
  expect(flag.variations).toMatchObject([
    { name: 'Original', key: 'original', value: '12' },
    { name: 'More & more', key: 'more-more', value: '20.5' },
  ])
  for (const [method, path] of [
    ['POST', '/archive'],
    ['DELETE', ''],
  ] as const)
    await prepare(site.service.url, method, `${project}/flags/delivery-limit${path}`)
})

it('the list takes a key that comes before the browser has moved the focus out of a closed palette', async () => {
  await page.goto(list)
  await row('One-page checkout').waitFor()
  await page.keyboard.press('Control+k')
  await hasFocus(page.getByRole('combobox'))
  const stayed = await page.evaluate(() => {
    const field = document.activeElement!
    document.querySelector('dialog')!.close()
    const isThere = document.activeElement === field
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
    return isThere
  })
  expect(stayed).toBe(true)
  await hasFocus(row('One-page checkout'))
})

it('a person runs and pauses a flag by keyboard; a protected environment asks first', async () => {
  await page.goto(list)
  await row('One-page checkout').waitFor()
  await page.keyboard.press('p')
  await listsKeys('Pause the flag in Production', 'Run the flag in Production', 'Select the flag', 'Open the flag')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('> in production')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await hasFocus(row('One-page checkout'))
  await listsKeys('Pause One-page checkout in Production', 'Run One-page checkout in Production')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('> in production')
  await page.getByRole('option', { name: 'Run One-page checkout in Production' }).waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(row('One-page checkout'))
  await page.keyboard.press('r')
  const run = page.getByRole('dialog', { name: 'run One-page checkout' })
  await hasFocus(run.getByRole('button', { name: 'Run' }))
  await run.getByText('This publishes the draft in Production: 0 rules.').waitFor()
  await hasFocus(run.getByRole('button', { name: 'Run' }))
  await page.keyboard.press('Enter')
  await page.getByText('Saved. No client is connected to Production.').waitFor()
  expect(await stateOf('one-page-checkout', 'production')).toBe(true)

  await row('One-page checkout').focus()
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByText('It is already running.').waitFor()
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }))
  await page.keyboard.press('Enter')
  await row('One-page checkout').focus()
  await page.keyboard.press('p')
  await page.getByRole('dialog').getByText('Every visitor in Production gets off.').waitFor()
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Pause' }))
  await page.keyboard.press('Enter')
  await switchOf('One-page checkout', 'Production').and(page.locator('[aria-checked=false]')).waitFor()
  await expect.poll(() => stateOf('one-page-checkout', 'production')).toBe(false)
})

/** Chooses in the palette what is found first. */
async function choose(typed: string, label: RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search flags, pages and actions' }).fill(typed)
  await expect.poll(() => page.getByRole('option').first().innerText()).toMatch(label)
  await page.keyboard.press('Enter')
}

it.each(rowsOf({ Run: true, Pause: false }, ['Run']))('the palette asks before: %s', async (verb, state) => {
  await openPage(page, '/1-acme/1-web-shop/environments')
  await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor()
  await choose(`${verb} one`, new RegExp(`^${verb} One-page checkout in Production`))
  const question = page.getByRole('dialog', { name: `${verb} One-page checkout in Production` })
  await hasFocus(question.getByRole('button', { name: verb }))
  expect(await stateOf('one-page-checkout', 'production')).toBe(!state)
  await page.keyboard.press('Enter')
  await expect.poll(() => stateOf('one-page-checkout', 'production')).toBe(state)
  // It stays until the answer has come, and would take the next keys.
  await question.waitFor({ state: 'detached' })
})

inFull('shell/palette/rank')('the palette schedules a flag, creates one, and finds people and guides', async () => {
  await choose('schedule one', /^Schedule One-page checkout in Production/)
  const schedule = page.getByRole('heading', { name: 'Schedule: One-page checkout' })
  await hasFocus(schedule)
  await page.keyboard.press('Escape')
  await schedule.waitFor({ state: 'detached' })
  await choose('create a flag', /^Create a flag/)
  const asked = page.getByRole('dialog', { name: 'Create a flag' })
  await hasFocus(asked.getByLabel('Name'))
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await choose('grace@', /^Grace Hopper/)
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  await choose('configuration', /^Configuration/)
  await page.waitForURL('**/docs/configuration')
  await page.goto(list)
})

it('a switch acts at once in an unprotected environment; a first run offers Pause, any other Undo', async () => {
  await openPage(page, list)
  for (const [message, button] of [
    ['One-page checkout runs in Development. Its draft is published.', 'Pause'],
    ['One-page checkout runs in Development.', 'Undo'],
  ] as const) {
    await switchOf('One-page checkout', 'Development').click()
    const said = page.getByRole('alert').filter({ has: page.getByText(message, { exact: true }) })
    await said.waitFor()
    expect(await stateOf('one-page-checkout', 'development')).toBe(true)
    await said.getByRole('button', { name: button }).click()
    await expect.poll(() => stateOf('one-page-checkout', 'development')).toBe(false)
    await switchOf('One-page checkout', 'Development').and(page.locator('[aria-checked=false]')).waitFor()
  }
})

it('the switch lets a person change their mind before the service has answered', async () => {
  let answer: (() => void) | undefined
  await page.route(
    '**/envs/*/run',
    async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    },
    { times: 1 },
  )
  const development = switchOf('One-page checkout', 'Development')
  await development.click()
  await development.and(page.locator('[aria-checked=true][aria-busy=true]')).waitFor()
  await development.click()
  await development.and(page.locator('[aria-checked=false]')).waitFor()
  await expect.poll(() => answer).toBeDefined()
  const paused = page.waitForResponse('**/envs/*/pause')
  answer!()
  expect((await paused).status()).toBe(200)
  expect(await stateOf('one-page-checkout', 'development')).toBe(false)
  await development.and(page.locator('[aria-checked=false][aria-busy=false]')).waitFor()
})

it('the switch says why a run is refused, and runs instead of the schedule', async () => {
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const at = `${project}/flags/one-page-checkout/envs/development/schedule`
  await prepare(site.service.url, 'PUT', at, { action: 'RUN', runAt: later, timezone: 'UTC' })
  await readAgain(page)
  await switchOf('One-page checkout', 'Development').click()
  await page.getByText('It is scheduled to run').waitFor()
  await switchOf('One-page checkout', 'Development').and(page.locator('[aria-checked=false]')).waitFor()
  await page.getByRole('button', { name: 'Run now, cancel the schedule' }).click()
  await expect.poll(() => stateOf('one-page-checkout', 'development')).toBe(true)
})

it('the list keeps search, filters and order in the address', async () => {
  await createFlag('New search ranking', 'search', ['search'])
  await createFlag('Legacy cart', 'cart', ['checkout'])
  await createFlag('<script>alert(1)</script>', 'script')
  await createFlag(longName, 'long', ['checkout'])
  await openPage(page, `${list}?sort=name`)
  await page.getByRole('status').filter({ hasText: '5 flags' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('cart')
  await page.getByText('1 of 5 flags').waitFor()
  await page.waitForURL('**q=cart**')
  await page.keyboard.press('Escape')
  await openPage(page, `${list}?sort=-name&tag=checkout`)
  await page.getByText('2 of 5 flags').waitFor()
  const names = () => page.getByRole('rowheader').getByRole('link').allTextContents()
  await expect.poll(names).toEqual(['Legacy cart', longName.trim()])
  await openPage(page, `${list}?q=nothing`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('status').filter({ hasText: '5 flags' }).waitFor()
})

it('the list leaves rows where they are while others edit flags; new flags wait until they are asked for', async () => {
  await openPage(page, `${list}?type=BOOLEAN`)
  const names = () => page.getByRole('rowheader').getByRole('link').allTextContents()
  const before = ['<script>alert(1)</script>', 'Legacy cart', 'New search ranking', 'One-page checkout']
  await expect.poll(names).toEqual([longName.trim(), ...before])
  await prepare(site.service.url, 'PATCH', `${project}/flags/cart`, { name: 'Cart of old' })
  await row('Cart of old').waitFor()
  expect(await names()).toEqual([longName.trim(), ...before.map((name) => name.replace('Legacy cart', 'Cart of old'))])
  await createFlag('From a program', 'from-a-program')
  const waiting = page.getByRole('status').filter({ hasText: '1 more flag' })
  await waiting.waitFor()
  expect(await row('From a program').count()).toBe(0)
  await waiting.getByRole('button', { name: 'Show' }).click()
  await row('From a program').waitFor()
  expect((await names()).slice(0, 2)).toEqual(['From a program', 'Cart of old'])
  await waiting.waitFor({ state: 'detached' })
  await prepare(site.service.url, 'PATCH', `${project}/flags/cart`, { name: 'Legacy cart' })
  await prepare(site.service.url, 'POST', `${project}/flags/from-a-program/archive`)
  await row('From a program').waitFor({ state: 'detached' })
  await prepare(site.service.url, 'DELETE', `${project}/flags/from-a-program`)
  await openPage(page, list)
  await page.getByRole('status').filter({ hasText: '5 flags' }).waitFor()
})

it('the list shows the switches of the chosen environments, also next time, and who edited a flag', async () => {
  const inList = (environment: string) => page.getByRole('columnheader', { name: environment })
  await row('Legacy cart').getByText('Tests', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Development' }).uncheck()
  await inList('Development').waitFor({ state: 'detached' })
  await page.reload()
  await inList('Production').waitFor()
  expect(await inList('Development').count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Development' }).check()
  await inList('Development').waitFor()
  await page.keyboard.press('Escape')
})

it('the list names the flags with a live A/B test', async () => {
  const at = `${project}/flags/search/envs/production`
  const variations = ['off', 'on'].map((variationKey) => ({ variationKey, weight: 5_000 }))
  const test = { name: 'Ranking', type: 'AB_TEST', audienceIds: [], baselineVariationKey: 'off', variations }
  const { id } = await prepare(site.service.url, 'POST', `${at}/rules`, test)
  await prepare(site.service.url, 'POST', `${at}/run`)
  await row('New search ranking').getByText('A/B test', { exact: true }).waitFor()
  expect(await page.getByRole('row').getByText('A/B test', { exact: true }).count()).toBe(1)
  await prepare(site.service.url, 'DELETE', `${at}/rules/${id}`)
  await prepare(site.service.url, 'POST', `${at}/pause`)
})

it('a person pauses several flags at once and undoes it', async () => {
  for (const key of ['search', 'cart'])
    await prepare(site.service.url, 'POST', `${project}/flags/${key}/envs/production/run`)
  await readAgain(page)
  for (const name of ['New search ranking', 'Legacy cart']) await page.getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Pause in…' }).click()
  await page.getByRole('menuitem').first().waitFor()
  if (isFull) await expectGoodPage(owner, 'flags pause menu', ['light wide'])
  await page.getByRole('menuitem', { name: 'Production' }).click()
  await page
    .getByRole('dialog', { name: 'Pause 2 flags in Production' })
    .getByRole('button', { name: 'Pause 2 flags' })
    .click()
  const message = page.getByRole('alert').filter({ hasText: '2 flags paused in Production.' })
  await message.waitFor()
  expect([await stateOf('search', 'production'), await stateOf('cart', 'production')]).toEqual([false, false])
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stateOf('search', 'production')).toBe(true)
  await expect.poll(() => stateOf('cart', 'production')).toBe(true)
})

it('the dialog says which flags are still in use, and running flags are paused before they are archived', async () => {
  await evaluate(site.service.url, 'cart')
  await readAgain(page)
  for (const name of ['New search ranking', 'Legacy cart']) await page.getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive 2 flags' })
  await dialog.getByText('One is still in use: code evaluated cart in the last 7 days.').waitFor()
  await expectGoodPage(owner, 'flags archive in use')
  await dialog.getByRole('button', { name: 'Archive 2 flags' }).click()
  const message = page.getByRole('alert').filter({ hasText: '2 flags archived.' })
  await message.waitFor()
  const statusOf = async (flag: string) => (await prepare(site.service.url, 'GET', `${project}/flags/${flag}`)).status
  expect([await statusOf('search'), await statusOf('cart')]).toEqual(['ARCHIVED', 'ARCHIVED'])
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stateOf('cart', 'production')).toBe(true)
  await expect.poll(() => stateOf('search', 'production')).toBe(true)
})

it('a flag that cannot be archived is listed, and runs as before', async () => {
  await openPage(page, list)
  const refused = { error: { code: 'conflict', message: 'The flag is needed elsewhere.' } }
  await page.route('**/flags/cart/archive', (route) => route.fulfill({ status: 409, json: refused }))
  await page.getByLabel('Select Legacy cart').check()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive 1 flag' })
  await dialog.getByText('The flag runs, and is paused first.').waitFor()
  await dialog.getByRole('button', { name: 'Archive 1 flag' }).click()
  await dialog.getByText('1 flag could not be changed:').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'Legacy cart: ' }).waitFor()
  await page.unroute('**/flags/cart/archive')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect(await stateOf('cart', 'production')).toBe(true)
})

it('the list is a good page with hostile names', async () => {
  await openPage(page, list)
  await row('Legacy cart').waitFor()
  await expectGoodPage(owner, 'flags')
})

if (isFull)
  it('the list shows a viewer the flags, but locks the switches and says why', async () => {
    const viewer = await site.visit(grace, list)
    await viewer.page.getByText('You can look at flags. Editors and admins can change them.').waitFor()
    const locked = viewer.page.getByRole('switch', { name: 'Legacy cart in Production: running' })
    expect(await locked.getAttribute('aria-disabled')).toBe('true')
    expect(await viewer.page.getByRole('button', { name: 'Create flag' }).count()).toBe(0)
    await viewer.context.close()
  })

it('the list sorts by the switches of an environment', async () => {
  await openPage(page, list)
  await row('Legacy cart').waitFor()
  const { flags, environments } = await prepare(site.service.url, 'GET', `${project}/index`)
  const place = environments.findIndex(({ name }: { name: string }) => name === 'Production')
  const isRunning = (shown: string) =>
    flags.find(({ name }: { name: string }) => name.trim() === shown).states[place].running === true
  const order = async () => (await page.getByRole('rowheader').getByRole('link').allTextContents()).map(isRunning)
  const before = (await order()).filter(Boolean).length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(flags.length)
  const heading = page.getByRole('columnheader', { name: 'Production' })
  await heading.getByRole('button').click()
  await page.waitForURL('**sort=running.production**')
  await heading.and(page.locator('[aria-sort=ascending]')).waitFor()
  await expect.poll(order).toEqual(flags.map((_: unknown, at: number) => at < before))
  await heading.getByRole('button').click()
  await expect.poll(order).toEqual(flags.map((_: unknown, at: number) => at >= flags.length - before))
})

it('the list has the columns in the address, and all environments behind a button of the row', async () => {
  const inList = (environment: string) => page.getByRole('columnheader', { name: environment })
  await prepare(site.service.url, 'POST', `${project}/environments`, { name: 'Staging' })
  await openPage(page, `${list}?columns=staging&q=legacy`)
  await inList('Staging').waitFor()
  expect(await inList('Production').count()).toBe(0)
  await page.getByRole('button', { name: 'All environments of Legacy cart' }).click()
  const all = page.getByRole('dialog', { name: 'Legacy cart' })
  const running = all.getByRole('switch', { name: 'Legacy cart in Development: running' })
  await all.getByRole('switch', { name: /^Legacy cart in Development/ }).click()
  await running.waitFor()
  await expect.poll(() => stateOf('cart', 'development')).toBe(true)
  await expectGoodPage(owner, 'flag-in-all-environments', ['light narrow'])
  await running.click()
  await expect.poll(() => stateOf('cart', 'development')).toBe(false)
  await page.keyboard.press('Escape')
  await hasFocus(page.getByRole('button', { name: 'All environments of Legacy cart' }))
})
