import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, keeps, type Visitor } from './browser.ts'
import { callAs, offOn, prepare } from './calls.ts'
import { acmeToken, ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const at = '/1-acme/1-web-shop'
const project = '/api/v1/projects/1'
const dayMs = 86_400_000
const site = openSite()
let owner: Visitor
let page: Page
let ruleId: string

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${project}${path}`, body)
const launch = (more = {}) => ({ action: 'RUN', runAt: new Date(Date.now() + 30 * dayMs).toISOString(), ...more })
const ofFlag = '/flags/checkout/envs/production/schedule'
const scheduleOf = async (path: string) =>
  (await callAs(acmeToken, site.service.url, 'GET', `${project}${path}`)).body.data
const panel = (name: string) => page.getByRole('dialog', { name: `Schedule: ${name}` })
const message = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

beforeAll(async () => {
  for (const [name, key] of [
    ['Checkout', 'checkout'],
    ['<script>alert(1)</script>', 'script'],
  ] as const)
    await call('POST', '/flags', offOn(name, key))
  const rule = { type: 'TARGETED_DELIVERY', name: 'Beta users', variationKey: 'on', enabled: false }
  ruleId = (await call('POST', '/flags/checkout/envs/production/rules', rule)).id
  owner = await site.visit(ada)
  page = owner.page
})

it('a person sets a schedule by keyboard, in the zone of the browser, and takes it back', async () => {
  await openPage(page, `${at}/flags/checkout?env=production`)
  await page.getByRole('button', { name: 'Schedule', exact: true }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('heading', { name: 'Schedule: Checkout' }))
  await page.getByLabel('Note').focus()
  await page.keyboard.press('Control+Enter')
  await hasFocus(page.getByLabel('Date'))
  await panel('Checkout').getByText('Choose a date.').waitFor()

  // The fault of a moment is gone when any part of it changes.
  await page.getByLabel('Time zone').selectOption('UTC')
  await page.getByLabel('Date').fill(new Date().toISOString().slice(0, 10))
  await page.getByLabel('Time', { exact: true }).fill('00:00')
  await page.getByLabel('Note').focus()
  await page.keyboard.press('Control+Enter')
  const isPast = panel('Checkout').getByText(/Choose a later (one|time)\.$/)
  await isPast.waitFor()
  await page.getByLabel('Date').fill(new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10))
  await isPast.waitFor({ state: 'detached' })

  const runAt = new Date(Date.now() + 8 * dayMs)
  const [date, time] = runAt.toISOString().split('T') as [string, string]
  await page.getByLabel('Date').fill(date)
  await page.getByLabel('Time', { exact: true }).fill(time.slice(0, 5))
  await page.getByLabel('Time zone').selectOption('UTC')
  await panel('Checkout').getByRole('status').getByText('Runs in 8 days').waitFor()
  await page.getByLabel('Note').focus()
  await page.keyboard.type('Launch')
  await page.keyboard.press('Control+Enter')
  await message('Checkout runs in 8 days').waitFor()
  await page.getByText(/^Runs in 8 days.* UTC “Launch”$/).waitFor()
  // The button that opened the panel is gone.
  await hasFocus(page.getByRole('main'))
  expect(await scheduleOf(ofFlag)).toMatchObject({
    action: 'RUN',
    runAt: `${date}T${time.slice(0, 5)}:00.000Z`,
    timezone: 'UTC',
    note: 'Launch',
    status: 'PENDING',
  })
  await message('Checkout runs in 8 days').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Schedule', exact: true }).waitFor()
  expect(await scheduleOf(ofFlag)).toMatchObject({ status: 'CANCELLED' })
})

inFull('flags/schedules/schedule-words')(
  'the form warns where the clocks change, keeps what is typed, and says what else is set',
  async () => {
    await call('PUT', '/flags/checkout/envs/development/schedule', launch({ action: 'PAUSE' }))
    await page.getByRole('button', { name: 'More for Beta users' }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    await panel('Beta users').getByText('The flag in Development: Pauses in 30 days').waitFor()
    await page.getByLabel('Time zone').selectOption('Australia/Lord_Howe')
    // Clocks differ there between January and July, whatever the date is today.
    const year = new Date().getUTCFullYear()
    const dates = [`${year}-07-15`, `${year + 1}-01-15`, `${year + 1}-07-15`].filter((date) => {
      const aheadMs = Date.parse(date) - Date.now()
      return aheadMs > 2 * dayMs && aheadMs < 360 * dayMs
    })
    let warnings = 0
    for (const date of dates) {
      await page.getByLabel('Date').fill(date)
      await page.getByLabel('Time', { exact: true }).fill('09:00')
      await panel('Beta users')
        .getByText(/Lord Howe, /)
        .waitFor()
      warnings += await panel('Beta users')
        .getByText(/^Clocks in Lord Howe go/)
        .count()
    }
    expect(warnings).toBeGreaterThan(0)
    await expectGoodPage(owner, 'schedule panel', ['light wide'])
    await keeps(page, String(dates.at(-1)))
    await page.reload()
    await panel('Beta users').getByText('These are your unsaved changes from before').waitFor()
    expect(await page.getByLabel('Date').inputValue()).toBe(dates.at(-1))
    await panel('Beta users').getByRole('button', { name: 'Close' }).last().click()
  },
)

it('a pause suspends the scheduled run, and Undo sets it again', async () => {
  await call('PUT', '/flags/checkout/envs/development/schedule', launch({ action: 'PAUSE' }))
  await call('POST', '/flags/checkout/envs/production/run')
  await openPage(page, `${at}/flags/checkout?env=production`)
  await page.getByRole('button', { name: 'More for Beta users' }).click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  await panel('Beta users').getByText('The flag in Development: Pauses in 30 days').waitFor()
  await panel('Beta users').getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await panel('Checkout').getByText('Every visitor in Production gets off.').waitFor()
  await expectGoodPage(owner, 'schedule of a pause', [])
  await panel('Checkout').getByRole('button', { name: 'Close' }).last().click()
  const ofRule = `/flags/checkout/envs/production/rules/${ruleId}/schedule`
  await call('PUT', ofRule, launch({ note: 'Beta' }))
  await openPage(page, `${at}/flags/checkout?env=production`)
  await page.getByText('Runs in 30 days').waitFor()
  const pause = async () => {
    await page.keyboard.press('p')
    const question = page.getByRole('dialog', { name: 'Pause Checkout in Production' })
    await question.getByText(/The run scheduled for .* is suspended\./).waitFor()
    await hasFocus(question.getByRole('button', { name: 'Pause' }))
    await page.keyboard.press('Enter')
    await message('Checkout is paused in Production. Its schedule is suspended.').waitFor()
    await page.getByText(/ is suspended by Ada Lovelace’s pause at /).waitFor()
    await expect.poll(() => scheduleOf(ofRule)).toMatchObject({ status: 'SUSPENDED' })
  }
  await pause()
  await message('Checkout is paused').getByRole('button', { name: 'Undo' }).click()
  await message('Runs again, and the schedule is set again.').waitFor()
  expect(await scheduleOf(ofRule)).toMatchObject({ status: 'PENDING', note: 'Beta' })
  expect((await call('GET', '/flags/checkout/envs/production')).enabled).toBe(true)

  await pause()
  await page.getByRole('button', { name: 'Set again: Beta users' }).click()
  await message('The schedule of Beta users is set again.').waitFor()
  expect(await scheduleOf(ofRule)).toMatchObject({ status: 'PENDING' })
  await pausedRuleSuspends(ofRule)
})

const pausedRuleSuspends = async (ofRule: string) => {
  await call('POST', `/flags/checkout/envs/production/rules/${ruleId}/pause`)
  expect(await scheduleOf(ofRule)).toMatchObject({ status: 'SUSPENDED' })
}

it('the page of all schedules has what needs attention first, and changes and cancels them', async () => {
  await call('PUT', '/flags/script/envs/production/schedule', launch({ note: '<img src=x onerror=alert(1)>' }))
  await openPage(page, `${at}/history/schedules`)
  const rows = page.getByRole('table', { name: 'Schedules' }).getByRole('row')
  await rows.filter({ hasText: '<script>' }).waitFor()
  const states = rows.getByRole('cell').filter({ hasText: /^(Suspended|Scheduled)$/ })
  await expect.poll(() => states.allTextContents()).toEqual(['Suspended', 'Scheduled', 'Scheduled'])
  await expectGoodPage(owner, 'schedules')

  await page.getByRole('button', { name: 'Cancel the schedule: Beta users' }).click()
  await message('The schedule of Beta users is cancelled.').waitFor()
  await expect.poll(() => rows.filter({ hasText: 'Beta users' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Change: <script>' }).click()
  await expect.poll(() => panel('<script>').getByLabel('Note').inputValue()).toBe('<img src=x onerror=alert(1)>')
  await page.getByLabel('Pause', { exact: true }).check()
  await page.getByRole('button', { name: 'Change the schedule' }).click()
  // The panel shows the sentence too, before anything is saved.
  await panel('<script>').waitFor({ state: 'detached' })
  await page.getByText(/^Pauses in 30 days/).waitFor()
  expect(await scheduleOf('/flags/script/envs/production/schedule')).toMatchObject({ action: 'PAUSE' })
})

if (isFull)
  it('a viewer sees schedules without their buttons', async () => {
    const viewer = await site.visit(grace, `${at}/history/schedules`)
    await viewer.page.getByText('You can look at schedules. Editors and admins can change them.').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Change|Cancel)/ }).count()).toBe(0)
    await viewer.context.close()
  })
