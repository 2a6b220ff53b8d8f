import type { Page, Route } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, keeps, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, settled } from './walk.ts'

const review = '/1-acme/1-web-shop/environments/production/publish'
const project = '/api/v1/projects/1'
const hostile = `<img src=x onerror=alert(1)> ${'long '.repeat(20)}`.trim()

const site = openSite()
let owner: Visitor
let page: Page
let rule: { id: string }

const rules = `${project}/flags/checkout/envs/production/rules`
const live = async () =>
  (await prepare(site.service.url, 'GET', `${project}/flags/checkout/envs/production`)).live.rules as {
    name: string
    trafficAllocation: number
  }[]
const addRule = (name: string, share: number, more = {}) =>
  prepare(site.service.url, 'POST', rules, {
    name,
    type: 'TARGETED_DELIVERY',
    variationKey: 'on',
    conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] },
    trafficAllocation: share,
    audienceIds: [],
    ...more,
  })
const change = (sentence: string) => page.getByRole('listitem').filter({ hasText: sentence })

beforeAll(async () => {
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn('One-page checkout', 'checkout'))
  // With this salt, u-17 is outside of the quarter.
  rule = await addRule('Benelux', 2500, { salt: 'benelux' })
  await prepare(site.service.url, 'POST', `${rules}/${rule.id}/run`)
  await prepare(site.service.url, 'POST', `${project}/flags/checkout/envs/production/run`)
  owner = await site.visit(ada)
  page = owner.page
})

it('the review says that there is nothing to publish', async () => {
  await openPage(page, review)
  await page.getByRole('heading', { name: 'Nothing to publish' }).waitFor()
})

it('the review shows changes as sentences with their authors', async () => {
  await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 5000 })
  await addRule(hostile, 10_000)
  await addRule('Everyone', 10_000)
  await page.reload()
  await change('Rule Benelux: share: 25 %').getByText('50 %', { exact: true }).waitFor()
  await change(`Rule ${hostile}: new rollout: country is NL or BE get on`).getByText('by Tests').waitFor()
  await page.getByText('Visitors get these changes with the next publish. 0 clients connected.').waitFor()
  expect(await page.getByText('Paused in Production').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Publish and run/ }).count()).toBe(0)
  await expectGoodPage(owner, 'publish')
})

it('the review previews who would get a different value', async () => {
  await page.getByRole('button', { name: 'Try 1,000 made-up visitors' }).click()
  await page.getByText(/^[\d,]+ of 1,000 visitors would get a different value\.$/).waitFor()
  await page.getByText('Try your own visitors').click()
  await page.getByLabel('Visitors').fill('{"targetingKey":"u-1","country":"NL"}\nnot json')
  await page.getByRole('button', { name: 'Try these visitors' }).click()
  await page.getByText('Line 2 is not JSON.').waitFor()
})

it('the review tries the saved visitors without being asked', async () => {
  await openPage(page, '/1-acme/1-web-shop/playground?env=production')
  await page.getByLabel('Visitor id').fill('u-17')
  await page.getByLabel('country').fill('NL')
  await page.getByRole('button', { name: 'Save visitor' }).click()
  await page.getByLabel('Saved visitors').waitFor()
  await openPage(page, review)
  await page.getByText('Your saved visitors: 1 of 1 would get a different value.').waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Flags', exact: true }).waitFor()
  await page.goBack()
})

it('the review takes back one of three changes and publishes the other two', async () => {
  await change('Rule Everyone').getByRole('button', { name: /^Undo/ }).click()
  await change('Rule Everyone').waitFor({ state: 'detached' })
  await page.getByLabel('Comment').fill('Half of the Benelux')
  await keeps(page, 'Half of the Benelux')
  await page.reload()
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('Half of the Benelux')
  await page.getByRole('button', { name: 'Publish 2 changes' }).click()
  await page.getByRole('heading', { name: 'Published to Production' }).waitFor()
  expect((await live()).map(({ name, trafficAllocation }) => [name, trafficAllocation])).toEqual([
    ['Benelux', 5000],
    [hostile, 10_000],
  ])
})

