import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const base = '/1-acme/1-web-shop'
const project = '/api/v1/projects/1'
const script = '<script>alert(1)</script>'

const site = openSite()
let owner: Visitor
let page: Page

const send = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  prepare(site.service.url, method, `${project}/${path}`, body)

const rules = 'flags/checkout/envs/production/rules'
const abTest = (name: string) => ({
  name,
  type: 'AB_TEST',
  audienceIds: [],
  baselineVariationKey: 'off',
  variations: ['off', 'on'].map((variationKey) => ({ variationKey, weight: 5000 })),
})

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

it('a person creates the first metric by keyboard, as a sentence', async () => {
  await openPage(page, `${base}/flags`)
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'No metrics yet' }).waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create a metric' })
  await panel.getByLabel('Name').fill('Paid orders')
  await expect.poll(() => panel.getByLabel('Key', { exact: true }).inputValue()).toBe('paid_orders')
  await panel.getByRole('button', { name: 'Create metric' }).press('Enter')
  await hasFocus(panel.getByLabel('Event', { exact: true }))
  await page.keyboard.type('order_paid')
  await panel.getByText('Share of visitors with order_paid within 7 days.').waitFor()
  await panel.getByText('Unit, cap and margin').click()
  await panel.getByLabel('Margin').fill('2')
  await expectGoodPage(owner, 'metric-create', ['light narrow'])
  await panel.getByLabel('Margin').press('Enter')
  await page.getByRole('heading', { name: 'Paid orders', level: 1 }).waitFor()
  expect(await send('GET', 'metrics/paid_orders')).toMatchObject({
    type: 'PROPORTION',
    eventKey: 'order_paid',
    conversionWindowHours: 168,
    nonInferiorityMargin: 0.02,
  })
})

it('the form merges an edit with that of another person', async () => {
  await page.getByRole('button', { name: 'Edit metric' }).click()
  // Its title follows the name, which the other person changes.
  const panel = page.getByRole('dialog', { name: /^Edit (Paid orders$|Orders )/ })
  await panel.getByLabel('Measure').selectOption('Number of events per visitor')
  await send('PATCH', 'metrics/paid_orders', { name: `Orders ${script}` })
  await panel.getByRole('button', { name: 'Save metric' }).click()
  const dialog = page.getByRole('dialog', { name: 'has changed this meanwhile' })
  await dialog.getByText('Your other changes are kept.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The panel shows the sentence too, before anything is saved.
  const saved = { name: `Orders ${script}`, type: 'MEAN' }
  await expect.poll(() => send('GET', 'metrics/paid_orders')).toMatchObject(saved)
  await page.getByText('Number of order_paid per visitor within 7 days.').waitFor()
})

it('a metric is chosen in an A/B test, and cannot be redefined once the test has started', async () => {
  await send('POST', 'metrics', { key: 'js_error', name: 'Script errors', type: 'MEAN', eventKey: 'js_error' })
  await send('POST', 'flags', offOn('Checkout', 'checkout'))
  await send('POST', rules, abTest('Shorter form'))
  await openPage(page, `${base}/flags/checkout`)
  await page.getByRole('button', { name: 'Edit Shorter form' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit A/B test: Shorter form' })
  const add = editor.getByLabel('Add a metric')
  await add.selectOption('paid_orders')
  await add.selectOption('js_error')
  await editor.getByLabel('Role of Script errors').selectOption('Guardrail')
  await expect.poll(() => add.count()).toBe(0)
  await expectGoodPage(owner, 'rule-metrics', ['light narrow'])
  await editor.getByRole('button', { name: 'Save draft' }).click()
  await expect.poll(() => editor.count()).toBe(0)
  expect((await send('GET', rules))[0].metrics).toEqual({
    primary: ['paid_orders'],
    secondary: [],
    guardrails: ['js_error'],
  })

  await send('POST', 'flags/checkout/envs/production/run')
  await openPage(page, `${base}/metrics/paid_orders`)
  await page.getByText('A test with it has started').waitFor()
  await page.getByRole('link', { name: 'Checkout' }).waitFor()
  await page.getByText('No order_paid has arrived here in 30 days').waitFor()
  const { sdkKey } = (await send('GET', 'environments')).find(({ key }: { key: string }) => key === 'production')
  const events = [1, 2].map((number) => ({
    ...{ type: 'track', id: `paid-${number}`, ts: Date.now(), unit: `u-${number}`, eventKey: 'order_paid' },
  }))
  await fetch(`${site.service.url}/api/sdk/v1/events`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ sdkKey, events }),
  })
  // It is written after seconds, and the page asks again by itself after ten.
  const arrived = page.getByText('2 events in 30 days, all on')
  const isThere = async () => {
    if (!isFull) await readAgain(page)
    return arrived.count()
  }
  await expect.poll(isThere).toBe(1)
  await page.getByText('Show as table').click()
  await page.getByRole('table', { name: 'order_paid by day' }).getByRole('row').nth(30).waitFor()
  await page.getByText(`client.track("order_paid", { context: { targetingKey: 'u-17' } })`).waitFor()
  await page.getByText('No experiment has this metric yet.').waitFor()
  await expectGoodPage(owner, 'metric')
  await page.keyboard.press('e')
  const panel = page.getByRole('dialog', { name: `Edit Orders ${script}` })
  await panel.getByText('You can rename it.').waitFor()
  expect(await panel.getByLabel('Measure').count()).toBe(0)
  await panel.getByLabel('Name').fill(`Paid ${script}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Paid ${script}`, level: 1 }).waitFor()
  // A flag, an audience and a metric can have one name.
  await expect.poll(() => page.title()).toMatch(/^Metric · Paid .+ · Svc$/)
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the metric' })
  await dialog.getByText('Still used in 1 place').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
})

