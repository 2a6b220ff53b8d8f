import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { createClient } from '../../packages/sdk/src/index.ts'
import { dayMs, hourMs } from '../../packages/server/testing/clock.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, pageWithoutPointer, tabTo, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { evenly } from './halves.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const base = '/1-acme/1-web-shop'
const project = '/api/v1/projects/1'

const guide = readFileSync(new URL('../../docs/idea-to-decision.md', import.meta.url), 'utf8')
/** The words that the guide shows in bold: what people press or look for. */
const bold = new Set(
  [
    ...guide
      .split('## 1.')[1]!
      .split('## For programs')[0]!
      .matchAll(/\*\*(.+?)\*\*/g),
  ].map(([, words]) => words!),
)

/** A name that the guide uses. */
function named(words: string): string {
  followed.add(words)
  return words
}
const followed = new Set<string>()

let movedByMs = 0
beforeAll(() => {
  movedByMs = 0
})
const now = () => Date.now() + movedByMs
const site = openSite(undefined, undefined, () => new Date(now()))
let owner: Visitor
let page: Page

const send = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  prepare(site.service.url, method, `${project}/${path}`, body)

beforeAll(async () => {
  await send('POST', 'metrics', {
    key: 'paid',
    name: 'Paid orders',
    type: 'PROPORTION',
    eventKey: 'paid',
    conversionWindowHours: 24,
  })
  await send('POST', 'flags', {
    name: 'Checkout',
    key: 'checkout',
    type: 'BOOLEAN',
    variations: [
      { name: 'Long form', key: 'off', value: 'false' },
      { name: 'Short form', key: 'on', value: 'true' },
    ],
    defaultVariationKey: 'off',
  })
  owner = await site.visit(ada)
  page = await pageWithoutPointer(owner)
})

