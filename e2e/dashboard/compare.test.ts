import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, noteClicks, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const project = '/1-acme/1-web-shop'
const site = openSite()
let owner: Visitor
let page: Page

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `/api/v1/projects/1${path}`, body)
const draftIn = async (environment: string) => (await call('GET', `/flags/pricing/envs/${environment}`)).draft
const rollout = (name: string, more = {}) => ({ type: 'TARGETED_DELIVERY', name, variationKey: 'on', ...more })
const difference = (name: string) => page.getByRole('region', { name, exact: true })

beforeAll(async () => {
  await call('POST', '/flags', offOn('Pricing <b>2</b>', 'pricing'))
  const rules = (environment: string) => `/flags/pricing/envs/${environment}/rules`
  await call('POST', rules('production'), rollout('Beta users', { trafficAllocation: 2500 }))
  await call('POST', rules('production'), rollout('Staff', { enabled: false }))
  await call('POST', rules('development'), rollout('Beta users'))
  await call('PUT', '/flags/pricing/envs/production/overrides', {
    environmentAllowlist: [{ variationKey: 'on', userIds: ['u-<i>17</i>'] }],
    ruleAllowlists: [],
  })
  owner = await site.visit(ada)
  page = owner.page
})

it('the comparison shows two environments side by side, named in the address', async () => {
  await page.goto(`${project}/flags/pricing?env=production`)
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.waitForURL('**/flags/pricing/compare?env=production&with=development')
  await difference('Rule Beta users').getByText('Share: 25 %').waitFor()
  await difference('Rule Beta users').getByText('Share: 100 %').waitFor()
  await difference('Rule Staff').getByText('No such rule').waitFor()
  await difference('Individual visitors').getByText('u-<i>17</i> gets on').waitFor()
  await expectGoodPage(owner, 'compare')
})

inFull('dashboard/compare')('the comparison copies a value, with Undo, and says when visitors get it', async () => {
  await difference('Individual visitors')
    .getByRole('button', { name: /^Copy to Development/ })
    .click()
  await page.getByText('Visitors get this with the next publish to Development.').first().waitFor()
  await expect.poll(() => difference('Individual visitors').count()).toBe(0)
  expect((await draftIn('development')).overrides.environmentAllowlist).toMatchObject([{ userIds: ['u-<i>17</i>'] }])
  expect(await page.getByRole('link', { name: 'Review and publish' }).getAttribute('href')).toMatch(
    /environments\/development\/publish\?flags=pricing$/,
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await difference('Individual visitors').waitFor()
  expect((await draftIn('development')).overrides.environmentAllowlist).toEqual([])
})

it('the comparison copies one rule, and all rules with their switches', async () => {
  await difference('Rule Beta users')
    .getByRole('button', { name: /^Copy to Development/ })
    .click()
  await page.getByText('Visitors get this with the next publish to Development.').first().waitFor()
  await expect.poll(() => difference('Rule Beta users').count()).toBe(0)
  await page.getByRole('button', { name: 'Copy all rules to Development' }).click()
  await page.getByText('2 rules are the same in both.').waitFor()
  const rules = await call('GET', '/flags/pricing/envs/development/rules')
  expect(rules).toMatchObject([
    { name: 'Beta users', trafficAllocation: 2500, enabled: true },
    { name: 'Staff', enabled: false },
  ])
})

it('the comparison does not overwrite what another person has saved meanwhile', async () => {
  const [{ id }] = await call('GET', '/flags/pricing/envs/development/rules')
  // The other person saves between the click and the copy.
  const save = async () => call('PATCH', `/flags/pricing/envs/development/rules/${id}`, { trafficAllocation: 700 })
  let saving: ReturnType<typeof save> | undefined
  const wasClicked = await noteClicks(page)
  await page.route(/\/envs\/[^/]+$/, async (route) => {
    if (await wasClicked()) saving ??= save()
    await saving
    await route.continue()
  })
  await difference('Individual visitors')
    .getByRole('button', { name: /^Copy to Development/ })
    .click()
  await page.getByText('Another person has changed this meanwhile').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await difference('Rule Beta users').getByText('Share: 7 %').waitFor()
  expect((await draftIn('development')).overrides.environmentAllowlist).toEqual([])
  expect((await draftIn('development')).rules[0].trafficAllocation).toBe(700)
})

inFull('dashboard/compare')(
  'the comparison lists the flags that are live in different ways, from the environments',
  async () => {
    await call('POST', '/flags/pricing/envs/production/run')
    await page.getByRole('link', { name: 'Environments' }).click()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('row', { name: /Pricing .*Switch.*( for | on |rules).*Paused/ }).waitFor()
    await page.getByRole('link', { name: 'Pricing <b>2</b>' }).click()
    await difference('Switch').getByText('Running').waitFor()
  },
)

it('the comparison copies several flags at once to the drafts of the other environment, with Undo', async () => {
  await call('POST', '/flags/pricing/envs/production/run')
  await call('POST', '/flags', offOn('Delivery', 'delivery'))
  await call('POST', '/flags/delivery/envs/production/rules', rollout('Express', { trafficAllocation: 1000 }))
  await call('POST', '/flags/delivery/envs/production/run')
  await call('POST', '/environments/production/publish')
  const express = async () => (await call('GET', '/flags/delivery/envs/development')).draft.rules
  await page.getByRole('link', { name: 'Environments' }).click()
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.waitForURL('**/compare?env=production&with=development')
  await page.getByRole('row', { name: /Pricing .*Switch.*( for | on |rules).*Paused/ }).waitFor()
  await page.getByRole('row', { name: /Delivery/ }).waitFor()
  await expectGoodPage(owner, 'compare environments')
  await page.getByRole('checkbox', { name: 'Choose Delivery' }).check()
  await page.getByRole('button', { name: 'Copy 1 flag to Development' }).waitFor()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Copy 2 flags to Development' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy 2 flags from Production to Development' })
  await expectGoodPage(owner, 'compare copy of flags')
  await dialog.getByRole('button', { name: 'Copy 2 flags' }).click()
  await expect.poll(express).toMatchObject([{ name: 'Express', trafficAllocation: 1000 }])
  // Messages of the tests before may still be there.
  const message = page.locator('[id^=announcement-]').filter({ hasText: 'copied to Development. Visitors' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(express).toEqual([])
  // The next comparison begins with the environment that was chosen last.
  await openPage(page, `${project}/compare?env=production`)
  await page.waitForURL('**/compare?env=production&with=development')
})

if (isFull)
  it('the comparison lets viewers look', async () => {
    const viewer = await site.visit(grace, `${project}/flags/pricing/compare?env=development&with=production`)
    await viewer.page.getByText('You can compare environments.').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^Copy .*to / }).count()).toBe(0)
  })