it('a metric is archived, brought back by Undo, and found in the list', async () => {
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('This metric is archived').waitFor()
  const message = page.getByRole('alert').filter({ hasText: 'archived.' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Archive' }).waitFor()
  await send('POST', 'metrics', {
    key: 'revenue_per_order',
    name: 'إيرادات لكل طلب',
    type: 'RATIO',
    eventKey: 'order_paid',
    valueFrom: 'value',
    denominator: { eventKey: 'order_paid' },
    unit: 'EUR',
  })
  await send('PATCH', 'metrics/js_error', { archived: true })
  await page.getByRole('link', { name: 'Metrics' }).first().click()
  await page.getByRole('link', { name: 'Script errors' }).waitFor()
  await expectGoodPage(owner, 'metrics')
  await page.keyboard.press('/')
  await page.keyboard.type('js_er')
  await page.getByText('1 of 3 metrics').waitFor()
  await page.keyboard.press('ArrowDown')
  await hasFocus(page.getByRole('link', { name: 'Script errors' }))
})

if (isFull)
  it('the page shows a viewer the metrics and says who can change them', async () => {
    const viewer = await site.visit(grace, `${base}/metrics/paid_orders`)
    await viewer.page.getByText('You can look at this metric.').waitFor()
    await viewer.page.getByRole('link', { name: 'Metrics' }).first().click()
    await viewer.page.getByText('You can look at metrics.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Create metric' }).count()).toBe(0)
  })

it('the dashboard keeps tests apart: a group with its slots, a holdout, and a test that names both', async () => {
  await openPage(page, `${base}/exclusion-groups`)
  await page.getByRole('button', { name: 'Create exclusion group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Checkout ${script}`)
  await dialog.getByRole('button', { name: 'Create exclusion group' }).click()
  await page.getByText('No test has a slot.').waitFor()
  await page.getByRole('link', { name: 'Holdouts' }).click()
  await page.getByRole('button', { name: 'Create holdout' }).click()
  await dialog.getByLabel('Name').fill('Of the year')
  await dialog.getByRole('button', { name: 'Create holdout' }).click()
  await page.getByText('5 % of visitors').waitFor()
  await page.getByRole('button', { name: 'Edit Of the year' }).click()
  await dialog.getByLabel('Visitors who stay out', { exact: true }).fill('4')
  const [holdout] = await send('GET', 'holdouts')
  await send('PATCH', `holdouts/${holdout.id}`, { name: 'Of this year' })
  await dialog.getByRole('button', { name: 'Save holdout' }).click()
  const overtaken = page.getByRole('dialog', { name: 'has changed this meanwhile' })
  await overtaken.getByText('Your other changes are kept.').waitFor()
  await overtaken.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'Of this year' }).getByText('4 % of visitors').waitFor()
  await send('POST', rules, abTest('Kept apart'))
  await openPage(page, `${base}/flags/checkout`)
  await page.getByRole('button', { name: 'Edit Kept apart' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit A/B test: Kept apart' })
  await editor.getByText('Exclusion group, holdout, sticky variations').click()
  await editor.getByLabel('Exclusion group').selectOption(`Checkout ${script} (25 % each)`)
  await editor.getByLabel('Holdout').selectOption('Of this year (4 %)')
  await editor.getByRole('button', { name: 'Save draft' }).click()
  await expect.poll(() => editor.count()).toBe(0)
  await openPage(page, `${base}/exclusion-groups`)
  await page
    .getByRole('list', { name: 'Slots in Production' })
    .getByText('Checkout: Kept apart', { exact: true })
    .waitFor()
  await expectGoodPage(owner, 'exclusion-groups')
  await page.getByRole('link', { name: 'Holdouts' }).click()
  await page.getByText('1 rule of 1 flag').waitFor()
  await expectGoodPage(owner, 'holdouts')
})

inFull('dashboard/audiences')('the page deletes a holdout that no test uses, and says what uses one', async () => {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete Of this year…' }).click()
  await dialog.getByText('Still used in 1 place').waitFor()
  await dialog.getByRole('link', { name: 'Checkout' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await send('POST', 'holdouts', { name: 'Unused', key: 'unused', share: 100 })
  await page.reload()
  await page.getByRole('button', { name: 'Delete Unused…' }).click()
  await dialog.getByText('The holdout is gone for good.').waitFor()
  await dialog.getByRole('textbox').fill('Unused')
  await expectGoodPage(owner, 'holdout-delete', ['light narrow'])
  await page.keyboard.press('Enter')
  await page.getByText('Unused deleted.').waitFor()
  await expect.poll(() => page.getByRole('row', { name: 'Unused' }).count()).toBe(0)
  await page.getByRole('row', { name: 'Of this year' }).waitFor()
  expect((await send('GET', 'holdouts')).map(({ name }: { name: string }) => name)).toEqual(['Of this year'])
})