it('journey 15: from an idea to a draft, by keyboard alone', async () => {
  await page.goto(`${base}/metrics`)
  await page.getByRole('heading', { name: named('Metrics'), level: 1 }).waitFor()
  await page
    .getByRole('button', { name: named('Create metric') })
    .first()
    .waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { name: 'No experiments yet' }).waitFor()
  await page.getByRole('link', { name: 'See an example of results' }).waitFor()
  await page
    .getByRole('button', { name: named('Create experiment') })
    .first()
    .waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create an experiment' })
  await panel.waitFor()
  await panel.getByText('Choose a flag to continue.').waitFor()
  const flag = panel.getByLabel('Flag', { exact: true })
  await tabTo(flag)
  await page.keyboard.type('Another form')
  await panel.getByRole('option', { name: 'Create a flag “Another form”' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => flag.inputValue()).toBe('Another form (another-form)')
  await tabTo(panel.getByLabel(named('Hypothesis')))
  await page.keyboard.type('If we ask for less')
  await tabTo(flag)
  await page.keyboard.type('checko')
  await panel.getByRole('option', { name: 'Checkout' }).waitFor()
  await expectGoodPage({ ...owner, page }, 'experiment-flag', ['light wide'])
  // A window that becomes narrow gives the focus to the panel, and the list is closed.
  await tabTo(flag)
  await page.keyboard.type('checko')
  await panel.getByRole('option', { name: 'Checkout' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => flag.inputValue()).toBe('Checkout (checkout)')
  // What was filled in for the flag before is still there.
  await expect.poll(() => panel.getByLabel(named('Hypothesis')).inputValue()).toBe('If we ask for less')
  await tabTo(panel.getByLabel(named('Hypothesis')))
  await page.keyboard.press('End')
  await page.keyboard.type(', then more people pay')
  await tabTo(panel.getByLabel(named('Name'), { exact: true }))
  await page.keyboard.type('Shorter form')
  await panel.getByLabel('Add a metric').getByRole('option', { name: 'Paid orders' }).waitFor({ state: 'attached' })
  await tabTo(panel.getByLabel(named('Add a metric')))
  await page.keyboard.type('Paid')
  await panel.getByLabel('Role of Paid orders').waitFor()
  await tabTo(panel.getByRole('button', { name: named('Create draft') }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Shorter form', level: 1 }).waitFor()
  const [experiment] = await send('GET', 'experiments')
  expect(experiment).toMatchObject({ name: 'Shorter form', status: 'DRAFT', metrics: { primary: ['paid'] } })

  const steps = page.getByRole('dialog', { name: 'Set up Shorter form' })
  const next = async () => {
    await tabTo(steps.getByRole('button', { name: named('Next'), exact: true }))
    await page.keyboard.press('Enter')
  }
  /** A move leads to the start of the step, so that keys go on from there. */
  const isAt = (step: string) => hasFocus(steps.getByRole('heading', { name: step, exact: true }))
  await steps.locator('[aria-current=step]', { hasText: named('Variations') }).waitFor()
  await tabTo(steps.getByRole('slider', { name: 'Border between Long form and Short form' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await steps.locator('code').getByText('true', { exact: true }).waitFor()
  if (isFull) await expectGoodPage({ ...owner, page }, 'experiment-variations', ['light narrow'])
  await next()
  await isAt(named('Who'))
  if (isFull) await expectGoodPage({ ...owner, page }, 'experiment-who', ['light narrow'])
  await next()
  await isAt(named('Size'))
  await steps.getByText('Nothing was measured here in the last 14 days. Enter what you expect.').waitFor()
  await tabTo(steps.getByLabel('New visitors per day'))
  await page.keyboard.type('2000')
  const lift = steps.getByRole('slider', { name: 'Smallest change to find' })
  const weeks = steps.getByRole('slider', { name: 'How long it runs' })
  await expect.poll(() => weeks.getAttribute('aria-valuetext')).toBe('9 weeks')
  // The two are linked: a shorter test finds larger changes, and a larger change needs a shorter test.
  await tabTo(weeks)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => weeks.getAttribute('aria-valuetext')).toBe('8 weeks')
  expect(await lift.getAttribute('aria-valuetext')).toBe('10.1\u00a0%')
  await tabTo(lift)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => lift.getAttribute('aria-valuetext')).toBe('12.5\u00a0%')
  await expect.poll(() => weeks.getAttribute('aria-valuetext')).toBe('6 weeks')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => weeks.getAttribute('aria-valuetext')).toBe('9 weeks')
  await expectGoodPage({ ...owner, page }, 'experiment-size', ['light narrow'])
  // The plan follows what is calculated until a person types one.
  const plan = steps.getByLabel('Planned visitors in each variation')
  await expect.poll(() => plan.inputValue()).toMatch(/^56,/)
  await plan.fill('9')
  await tabTo(steps.getByRole('button', { name: named('Use this size') }))
  await page.keyboard.press('Enter')
  await expect.poll(() => plan.inputValue()).toMatch(/^56,/)
  await page.keyboard.press('Control+Enter')
  await isAt(named('Review'))
  await steps
    .getByText(/^In Production, all visitors take part and get Checkout: 50\s% Long form \(baseline\)/)
    .waitFor()
  await steps.getByText('The flag is paused in Production.').waitFor()
  await steps.getByRole('link', { name: 'Connect your SDK' }).waitFor()
  await expectGoodPage({ ...owner, page }, 'experiment-review')
  await tabTo(steps.getByRole('button', { name: named('Leave as draft') }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'This test has not started.' }).waitFor()
  await page.getByText('If we ask for less, then more people pay').waitFor()
  await page.getByRole('link', { name: 'Paid orders' }).waitFor()
  if (isFull) await expectGoodPage({ ...owner, page }, 'experiment-draft')
})

it('an experiment is edited by keyboard, also when another person has edited it', async () => {
  await page.keyboard.press('e')
  const panel = page.getByRole('dialog', { name: 'Set up Shorter form' })
  // Steps can be jumped.
  await tabTo(panel.getByRole('button', { name: /Size/ }))
  await page.keyboard.press('Enter')
  await hasFocus(panel.getByRole('heading', { name: 'Size', exact: true }))
  await tabTo(panel.getByLabel('A guardrail metric gets worse'))
  await page.keyboard.press('Space')
  await send('PATCH', 'experiments/1', { description: 'Asked for by sales', tags: ['checkout'] })
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: /changed/i })
  await dialog.getByText(/Tags/).first().waitFor()
  await tabTo(dialog.getByRole('button', { name: /Save/ }))
  await page.keyboard.press('Enter')
  await hasFocus(panel.getByRole('heading', { name: 'Review', exact: true }))
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  await page.getByText('Auto-pause when: a guardrail metric gets worse').waitFor()
  expect(await send('GET', 'experiments/1')).toMatchObject({
    ...{ description: 'Asked for by sales', tags: ['checkout'] },
    autoPause: { srm: false, traffic: false, guardrailMetric: true },
  })
})

inFull('experiments/experiment-form')(
  'a draft that another person has changed keeps their changes, also those that its form does not show',
  async () => {
    await page.keyboard.press('e')
    const panel = page.getByRole('dialog', { name: 'Set up Shorter form' })
    const limit = panel.getByLabel('Visitor limit')
    const statistics = async () => (await send('GET', 'experiments/1')).statistics
    /** The form reads what another person has set, then a person types the limit. */
    const limits = async (theirs: object, shown: string, typed: string) => {
      await tabTo(panel.getByRole('button', { name: /Size/ }))
      await page.keyboard.press('Enter')
      await limit.waitFor()
      await send('PATCH', 'experiments/1', { statistics: { ...(await statistics()), ...theirs } })
      await readAgain(page)
      await expect.poll(() => limit.inputValue()).toBe(shown)
      await limit.fill(typed)
      await page.keyboard.press('Control+Enter')
      await hasFocus(panel.getByRole('heading', { name: 'Review', exact: true }))
    }
    await limits({ minRuntimeDays: 3 }, '', '50,000')
    expect(await statistics()).toMatchObject({ minRuntimeDays: 3, maxUnits: 50_000 })
    await limits({ minRuntimeDays: 5, maxUnits: 9000 }, '9,000', '50,000')
    expect(await statistics()).toMatchObject({ minRuntimeDays: 5, maxUnits: 50_000 })
    await page.keyboard.press('Escape')
    await expect.poll(() => panel.count()).toBe(0)
  },
)

inFull('experiments/start-words')(
  'the page offers to run the flag first while it is paused, and says what that does',
  async () => {
    await tabTo(page.getByRole('button', { name: named('Launch…') }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Launch Shorter form' })
    await dialog.getByText('Visitors in Production get the variations of Shorter form from now on').waitFor()
    await dialog.getByText('Checkout is paused in Production, and this runs it first.').waitFor()
    await dialog.getByRole('button', { name: named('Run the flag and launch') }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Launch', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
  },
)

const press = async (button: Locator) => {
  await tabTo(button)
  await page.keyboard.press('Enter')
}

it('an experiment is scheduled by keyboard', async () => {
  await page.getByText('No phases yet. The first one begins with the launch.').waitFor()
  await page.keyboard.press('e')
  const steps = page.getByRole('dialog', { name: 'Set up Shorter form' })
  await press(steps.getByRole('button', { name: /Review/ }))
  await press(steps.getByRole('button', { name: named('Schedule…') }))
  const panel = page.getByRole('dialog', { name: 'Schedule: Shorter form' })
  await panel.getByText('Checkout is paused in Production: run it there before that time').waitFor()
  await panel.getByLabel('Date').fill(new Date(Date.now() + 8 * dayMs).toISOString().slice(0, 10))
  await panel.getByLabel('Time', { exact: true }).fill('09:00')
  await panel.getByLabel('Note').fill('After the holidays')
  await expectGoodPage({ ...owner, page }, 'experiment-schedule', ['light narrow'])
  await panel.getByLabel('Note').focus()
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^Runs in .* “After the holidays”$/).waitFor()
  const scheduled = await send('GET', 'experiments/1/schedule')
  expect(scheduled).toMatchObject({ action: 'RUN', status: 'PENDING', note: 'After the holidays' })
  await send('DELETE', 'experiments/1/schedule')
})

inFull('experiments/lifecycle/routes')('the page shows a schedule that is suspended or has failed', async () => {
  const inDays = new Date(Date.now() + 8 * dayMs).toISOString()
  await send('PUT', 'experiments/1/schedule', { action: 'RUN', runAt: inDays, note: 'After the holidays' })
  await page.getByText(/^Runs in .* “After the holidays”$/).waitFor()
  await send('POST', 'flags/checkout/envs/production/pause')
  await page.getByText(/is suspended by .* pause/).waitFor()
  await expectGoodPage({ ...owner, page }, 'experiment-suspended', ['light narrow'])
  await press(page.getByRole('button', { name: 'Set again: Shorter form' }))
  await page.getByText(/^Runs in .* “After the holidays”$/).waitFor()
  const runAt = new Date(Date.now() + hourMs).toISOString()
  await send('PUT', 'experiments/1/schedule', { action: 'RUN', runAt })
  movedByMs = hourMs
  await page.getByText(/failed\. The flag is paused in the environment/).waitFor()
  expect(await send('GET', 'experiments/1')).toMatchObject({ status: 'DRAFT', schedule: null })
})

let later: Visitor

it('journey 15: is launched by keyboard, counts visitors of the SDK, and ends with a result', async () => {
  await tabTo(page.getByRole('button', { name: named('Launch…') }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByRole('button', { name: named('Run the flag and launch') }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Waiting for the first visitor.' }).waitFor()
  await page.getByText('Running', { exact: true }).first().waitFor()
  expect(await send('GET', 'experiments/1')).toMatchObject({ status: 'RUNNING', hasStagedChanges: false })
  const [{ sdkKey }] = await send('GET', 'environments')
  const client = createClient({ sdkKey, baseUrl: site.service.url }, { now })
  await client.waitUntilReady({ timeoutMs: 60_000 })
  const today = Math.floor(now() / dayMs) * dayMs
  const halves = evenly(client, 'checkout', 200)
  for (const [isShort, contexts] of halves.entries())
    for (const [at, context] of contexts.entries()) {
      client.getBoolean('checkout', false, context)
      // Enough of both kinds in each half, so that their own variance counts.
      if (at % 20 < (isShort ? 17 : 3)) client.track('paid', { context })
    }
  await client.close()
  // In the middle of a day, so that no day ends while results are read.
  movedByMs = today + 8.5 * dayMs - Date.now()
  later = await site.visit(ada, `${base}/experiments`)
  await later.page.getByRole('link', { name: 'Shorter form' }).click()
  await later.page.getByRole('button', { name: named('Refresh') }).click()
  await later.page.getByRole('heading', { name: 'Short form is better.' }).waitFor()
  await later.page.getByText(/^\d checks fine/).waitFor()
  await later.page.getByRole('button', { name: named('Share') }).waitFor()
  await later.page.getByRole('link', { name: named('Statistics') }).click()
  await later.page.getByText('The chance to be better is not used for the verdict').waitFor()
  await expectGoodPage(later, 'experiment')
  const split = [
    { key: 'off', weight: 2000 },
    { key: 'on', weight: 8000 },
  ]
  await send('PATCH', 'experiments/1', { variations: split })
  await readAgain(later.page)
  await later.page.getByRole('button', { name: named('Publish changes…') }).click()
  const publish = later.page.getByRole('dialog', { name: 'Publish Shorter form to Production' })
  await publish.getByText('About 120 counted visitors get a different variation, so a new phase begins.').waitFor()
  await publish.getByRole('button', { name: 'Publish changes' }).click()
  await publish.getByText('Confirm that visitors may get a different variation.').waitFor()
  await publish.getByLabel('Visitors may get a different variation').check()
  if (isFull) await expectGoodPage(later, 'experiment-publish', ['light narrow'])
  await publish.getByRole('button', { name: 'Publish changes' }).click()
  await later.page.getByText(/^Published to Production: revision/).waitFor()
  const phases = later.page.getByRole('table', { name: 'Phases' })
  await phases.getByText('The split changed').waitFor()
  await phases.getByText('Long form 20 %, Short form 80 %').waitFor()
  if (isFull) await expectGoodPage(later, 'experiment-phases', ['light narrow'])
  await expect.poll(() => later.page.getByText('Some changes are not published').count()).toBe(0)
  await later.page.getByRole('button', { name: named('Pause…') }).click()
  await later.page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await later.page.getByRole('button', { name: named('Complete…') }).click()
  await later.page.getByText('The test in Production ends for good').waitFor()
  await later.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await later.page.getByRole('button', { name: named('Declare winner…') }).click()
  const winner = later.page.getByRole('dialog', { name: 'Declare the winner of Shorter form' })
  await winner.getByText('A rule of Short form takes its place in Production').waitFor()
  await expectGoodPage(later, 'experiment-winner', ['light narrow'])
  await winner.getByRole('button', { name: 'Declare winner' }).click()
  await later.page.getByText('Short form won, and visitors get it now.').waitFor()
  await later.page.getByText('Completed', { exact: true }).first().waitFor()
  // A declared winner is shown above the recommendation of the figures.
  await later.page.getByRole('heading', { name: /^Ada Lovelace chose Short form on / }).waitFor()
  await later.page.getByText(/^They say now: /).waitFor()
  // What is rolled out stays the winner.
  expect(await later.page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
  await later.page.getByRole('button', { name: named('Duplicate experiment') }).click()
  const copy = later.page.getByRole('dialog', { name: /^Duplicate/ })
  await expect.poll(() => copy.getByLabel('Environment').locator('option:checked').textContent()).toBe('Production')
  await copy.getByRole('button', { name: 'Make the draft' }).click()
  await later.page.getByText(/made\. It is a draft\./).waitFor()
  await later.page.getByRole('heading', { name: 'This test has not started.' }).waitFor()
  await later.page
    .getByRole('link', { name: named('Experiments') })
    .first()
    .click()
  await later.page.getByRole('link', { name: 'Completed 1' }).click()
  await later.page.getByRole('table').getByText('Winner: Short form').waitFor()
  await expectGoodPage(later, 'experiments')
  const { rules } = (await send('GET', 'flags/checkout/envs/production')).live
  expect(rules.map(({ type, variationKey }: { type: string; variationKey: string }) => [type, variationKey])).toEqual([
    ['TARGETED_DELIVERY', 'on'],
  ])
})

inFull('experiments/recent-figures')('the size of a copy begins with the figures of the last 14 days', async () => {
  await openPage(later.page, `${base}/experiments/2?panel=size`)
  const size = later.page.getByRole('dialog', { name: /^Set up/ })
  await size.getByText('From the last 14 days: 400 new visitors of the flag checkout, Paid orders of 400').waitFor()
  await expect.poll(() => size.getByLabel('New visitors per day').inputValue()).toBe('50')
  await expect.poll(async () => Number(await size.getByLabel('Share now, in %').inputValue())).toBeGreaterThan(20)
})

inFull('experiments/lifecycle/routes')('the page says before and after a launch what needs attention', async () => {
  const { page } = await site.visit(ada, `${base}/experiments/2`)
  const before = page.getByRole('list', { name: 'Before the launch' })
  const inTheWay = before.getByText(/^The rule .+ comes first and takes every visitor of the experiment\./)
  await inTheWay.waitFor()
  // The winner of the first test.
  const [{ id }] = await send('GET', 'flags/checkout/envs/production/rules')
  await send('POST', `flags/checkout/envs/production/rules/${id}/pause`)
  await inTheWay.waitFor({ state: 'detached' })
  await send('POST', `flags/checkout/envs/production/rules/${id}/run`)
  await inTheWay.waitFor()
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText(/ launched\. The rule .+ comes first and takes every visitor of the experiment\./).waitFor()
})

it('the list says that results are not for this role, instead of that they are missing', async () => {
  // A full run has launched the copy above.
  if (!isFull) await send('POST', 'experiments/2/launch', {})
  const guest = await site.visit(grace, `${base}/experiments?status=RUNNING`)
  const table = guest.page.getByRole('table', { name: 'Experiments' })
  await table.getByText('Not for your role').first().waitFor()
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Experiment', 'Status', 'Day', 'Results'])
  expect(await table.getByText('Waiting for the first visitor').count()).toBe(0)
  await guest.context.close()
})

it('these tests have used everything that the guide names', () => {
  expect([...bold].sort()).toEqual([...followed].sort())
})
