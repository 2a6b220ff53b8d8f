import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import example from '../../packages/dashboard/src/wings/measuring/results/example.json' with { type: 'json' }
import {
  advice,
  failedSplit,
  few,
  keepRunning,
  rows,
  withComparison,
} from '../../packages/dashboard/src/wings/measuring/results/verdict-cases.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import { dayMs } from '../../packages/server/testing/clock.ts'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { downloaded, expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { evenly } from './halves.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const base = '/1-acme/1-web-shop'
const project = '/api/v1/projects/1'
const hostile = '<script>alert(1)</script>'
const visitors = 240

// The clients of the SDK use the clock of this machine, so the service begins with it.
let movedByMs = 0
beforeAll(() => {
  movedByMs = 0
})
const site = openSite(undefined, undefined, () => new Date(Date.now() + movedByMs))
let owner: Visitor
let page: Page
let rule: { id: string; flagId: string; ids: Record<string, string> }

const send = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  prepare(site.service.url, method, `${project}/${path}`, body)

/** A flag with an A/B test that is served in Production. */
async function runTest(key: string, metrics: object) {
  const flag = await send('POST', 'flags', {
    name: `Checkout ${hostile}`,
    key,
    type: 'BOOLEAN',
    variations: [
      { name: 'Long form', key: 'off', value: 'false' },
      { name: 'Short form', key: 'on', value: 'true' },
    ],
    defaultVariationKey: 'off',
  })
  const { id } = await send('POST', `flags/${key}/envs/production/rules`, {
    type: 'AB_TEST',
    name: 'Shorter form',
    variations: [
      { variationKey: 'off', weight: 5000 },
      { variationKey: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
    metrics,
    statistics: { minUnits: 20, minConversions: 5 },
  })
  await send('POST', `flags/${key}/envs/production/run`)
  const ids = Object.fromEntries(flag.variations.map((each: { key: string; id: string }) => [each.key, each.id]))
  return { id, flagId: flag.id, ids }
}

beforeAll(async () => {
  const metric = { type: 'PROPORTION', eventKey: 'paid', conversionWindowHours: 24 }
  await send('POST', 'metrics', { ...metric, key: 'paid', name: 'Paid orders' })
  await send('POST', 'metrics', { ...metric, key: 'seen', name: 'Page seen', eventKey: 'seen' })
  const metrics = { primary: ['paid'], secondary: [], guardrails: ['seen'] }
  rule = await runTest('checkout', metrics)
  const unseen = await runTest('unseen', metrics)
  await send('PATCH', `flags/unseen/envs/production/rules/${unseen.id}`, { trafficAllocation: 5000 })
  const [{ sdkKey }] = await send('GET', 'environments')
  const client = createClient({ sdkKey, baseUrl: site.service.url, dimensions: ['country'] })
  await client.waitUntilReady({ timeoutMs: 60_000 })
  for (const [isShort, contexts] of evenly(client, 'checkout', visitors / 2).entries())
    for (const [at, visitor] of contexts.entries()) {
      const context = { ...visitor, country: at % 3 === 0 ? 'NL' : 'DE' }
      client.getBoolean('checkout', false, context)
      client.track('seen', { context })
      // A tenth of those with the long form pay, and half of those with the short one.
      if (at % (isShort ? 2 : 10) === 0) client.track('paid', { context })
    }
  await client.close()
  // Otherwise, their findings in snapshots that a test wrote would appear in later tests.
  await Promise.all([site.service.snapshots.stop(), site.service.watching.stop()])
  movedByMs = 8 * dayMs
  owner = await site.visit(ada)
  page = owner.page
})

const verdict = (words: string) => page.getByRole('heading', { name: words, level: 2 }).waitFor()

it('before the first visitor, says what is missing and shows an example', async () => {
  await openPage(page, `${base}/flags/unseen`)
  await page.getByRole('link', { name: 'Results of Shorter form' }).click()
  await verdict('Waiting for the first visitor.')
  await page.getByRole('tab', { name: /^Production.*1 unpublished change$/ }).waitFor()
  await page.getByRole('link', { name: 'Connect your SDK' }).waitFor()
  const reasons = page.getByRole('list', { name: 'Why nobody is counted' })
  await reasons.getByText(/connected to Production\.$/).waitFor()
  await reasons.getByText('Refresh to see whether exposures have arrived.').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  await expectGoodPage(owner, 'results-waiting')
  await page.getByRole('link', { name: 'see an example of results.' }).click()
  await page.getByText('These visitors are invented').waitFor()
  await verdict('Short form is better.')
  await page.getByText('Next step: Declare Short form the winner.').waitFor()
  await page.getByRole('table', { name: 'All metrics' }).getByText('+23.8 %', { exact: true }).waitFor()
  await page.getByText('Show as table').click()
  await page.getByRole('table', { name: 'By day' }).getByText('25 Jan').waitFor()
  await page.getByText(/^Short form: \+\d+\.\d\s% on \d+ Jan, and \+23\.8\s% on 26 Jan, between \+8\.3\s%/).waitFor()
  await page.getByRole('img', { name: 'From +8.3 % to +41.8 %: zero is outside' }).waitFor()
  const waiting = page.getByText('1,400 visitors are still inside the 1-day window and count later.')
  expect(await waiting.count(), 'once for all metrics').toBe(1)
  expect(await page.getByText('values with the most visitors').count()).toBe(0)
  await page.getByRole('table', { name: 'Purchase by country' }).getByText('15,440').waitFor()
  await page.getByLabel('Show').selectOption('Day by day')
  await page.getByRole('table', { name: 'By day' }).getByRole('columnheader', { name: 'Long form' }).waitFor()
  await expectGoodPage(owner, 'results-example')
})

it('the calculator shows how many visitors and days a test needs while a person types', async () => {
  await openPage(page, `${base}/experiments/calculator`)
  await page.getByText(/^56,2\d\d visitors in each variation/).waitFor()
  await page.getByLabel('Results are read').selectOption('once, at the end')
  await page.getByText('31,234 visitors in each variation, 62,468 in both.').waitFor()
  await page.getByLabel('New visitors per day').fill('4,000')
  await page.getByText('At 4,000 visitors a day that takes 16 days. Plan 3 weeks').waitFor()
  await page.getByLabel('Smallest change to find, in %').fill('0.001')
  await page.getByText('such a small change would require too many visitors').waitFor()
  await page.getByLabel('Smallest change to find, in %').fill('10')
  await page.getByText('31,234 visitors').waitFor()
  await page.getByText('What this assumes').click()
  await expectGoodPage(owner, 'calculator')
})

it('the page shows what visitors of the SDK did, when a person asks for it', async () => {
  await openPage(page, `${base}/flags/checkout/results?env=production&rule=${rule.id}`)
  await page.getByText('Nothing has been computed yet.').waitFor()
  const refreshed = page.waitForResponse((answer) => answer.url().endsWith('/results/refresh'))
  await page.route('**/results/refresh', async (route) => {
    await page.getByText('Computing, which can take a minute.', { exact: true }).waitFor()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  await refreshed
  await page.unroute('**/results/refresh')
  await verdict('Short form is better.')
  const { units, metrics } = await send('GET', `flags/checkout/rules/${rule.id}/results`)
  expect(units.total).toBe(visitors)
  const table = page.getByRole('table', { name: 'All metrics' })
  await page.getByRole('link', { name: 'Statistics' }).press('Enter')
  const [long, short] = metrics[0].variations
  for (const { sum, units } of [long, short]) await table.getByText(`${sum} of ${units}`).first().waitFor()
  await page.getByText('The chance to be better is not used for the verdict').waitFor()
  const window = page.viewportSize()!
  for (const width of [360, 700, 1024, 1280]) {
    await page.setViewportSize({ ...window, width })
    const hidden = await table.evaluate(({ parentElement: card }) => card!.scrollWidth - card!.clientWidth)
    expect(hidden, `what a card in a window of ${width} px hides`).toBe(0)
  }
  await page.setViewportSize(window)
  const { name, content } = await downloaded(page, 'Export CSV')
  expect(name).toMatch(/^results-.*\.csv$/)
  const [header, ...lines] = content.trim().split('\r\n')
  expect(header).toContain('"metric"')
  expect(lines).toHaveLength(2 * metrics.length)
  await page.getByLabel('Split by').selectOption('country')
  const byCountry = page.getByRole('table', { name: 'Paid orders by country' })
  await byCountry.getByRole('row', { name: 'DE 160' }).waitFor()
  await byCountry.getByRole('row', { name: 'NL 80' }).waitFor()
  await page.getByText('All visitors are in one of 2 values.').waitFor()
  const split = await downloaded(page, 'Export CSV by country')
  expect(split.content.trim().split('\r\n')).toHaveLength(1 + 2 * 2 * metrics.length)
  expect(await page.title()).toMatch(/^Results · Checkout .+ · Web shop · Svc$/)
  await page.getByRole('button', { name: 'Share' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download picture (SVG)' }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('Paid orders')
  expect(page.url(), 'a link keeps it').toMatch(/view=statistics.*by=country/)
  await page
    .getByText(/\d checks? fine/)
    .first()
    .waitFor()
  await expectGoodPage(owner, 'results')
})

it('journey 12: new weights warn about the visitors, and their results are kept apart', async () => {
  await openPage(page, `${base}/flags/checkout?env=production&rule=${rule.id}`)
  const editor = page.getByRole('dialog', { name: 'Edit A/B test: Shorter form' })
  await editor.getByLabel('Share of Long form').fill('20')
  // Before anything is saved.
  await editor.getByText('About 72 counted visitors get another variation. You confirm it').waitFor()
  await editor.getByRole('button', { name: 'Save and review' }).press('Enter')
  await editor.getByText('About 72 counted visitors get another variation. Their results').waitFor()
  await editor.getByRole('button', { name: 'Save and move them' }).press('Enter')
  await expect.poll(() => editor.count()).toBe(0)
  await openPage(page, `${base}/environments/production/publish`)
  await page.getByText('Check before you publish').waitFor()
  await page.getByRole('button', { name: /^Publish/ }).press('Enter')
  await page.getByText('Tick this to publish, or undo the new weights.').waitFor()
  await hasFocus(page.getByRole('checkbox', { name: 'Move them' }))
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: /^Publish/ }).press('Enter')
  await page.getByRole('heading', { name: /^Published to/ }).waitFor()
  await openPage(page, `${base}/flags/checkout?env=production`)
  await page.getByRole('link', { name: 'Results of Shorter form' }).click()
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  await page.getByText('The split changed while the test ran.').waitFor()
})

/** Stores the results of the example with a change, as the next snapshot of the rule. */
async function store(change: object) {
  movedByMs += 60_000
  const text = JSON.stringify({ ...example, ...change })
    .replaceAll('"original"', `"${rule.ids.off}"`)
    .replaceAll('"short"', `"${rule.ids.on}"`)
  await sql`insert into snapshots (rule_id, as_of, document)
    values (${rule.id}, ${new Date(Date.now() + movedByMs)}, ${text}::json)`.execute(site.service.db)
}

const lift = /[+−]\d+\.\d\s%/
/** Verdicts that must be shown without figures. */
const withoutFigures = /^(This test has not|Waiting for|Do not use|Collecting|Opens|Ended without a verdict)/
const proven: [RegExp, string | undefined][] = [
  [/^(Worse than the baseline|\S+ \S+ is better|\S+ \S+ makes .+ worse)\.$/, 'Proven'],
  [/^Better, but check/, 'Check first'],
]
const inThisFlag = (words: string) => words.replaceAll('Original', 'Long form')

// Only tests have a page of this kind, so the rollout is left out.
const verdicts = Object.fromEntries(rows.filter(([about]) => about !== 'a rollout').map((row) => [row[0], row]))
/** `verdict.test.ts` has the words of all rows: these are one of each kind that the page shows in its own way. */
const always = [
  // Without figures.
  'unhealthy',
  // With figures, without a mark and with each mark.
  ...['early, and ahead', 'ship', 'a guardrail is open'],
]

it.each(rowsOf(verdicts, always))('journey 16: %s', async (_about, [, change, headline, ...lines]) => {
  await store(change)
  await openPage(page, `${base}/flags/checkout/results?env=production&rule=${rule.id}`)
  await verdict(headline)
  const main = page.getByRole('main')
  // Times depend on the clock, and the flag has no third variation.
  for (const line of lines.filter((each) => !/^Started|^Long form/.test(each)))
    await main.getByText(inThisFlag(line), { exact: true }).first().waitFor()
  if (withoutFigures.test(headline)) {
    expect(await main.getByText(lift).count(), 'lifts').toBe(0)
    expect(await main.getByRole('img').count(), 'intervals').toBe(0)
  }
  const mark = proven.find(([words]) => words.test(headline))?.[1]
  for (const each of ['Proven', 'Check first'])
    expect(await main.getByText(each, { exact: true }).count(), each).toBe(each === mark ? 1 : 0)
})

it('the page shows shares too wide for a drawing and means that few visitors decide, and says why', async () => {
  const wide = withComparison({
    status: 'lift_unbounded',
    significant: false,
    lift: { estimate: null, ciLow: null, ciHigh: null, method: 'FIELLER' },
    difference: { estimate: 0.2, standardError: 0.5, ciLow: -1.3, ciHigh: 1.7 },
  })
  const skewed = {
    ...example.metrics[1]!,
    variations: example.metrics[1]!.variations.map((each) => ({ ...each, unitsForSkewness: 40_321 })),
  }
  const lift = { estimate: 0.2, ciLow: -1.3, ciHigh: 1.7, method: 'FIELLER' as const }
  const beyond = { ...withComparison({ significant: false, lift }), metricId: 'beyond' }
  await store({ ...keepRunning, metrics: [wide, beyond, { ...skewed, role: 'GUARDRAIL' }] })
  await readAgain(page)
  await page.getByText('fewer than about 40,321 visitors in each variation').waitFor()
  await page.getByText('extends beyond the possible shares').waitFor()
  await page.getByText('−130.0 points to +170.0 points').waitFor()
  await page.getByRole('img', { name: 'From −100.0 % to +170.0 %: zero is inside' }).first().waitFor()
  await expectGoodPage(owner, 'results-skewed', ['light narrow'])
})

it('the page says who is not counted, and what few conversions mean', async () => {
  const units = { ...example.units, excluded: { crossover: 0, bot: 1, override: 0, paused: 2 } }
  await store({ ...keepRunning, metrics: [few(61, 9, 1400)], units })
  await readAgain(page)
  await page.getByText('Not counted: 1 bot, 2 visitors seen while the test did not run.').waitFor()
  expect(await page.getByText('1,400 visitors are still inside the 1-day window').count()).toBe(1)
  const sentence = page.getByText('Purchase, Short form: between −3.0 points and +12.4 points; p-value 0.213.')
  await page.getByText('How it is computed').click()
  await sentence.waitFor()
  await page.getByText('hold for one look, and decide nothing').waitFor()
  await store({
    ...{ ...keepRunning, metrics: [few(61, 9)], units },
    settings: { ...example.settings, test: 'FIXED_HORIZON' },
  })
  await page.reload()
  await page.getByText('How it is computed').click()
  await page.getByText('The test has a fixed length').waitFor()
  expect(await sentence.count()).toBe(0)
})

const failed = { health: failedSplit, ...advice('UNHEALTHY', ['HEALTH_FAILED']) }

it('the page shows figures of an unhealthy test only to people who ask for them', async () => {
  await store(failed)
  await readAgain(page)
  await page.getByText('Look for what loses visitors of one variation').waitFor()
  await expectGoodPage(owner, 'results-unhealthy')
  await page.getByRole('button', { name: 'Show anyway' }).press('Enter')
  await page.getByText(lift).first().waitFor()
})
