import type { Locator, Page, Route } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { evenSplit } from '../../packages/server/testing/experiments.ts'
import { isFull, rowsOf } from '../../packages/server/testing/full.ts'
import { hasFocus, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const base = '/1-acme/1-web-shop'
const flag = `${base}/flags/checkout?env=production`
const site = openSite()
let owner: Visitor
let page: Page

beforeAll(async () => {
  const send = (path: string, body: object = {}) =>
    prepare(site.service.url, 'POST', `/api/v1/projects/1/${path}`, body)
  const { id } = await send('flags', offOn('Checkout', 'checkout'))
  await send('flags/checkout/envs/production/rules', { type: 'TARGETED_DELIVERY', name: 'Beta', variationKey: 'on' })
  await send('flags/checkout/envs/production/run')
  await send('experiments', { flagId: id, name: 'Shorter form', ...evenSplit })
  owner = await site.visit(ada)
  page = owner.page
})

const open = async (path: string) => {
  await openPage(page, path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

describe('in forced colors', () => {
  beforeAll(() => page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' }))

  it.each([
    ['the open page of the navigation', flag, 'nav a[aria-current]', 'nav a:not([aria-current])'],
    ['the chosen environment', flag, '[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
    ['a switch that is on', flag, '[role=switch][aria-checked=true] > *', 'body'],
    ['a dot that is filled', flag, '[class*=dot][data-tone=good]', 'body'],
    ['the step of a set-up', `${base}/experiments/1?panel=who`, 'li > [aria-current=step]', 'body'],
  ])('%s has its own ground', async (_what, path, chosen, other) => {
    if (!page.url().endsWith(path)) await open(path)
    const ground = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((each) => getComputedStyle(each).backgroundColor)
    expect(await ground(chosen)).not.toBe(await ground(other))
  })

  it('drawings have the color of text, and a dialog has a border', async () => {
    await open(`${base}/experiments/example`)
    const text = await page.evaluate(() => getComputedStyle(document.body).color)
    const interval = page.getByRole('img', { name: /^From \+8\.3\s%/ })
    const colorOf = (drawn: Locator, property: 'fill' | 'stroke') =>
      drawn.first().evaluate((each, property) => getComputedStyle(each)[property], property)
    expect(await colorOf(page.getByRole('table').locator('svg text'), 'fill')).toBe(text)
    expect(await colorOf(interval.locator('line[class*=span]'), 'stroke')).toBe(text)
    await open(`${base}/flags`)
    // Its key is heard from then on.
    await page.getByRole('button', { name: 'Create flag' }).first().waitFor()
    await page.keyboard.press('c')
    const line = () => page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).borderTopWidth)
    expect(await line()).toBe('1px')
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
  })
})

describe('at a zoom of 400 %', () => {
  /** The element that covers the middle of the focused element, if there is one. */
  const covering = () =>
    page.evaluate(() => {
      const focused = document.activeElement!
      // After the last stop, the browser itself has the focus.
      if (focused === document.body) return undefined
      // What grows above it later moves it out of the window, and no browser scrolls to it again. This stops, as the
      // browser does, where bars that stay leave room, so one that leaves none still covers it.
      focused.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, top, width, height } = focused.getBoundingClientRect()
      const front = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2)
      const isSeen = front !== null && (focused.contains(front) || front.contains(focused))
      return isSeen ? undefined : `${focused.outerHTML.slice(0, 120)} is behind ${front?.outerHTML.slice(0, 120)}`
    })

  const places = {
    'a list': `${base}/flags`,
    'a page': flag,
    'a panel': `${flag}&rule=new-rollout`,
    'a set-up': `${base}/experiments/1?panel=size`,
    'a form': '/1-acme/settings/tokens/new',
  }
  // The panel is over the page, and the form has its bar of actions at the bottom.
  it.each(rowsOf(places, ['a panel', 'a form']))(
    'everything that takes the focus in %s is visible',
    async (_what, path) => {
      await page.setViewportSize({ width: 320, height: 256 })
      await open(path)
      if (path.includes('&rule') || path.includes('panel')) await page.getByRole('dialog').waitFor()
      for (let tabs = 0; tabs < 25; tabs++) {
        await page.keyboard.press('Tab')
        await expect.poll(covering).toBeUndefined()
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )
})

describe('while the service is away', () => {
  const failures: [said: string, answer: (route: Route) => Promise<void>][] = [
    ['The service does not answer.', (route) => route.abort()],
    ['502', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })],
  ]

  const forms = {
    'a new flag': [`${base}/flags`, 'Create flag', 'Name'],
    'a rule': [`${flag}&rule=new-rollout`, undefined, 'Name'],
    'an audience': [`${base}/audiences`, 'Create audience', 'Name'],
    'an experiment': [`${base}/experiments/1?panel=goal`, undefined, 'Hypothesis'],
    'a role': ['/1-acme/settings/roles', 'Create role', 'Name'],
  } as const
  // A dialog that creates with `useForm`. `refusals` has a form that edits with `useEditForm`.
  it.each(rowsOf(forms, ['a new flag']))('%s: a save says so and keeps what was typed', async (_what, row) => {
    const [path, button, field] = row
    await open(path)
    if (button) await page.getByRole('button', { name: button }).first().click()
    const dialog = page.getByRole('dialog')
    const typed = dialog.getByLabel(field, { exact: true })
    await typed.fill('If the service is away')
    for (const [said, answer] of failures) {
      await page.route('**/api/**', answer)
      await typed.press('Control+Enter')
      await dialog.getByRole('alert').getByText(said).first().waitFor()
      expect(await typed.inputValue()).toBe('If the service is away')
      await page.unroute('**/api/**')
    }
    await hasFocus(typed)
  })

  it('switches are locked until the service answers', async () => {
    await open(flag)
    const running = page.getByRole('switch', { name: /^Checkout in Production/ })
    await running.and(page.locator('[aria-disabled=false]')).waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    await page.getByText(/^Offline since/).waitFor()
    await page.getByRole('link', { name: 'Targeting', exact: true }).click()
    await running.and(page.locator('[aria-disabled=true][title^="The service does not answer"]')).waitFor()
    await running.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: 'Pause Checkout in Production' })
    await dialog.getByText('The service does not answer. Wait until it does.').waitFor()
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close'])
    await hasFocus(dialog.getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.count()).toBe(0)
    await page.unroute('**/api/**')
    await running.and(page.locator('[aria-disabled=false]')).waitFor()
  })

  it('a page whose code has not arrived says so in the frame, and is shown once the service answers', async () => {
    await open('/account/sessions')
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Personal tokens' }).click()
    await page.getByText(/^Offline since/).waitFor()
    await page.route('**/assets/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Appearance and keyboard' }).click()
    await page.getByRole('heading', { name: 'This page cannot be shown', level: 1 }).waitFor()
    await page.getByText('The service does not answer, so this page could not be loaded.').waitFor()
    await page.getByRole('link', { name: 'Security' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('heading', { name: 'Appearance and keyboard', level: 1 }).waitFor()
  })

  it('a page is shown after an upgrade has given its code another name', async () => {
    await open('/account/sessions')
    const gone = { status: 404, contentType: 'application/json', body: '{}' }
    await page.route('**/assets/**', (route) => route.fulfill(gone), { times: 1 })
    await page.getByRole('link', { name: 'Appearance and keyboard' }).click()
    await page.getByRole('heading', { name: 'Appearance and keyboard', level: 1 }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

if (isFull)
  it('a person without the permission for results reads which one it is', async () => {
    const { page, context } = await site.visit(grace)
    await openPage(page, `${base}/experiments/1`)
    await page.getByText('The permission that opens them is “results:read”.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await context.close()
  })
