import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { shopDimension, shopResults } from '../../packages/dashboard/src/wings/measuring/results/shop-case.ts'
import { advice, few, nobody } from '../../packages/dashboard/src/wings/measuring/results/verdict-cases.ts'
import { prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import { openSite } from '../dashboard/site.ts'
import { acme, shop } from './shop.ts'

/** Results as a shop has them: three variations, guardrails, revenue, a breach. */
const folder = process.env.SVC_SCREENSHOTS ?? join(import.meta.dirname, '../../screenshots')
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
const site = openSite(acme)
let page: Page

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `/api/v1/projects/1${path}`, body)

const variations = [
  { name: 'Original', key: 'original', value: 'a' },
  { name: 'Short form', key: 'short', value: 'b' },
  { name: 'One page for all', key: 'long', value: 'c' },
]

/** An experiment that runs, with these results. */
async function fill(key: string, name: string, change: object): Promise<void> {
  const flag = await call('POST', '/flags', { name, key, type: 'STRING', variations, defaultVariationKey: 'original' })
  const split = { variations: variations.map(({ key }, at) => ({ key, weight: at === 0 ? 3334 : 3333 })) }
  const experiment = await call('POST', '/experiments', {
    ...{ ...split, name, flagId: flag.id, baselineVariationKey: 'original' },
    hypothesis: 'If the checkout has fewer fields, then more visitors pay, because they make fewer mistakes',
    metrics: { primary: ['order_paid'] },
    tags: ['checkout'],
  })
  await call('POST', `/flags/${key}/envs/production/run`)
  await call('POST', `/experiments/${experiment.shortId}/launch`)
  const ids = Object.fromEntries(flag.variations.map((each: { key: string; id: string }) => [each.key, each.id]))
  const withIds = (given: object) =>
    JSON.stringify(given).replaceAll(/"(original|short|long)"/g, (_, variation) => `"${ids[variation]}"`)
  const stored = await call('GET', `/experiments/${experiment.shortId}`)
  const asOf = new Date()
  await sql`insert into snapshots (rule_id, as_of, document)
    values (${stored.ruleId}, ${asOf}, ${withIds({ ...shopResults, timeseries: undefined, dimensions: ['country', 'browser'], ...change })}::json)`.execute(
    site.service.db,
  )
  if ('timeseries' in change) return
  for (const { asOf: day, metrics } of shopResults.timeseries ?? [])
    await sql`insert into snapshots (rule_id, as_of, day, document)
      values (${stored.ruleId}, ${new Date(day)}, ${day.slice(0, 10)}::date, ${withIds({ ...shopResults, timeseries: undefined, dataThrough: day, metrics })}::json)`.execute(
      site.service.db,
    )
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await call('POST', '/metrics', {
    ...{ type: 'PROPORTION', conversionWindowHours: 24 },
    ...{ name: 'Order paid', key: 'order_paid', eventKey: 'order_paid' },
  })
  await Promise.all([site.service.snapshots.stop(), site.service.watching.stop()])
  await fill('checkout', 'Fewer fields in the checkout', {})
  const [paid] = shopResults.metrics
  const two = (metric: (typeof shopResults.metrics)[number]) => ({
    ...metric,
    variations: metric.variations.slice(0, 2),
  })
  await fill('ship', 'Short form', {
    ...advice('SHIP', ['PRIMARY_BETTER'], 'short'),
    metrics: [two(paid!), ...shopResults.metrics.slice(3, 4).map(two)],
    units: { ...shopResults.units, variations: shopResults.units.variations.slice(0, 2) },
    timeseries: undefined,
  })
  await fill('few', 'New prices', {
    ...advice('KEEP_RUNNING', ['NOT_ENOUGH_DATA']),
    metrics: [{ ...few(61, 9, 40), variations: few(61, 9, 40).variations }],
    timeseries: undefined,
  })
  await fill('nobody', 'Gift wrap', {
    ...advice('KEEP_RUNNING', ['NO_EXPOSURES']),
    ...{ units: nobody, metrics: [], timeseries: undefined },
  })
  await fill('unclear', 'Trust marks', {
    ...advice('KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED']),
    metrics: [shopResults.metrics[6]],
    timeseries: undefined,
  })
  page = (await site.visit(ada)).page
  await page.route('**/results?dimension=*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const [one, two, three] = body.data.units.variations.map(({ variationId }: { variationId: string }) => variationId)
    const named: Record<string, string> = { original: one, short: two, long: three }
    const text = JSON.stringify({ data: { ...body.data, dimension: shopDimension } })
    await route.fulfill({
      response: answer,
      body: text.replaceAll(/"(original|short|long)"/g, (_, id) => `"${named[id]}"`),
    })
  })
})

const pages = {
  list: '/experiments',
  breached: '/experiments/1',
  statistics: '/experiments/1?view=statistics&by=country',
  ship: '/experiments/2',
  few: '/experiments/3',
  nobody: '/experiments/4',
  unclear: '/experiments/5',
  example: '/experiments/example',
  'flag-results': '/flags/checkout/results?env=production',
}

/** How a page can be shown. */
const looks = {
  dark: { colorScheme: 'dark' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
  light: { colorScheme: 'light', forcedColors: null },
  print: { media: 'print' },
} as const

const isDone = async () =>
  (await page.getByRole('status').filter({ hasText: 'Loading' }).count()) === 0 &&
  (await page.evaluate(() =>
    performance.getEntriesByType('resource').every(({ startTime }) => startTime < performance.now() - 400),
  ))

it.each(Object.entries(pages))('takes the results %s', async (name, path) => {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    await page.goto(`${shop}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => isDone(), { interval: 100, timeout: 30_000 }).toBe(true)
    const file = (part: string) => join(folder, `${name}-${part}-${size}.png`)
    await page.screenshot({ path: file('first'), animations: 'disabled' })
    const table = page.getByRole('table', { name: 'All metrics' })
    if ((await table.count()) > 0) await table.screenshot({ path: file('table'), animations: 'disabled' })
    await page.evaluate(() => scrollTo(0, 0))
    for (const [part, media] of Object.entries(looks)) {
      if (size === 'narrow' && part === 'print') continue
      await page.emulateMedia(media)
      await page.screenshot({ path: file(part), animations: 'disabled', fullPage: true })
    }
    await page.emulateMedia({ media: null, forcedColors: null })
  }
})
