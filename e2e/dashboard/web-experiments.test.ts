import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { createClient } from '../../packages/sdk/src/index.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, pageWithoutPointer, tabTo, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const site = openSite()
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = await pageWithoutPointer(owner)
})

const send = (path: string) => prepare(site.service.url, 'GET', path)

it('a web experiment is created and launched by keyboard, and counts visitors of a server', async () => {
  await page.goto('/1-acme')
  await tabTo(page.getByRole('button', { name: 'Create project' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create a project' })
  await tabTo(dialog.getByLabel('Name'))
  await page.keyboard.type('Website')
  await tabTo(dialog.getByLabel('Feature flags'))
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => dialog.getByLabel('With an example flag').count()).toBe(0)
  await expectGoodPage({ ...owner, page }, 'create-web-project', ['light narrow'])
  await tabTo(dialog.getByRole('button', { name: 'Create project' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Add the tag to your site', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Flags', exact: true }).count()).toBe(0)
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { name: 'No experiments yet' }).waitFor()
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Add the tag to your pages' }).waitFor()

  await page.getByRole('button', { name: 'Create experiment' }).first().waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create an experiment' })
  await tabTo(panel.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Price in the headline')
  await tabTo(panel.getByLabel('Hypothesis'))
  await page.keyboard.type('A price lifts sign-ups')
  await tabTo(panel.getByLabel('Address of the page'))
  await page.keyboard.type('https://shop.example/pricing')
  await page.keyboard.press('Control+Enter')
  await panel.getByText('Choose where visitors take part.').waitFor()
  await tabTo(panel.getByLabel('/pricing, on every host'))
  await page.keyboard.press('Space')
  await expectGoodPage({ ...owner, page }, 'new-web-experiment', ['light narrow'])
  await tabTo(panel.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  await hasFocus(panel.getByRole('heading', { name: 'Variations', level: 3 }))
  await tabTo(panel.getByLabel('Variation 1', { exact: true }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('With price')
  await panel.getByLabel('Address for With price').waitFor()
  await expectGoodPage({ ...owner, page }, 'new-web-experiment-variations', ['light narrow'])
  await tabTo(panel.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  await hasFocus(panel.getByRole('heading', { name: 'Goals', level: 3 }))
  expect(new URL(page.url()).searchParams.get('panel')).toBe('create:goals')
  await tabTo(panel.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  await hasFocus(panel.getByRole('heading', { name: 'Size', level: 3 }))
  await tabTo(panel.getByRole('button', { name: 'Create draft' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Price in the headline', level: 1 }).waitFor()
  await page.getByRole('list', { name: 'Variations' }).getByRole('link', { name: 'With price', exact: true }).waitFor()
  await page.getByText('A price lifts sign-ups').waitFor()

  const checks = page.getByRole('list', { name: 'Before the launch' })
  await checks.getByText('No variation of x1 changes anything', { exact: false }).waitFor()
  const project = (await send('/api/v1/projects')).find(({ name }: { name: string }) => name === 'Website')
  const path = `/api/v1/projects/${project.id}`
  const css = { changes: [], css: '/* The server shows the price. */' }
  await prepare(site.service.url, 'PUT', `${path}/experiments/1/variations/variation-1/changes`, css)
  await checks.getByText('1 variation changes something.').waitFor()
  await tabTo(page.getByRole('button', { name: 'Launch…' }))
  await page.keyboard.press('Enter')
  const launch = page.getByRole('dialog', { name: /^Launch Price in the headline/ })
  await tabTo(launch.getByRole('button', { name: 'Launch', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByText('Running', { exact: true }).first().waitFor()
  await page.getByText(/^Visitors are counted when their page loads the script/).waitFor()
  await page.getByRole('link', { name: 'Get the tag of your pages' }).waitFor()
  await expectGoodPage({ ...owner, page }, 'web-experiment')

  const [{ sdkKey }] = await send(`${path}/environments`)
  const client = createClient({ sdkKey, baseUrl: site.service.url })
  await client.waitUntilReady({ timeoutMs: 60_000 })
  const values = new Set(
    Array.from({ length: 40 }, (_none, nth) => client.getString('x1', 'none', { targetingKey: `u-${nth}` })),
  )
  await client.close()
  expect([...values].sort()).toEqual(['original', 'variation-1'])
  await prepare(site.service.url, 'POST', `${path}/experiments/1/results/refresh`)
  const results = await send(`${path}/experiments/1/results`)
  expect(results.units.total).toBe(40)
  await openPage(page, `/1-acme/${project.shortId}-website/experiments`)
  await page.getByRole('link', { name: 'Price in the headline' }).waitFor()
  await page.getByText('x1 in Production').waitFor()

  await prepare(site.service.url, 'PATCH', `${path}/experiments/1`, { trafficAllocation: 5000, sticky: true })
  await tabTo(page.getByRole('link', { name: 'Price in the headline' }))
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Not published yet' }).getByText('Who takes part:').first().waitFor()
  await openPage(page, `/1-acme/${project.shortId}-website/environments/production/publish`)
  const changes = page.getByRole('region', { name: 'Experiment Price in the headline' })
  await changes.getByText('Who takes part:').first().waitFor()
  await expectGoodPage({ ...owner, page }, 'publish-web-experiment', ['light narrow'])
  await tabTo(changes.getByRole('button', { name: /^Undo: Sticky: no → yes/ }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Publish 1 change to Production' }))
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Go to experiments' }).waitFor()
  await openPage(page, `/1-acme/${project.shortId}-website/playground?env=production&flag=x1`)
  await page.locator('summary').filter({ hasText: 'Price in the headline' }).filter({ hasText: 'x1' }).waitFor()
  await tabTo(page.getByRole('link', { name: 'Open experiment Price in the headline' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Price in the headline', level: 1 }).waitFor()
  await openPage(page, `/1-acme/${project.shortId}-website/environments/production/history/2`)
  await page.getByRole('heading', { name: 'Revision 2 of Production' }).waitFor()
  await page.getByRole('region', { name: 'Experiment Price in the headline' }).getByText('50 %').waitFor()
})

inFull('experiments/new-web-form')(
  'the steps of a new experiment take the address of a redirect, and say what is wrong with it',
  async () => {
    const { page } = owner
    const project = (await send('/api/v1/projects')).find(({ name }: { name: string }) => name === 'Website')
    await openPage(page, `/1-acme/${project.shortId}-website/experiments?panel=create`)
    const panel = page.getByRole('dialog', { name: 'Create an experiment' })
    const next = () => panel.getByRole('button', { name: 'Next' }).click()
    await panel.getByLabel('Name', { exact: true }).fill('A page of its own')
    await panel.getByLabel('Address of the page').fill('https://shop.example/plans')
    await panel.getByLabel('/plans, on every host').check()
    await next()
    const redirect = panel.getByLabel('Address for variation 1')
    await redirect.fill('shop.example/plans-b')
    await next()
    await redirect.and(panel.locator('[aria-invalid=true]')).waitFor()
    await redirect.fill('https://shop.example/plans-b')
    for (let step = 0; step < 2; step += 1) await next()
    await panel.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText('A page of its own created as a draft.').waitFor()
    const path = `/api/v1/projects/${project.id}/experiments`
    const made = (await send(path)).find(({ name }: { name: string }) => name === 'A page of its own')
    const goes = { url: 'https://shop.example/plans-b', keepQuery: true }
    expect(made.variations.map((each: { redirect: object | null }) => each.redirect)).toEqual([null, goes])
  },
)

it('a metric of a web project has a trigger, which its page says in a sentence', async () => {
  const { page } = owner
  const project = (await send('/api/v1/projects')).find(({ name }: { name: string }) => name === 'Website')
  await openPage(page, `/1-acme/${project.shortId}-website/metrics`)
  await page.getByRole('heading', { name: 'No metrics yet' }).waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create a metric' })
  await panel.getByLabel('Name').fill('Clicks')
  await panel.getByLabel('Event', { exact: true }).fill('offer_clicked')
  await panel.getByLabel('Trigger').selectOption('A click on an element')
  await panel.getByRole('button', { name: 'Create metric' }).click()
  await panel.getByText('Enter the selector of the elements.').first().waitFor()
  await panel.getByLabel('Selector').fill('a::before')
  await panel.getByRole('button', { name: 'Create metric' }).click()
  await panel
    .getByText(/Must be a CSS selector/)
    .first()
    .waitFor()
  await panel.getByLabel('Selector').fill('a.cta')
  await expectGoodPage(owner, 'metric-trigger', ['light narrow'])
  await panel.getByRole('button', { name: 'Create metric' }).click()
  await page.getByText('The script sends offer_clicked when a visitor clicks a.cta.').waitFor()
  expect(await send(`/api/v1/projects/${project.id}/metrics/clicks`)).toMatchObject({
    trigger: { on: 'CLICK', selector: 'a.cta', conditions: null },
  })
})