/** A change that is still arriving asks once more. */
async function publishWhatIsShown(): Promise<void> {
  const isLive = page.getByRole('heading', { name: 'Published to Production' })
  // While the answer is awaited, the button is disabled.
  const publish = page.getByRole('button', { name: /^Publish \d changes? to Production$/, disabled: false })
  await publish.or(isLive).waitFor()
  await expect
    .poll(async () => {
      if (await publish.isVisible()) await publish.click({ timeout: clickMs }).catch(() => undefined)
      return isLive.isVisible()
    })
    .toBe(true)
}
/** The button can go before it is clicked. */
const clickMs = 2_000

it('the review asks again if the list changed during the review, and marks what is new', async () => {
  await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 6000 })
  await page.reload()
  await change('Rule Benelux: share').waitFor()
  // The person is quicker than the news, with which the button would count more changes.
  await settled(page)
  const reads: Route[] = []
  await page.route('**/staged', (route) => void reads.push(route))
  await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { name: 'Low countries' })
  await addRule('Late', 10_000)
  await page.getByRole('button', { name: 'Publish 1 change to Production', exact: true }).click()
  await page.unroute('**/staged')
  // A read that the page has given up in the meantime cannot continue.
  await Promise.allSettled(reads.map((route) => route.continue()))
  await page.getByText('The list has changed since you opened it').waitFor()
  await change('Rule Late').getByText('Since you opened this').waitFor()
  expect((await live()).map(({ name }) => name)).toEqual(['Benelux', hostile])
  await publishWhatIsShown()
  expect((await live()).map(({ name }) => name)).toEqual(['Low countries', hostile, 'Late'])
})

inFull('flags/publishing/staged')('the review says that a change arrived while the list was read', async () => {
  await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 6500 })
  await page.reload()
  await change('Rule Low countries: share').waitFor()
  await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { name: 'Benelux' })
  await page.getByText('1 change arrived since you opened this').waitFor()
  await change('Low countries → Benelux').or(change('name: Low countries')).getByText('Since you opened this').waitFor()
  await page.getByRole('button', { name: 'Publish 2 changes to Production' }).click()
  await page.getByText('The list has changed since you opened it').waitFor()
  expect((await live())[0]).toMatchObject({ name: 'Low countries', trafficAllocation: 6000 })
  await expectGoodPage(owner, 'publish-changed', ['dark narrow'])
  await publishWhatIsShown()
  expect((await live())[0]).toMatchObject({ name: 'Benelux', trafficAllocation: 6500 })
})

inFull('flags/publishing/staged')(
  'the review marks a change that has another value than the person has read',
  async () => {
    await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 6600 })
    await page.reload()
    await change('Rule Benelux: share').getByText('66 %', { exact: true }).waitFor()
    await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 10_000 })
    await change('Rule Benelux: share').getByText('100 %', { exact: true }).waitFor()
    await change('Rule Benelux: share').getByText('Since you opened this').waitFor()
    await page.getByRole('button', { name: 'Publish 1 change to Production' }).click()
    await page.getByText('The list has changed since you opened it').waitFor()
    expect((await live())[0]).toMatchObject({ trafficAllocation: 6500 })
    await publishWhatIsShown()
    expect((await live())[0]).toMatchObject({ trafficAllocation: 10_000 })
  },
)

