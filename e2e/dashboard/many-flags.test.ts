import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'

const count = 5_000
/** The time limit of work that is done for each of many flags. */
const longMs = 60_000
const list = '/1-acme/1-web-shop/flags'
const project = '/api/v1/projects/1'
const nameOf = (number: number) => `Flag ${String(number).padStart(4, '0')}`
const keyOf = (number: number) => nameOf(number).toLowerCase().replace(' ', '-')
/** The flags that run in Development. */
const running = Array.from({ length: 11 }, (_, at) => at * 400)

const site = openSite()
let owner: Visitor
let page: Page

beforeAll(async () => {
  const first = await prepare(site.service.url, 'POST', `${project}/flags`, offOn(nameOf(0), keyOf(0)))
  // By the API, 5,000 flags take half a minute. None of them has run, so no data file has them.
  await sql`
    insert into flags
    select (jsonb_populate_record(flag, jsonb_build_object('id', gen_random_uuid(), 'short_id', number + 1,
      'name', 'Flag ' || lpad(number::text, 4, '0'), 'key', 'flag-' || lpad(number::text, 4, '0')))).*
    from flags flag, generate_series(1, ${count - 1}) number where flag.id = ${first.id}`.execute(site.service.db)
  await sql`
    insert into flag_environments (flag_id, env_id, draft, live, staged_by)
    select flag.id, first.env_id, first.draft, first.live, first.staged_by
    from flag_environments first, flags flag
    where first.flag_id = ${first.id} and flag.project_id = ${first.projectId} and flag.id <> ${first.id}`.execute(
    site.service.db,
  )
  for (const number of running)
    await prepare(site.service.url, 'POST', `${project}/flags/${keyOf(number)}/envs/development/run`)
  owner = await site.visit(ada)
  page = owner.page
})

const runningNow = async (): Promise<number> => {
  const { flags, environments } = await prepare(site.service.url, 'GET', `${project}/index`)
  const place = environments.findIndex(({ key }: { key: string }) => key === 'development')
  return flags.filter(({ states }: { states: { running?: boolean }[] }) => states[place]?.running).length
}
/** Chooses all flags and asks to pause them. The answer is the dialog. */
async function askToPauseAll() {
  await page.getByLabel('Filter by name, key or tag').fill('')
  await page.getByText('5,000 flags', { exact: true }).waitFor()
  // The list follows the filter a moment later, and all of it is to be chosen.
  await expect.poll(() => shown().first().innerText()).toBe(nameOf(count - 1))
  await page.getByLabel('Select all').check()
  await page.getByText('5,000 selected').waitFor()
  await page.getByRole('button', { name: 'Pause in…' }).click()
  await page.getByRole('menuitem', { name: 'Development' }).click()
  return page.getByRole('dialog', { name: 'Pause 12 flags in Development' })
}
/** What the service answers above 1,200 changes in a minute. */
function refusalFor(retryAfterSeconds: number) {
  const details = { limit: 1200, windowSeconds: 60, retryAfterSeconds }
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`
  return { status: 429, json: { error: { code: 'rate_limited', message, requestId: 'r', details } } }
}
const shown = () => page.getByRole('rowheader').getByRole('link')

it('journey 23: finds and sorts among 5,000 flags, and draws only the rows in view', async () => {
  await page.goto(list)
  await page.getByText('5,000 flags', { exact: true }).waitFor()
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(count + 1))
  await page.getByRole('columnheader', { name: 'Flag' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Flag' }).getByRole('button').click()
  await page.waitForURL('**sort=-name**')
  await expect.poll(() => shown().first().innerText()).toBe(nameOf(count - 1))
  expect(await shown().count()).toBeLessThan(80)
  await page.keyboard.press('/')
  await page.keyboard.type('flag-123')
  await page.getByText('10 of 5,000 flags').waitFor()
  await expect.poll(() => shown().first().innerText()).toBe('Flag 1239')
})

it('journey 23: switches one of them', async () => {
  await page.getByRole('switch', { name: /^Flag 1234 in Development:/ }).click()
  await expect
    .poll(
      async () => (await prepare(site.service.url, 'GET', `${project}/flags/${keyOf(1234)}/envs/development`)).enabled,
    )
    .toBe(true)
  await page.getByRole('switch', { name: /^Flag 1234 in Development: running/ }).waitFor()
})

inFull('flags/switches/in-turns')(
  'journey 23: pauses all that run, at the pace that the service takes, and takes it back',
  async () => {
    const dialog = await askToPauseAll()
    // Until the page has said so.
    const isRefused = { pause: true, run: true }
    for (const action of ['pause', 'run'] as const)
      await page.route(`**/${action}`, (route) => (isRefused[action] ? route.fulfill(refusalFor(2)) : route.continue()))
    await dialog.getByRole('button', { name: 'Pause 12 flags' }).click()
    await dialog
      .getByRole('status')
      .filter({
        hasText: /of 12 flags\. The service accepts 1,200 changes per person and minute\. This continues at \d/,
      })
      .waitFor()
    isRefused.pause = false
    const said = page.getByRole('alert').filter({ hasText: '12 flags paused in Development.' })
    // The list of 5,000 flags is read again first.
    await said.waitFor({ timeout: longMs })
    expect(await runningNow()).toBe(0)
    await said.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /^Changed back 0 of 12 flags\. The service accepts 1,200 changes per person and minute\./ })
      .waitFor()
    isRefused.run = false
    await expect.poll(runningNow, { timeout: longMs }).toBe(12)
  },
)

it('the task can be stopped while it waits, and says how many flags stay as they were', async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const dialog = await askToPauseAll()
  let asked = 0
  await page.route('**/pause', (route) => {
    asked += 1
    return asked > 8 ? route.fulfill(refusalFor(60)) : route.continue()
  })
  await dialog.getByRole('button', { name: 'Pause 12 flags' }).click()
  await dialog
    .getByRole('status')
    .filter({ hasText: /^8 of 12 flags\. The service accepts/ })
    .waitFor()
  // Among thousands of rows, this takes seconds. The parts of the dialog are in the gallery.
  if (isFull) await expectGoodPage(owner, 'flags-pause-waits')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: '8 flags paused in Development. 4 flags stay as before.' })
    .waitFor({ timeout: longMs })
  expect(await runningNow()).toBe(4)
})