inFull('dashboard/results')('the review moves counted visitors only if the person agrees', async () => {
  const split = (on: number) => [
    { variationKey: 'on', weight: on },
    { variationKey: 'off', weight: 10_000 - on },
  ]
  const { id } = await prepare(site.service.url, 'POST', rules, {
    name: 'Price test',
    type: 'AB_TEST',
    variations: split(5000),
    baselineVariationKey: 'off',
    conditions: { all: [{ attribute: 'plan', operator: 'in', value: ['pro'] }] },
    trafficAllocation: 10_000,
    audienceIds: [],
    position: 0,
  })
  await prepare(site.service.url, 'POST', `${rules}/${id}/run`)
  await prepare(site.service.url, 'POST', `${project}/environments/production/publish`)
  await prepare(site.service.url, 'PATCH', `${rules}/${id}`, { variations: split(8000), confirmReassignment: true })
  await page.reload()
  const agree = page.getByLabel('Move them')
  await page.getByRole('button', { name: 'Publish 1 change to Production' }).click()
  await page.getByText('Tick this to publish, or undo the new weights.').waitFor()
  await hasFocus(agree)
  await page.getByLabel('Publish One-page checkout').uncheck()
  await agree.waitFor({ state: 'detached' })
  await page.getByLabel('Publish One-page checkout').check()
  await agree.check()
  await page.getByRole('button', { name: 'Publish 1 change to Production' }).click()
  await page.getByRole('heading', { name: 'Published to Production' }).waitFor()

  await openPage(page, `/1-acme/1-web-shop/flags/checkout?env=production&rule=${id}`)
  const editor = page.getByRole('dialog', { name: 'Edit A/B test: Price test' })
  await page.getByText('A/B test, day 1').waitFor()
  await editor.getByRole('button', { name: 'Even' }).click()
  await editor.getByText('Visitors who were counted get another variation. You confirm it').waitFor()
  await expectGoodPage(owner, 'flag moved visitors')
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await openPage(page, review)
})

it('the review says that no visitor gets the change of a paused flag, and runs the flag with the publish', async () => {
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn('Express pay', 'express'))
  const express = `${project}/flags/express/envs/production`
  const added = { name: 'All', type: 'TARGETED_DELIVERY', variationKey: 'on', conditions: { all: [] }, audienceIds: [] }
  await prepare(site.service.url, 'POST', `${express}/rules`, { ...added, trafficAllocation: 10_000 })
  await page.reload()
  await page.getByText('Paused in Production: nobody gets it until you run it.').waitFor()
  await change('Rule All: new rollout: everyone gets on').waitFor()
  await page.getByText('Express pay is paused in Production, so visitors get its changes only after').waitFor()
  await expectGoodPage(owner, 'publish-paused')
  await page.getByLabel('Comment').fill('Get ready')
  await page.getByRole('button', { name: 'Publish 1 change to Production' }).click()
  await page.getByRole('heading', { name: 'Published to Production' }).waitFor()
  await page.getByText('Published to Production. Visitors of Production get the same as before').waitFor()

  await openPage(page, '/1-acme/1-web-shop/flags/express/history?env=production')
  const newest = page.getByRole('row').nth(1)
  await newest.getByText('Published Express pay').waitFor()
  for (const text of ['Get ready', 'Ada', 'Visitors get the same as before']) await newest.getByText(text).waitFor()
  await expectGoodPage(owner, 'history-quiet')
  await newest.getByRole('link', { name: /^Revision \d+\.1$/ }).click()
  await page.getByText('No change for visitors').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Rule All: new rollout: everyone gets on' }).waitFor()
  await page.getByRole('button', { name: 'Restore Express pay…' }).waitFor()
  await expectGoodPage(owner, 'revision-quiet')

  await prepare(site.service.url, 'PATCH', express, { defaultVariationId: await variationOf('express', 'on') })
  await openPage(page, review)
  await page.getByRole('button', { name: 'Publish and run' }).click()
  await page.getByText('Published to Production. Express pay runs in Production now, with the changes.').waitFor()
  expect(await page.getByRole('main').getByText('get the same as before').count()).toBe(0)
  expect(await prepare(site.service.url, 'GET', express)).toMatchObject({ enabled: true, changes: [] })
})

const variationOf = async (flag: string, key: string): Promise<string> => {
  const { variations } = await prepare(site.service.url, 'GET', `${project}/flags/${flag}`)
  return variations.find((variation: { key: string }) => variation.key === key).id
}

if (isFull)
  it('the review is open to people who cannot publish, and says who can', async () => {
    await prepare(site.service.url, 'PATCH', `${rules}/${rule.id}`, { trafficAllocation: 7000 })
    const viewer = await site.visit(grace, review)
    await viewer.page.getByText('You can review changes, but not publish.').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Publish|Undo)/ }).count()).toBe(0)
    await viewer.context.close()
  })
