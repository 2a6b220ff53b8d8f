import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const project = '/api/v1/projects/1'
const pages = '/1-acme/1-web-shop'
const hostile = `<script>alert(1)</script> מבחן ${'long '.repeat(20)}`.trim()
const comment = `\u202eHalf of the Benelux <img src=x onerror=alert(1)> ${'word '.repeat(60)}`.trim()

const site = openSite()
let owner: Visitor
let rule: { id: string }

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${project}${path}`, body)
const publish = (body?: object) => call('POST', '/environments/production/publish', body)
const share = (trafficAllocation: number) =>
  call('PATCH', `/flags/checkout/envs/production/rules/${rule.id}`, { trafficAllocation })
const liveShare = async () => (await call('GET', '/flags/checkout/envs/production')).live.rules[0].trafficAllocation
const addRule = (flag: string, trafficAllocation: number) =>
  call('POST', `/flags/${flag}/envs/production/rules`, {
    ...{ name: hostile, type: 'TARGETED_DELIVERY', variationKey: 'on', audienceIds: [], trafficAllocation },
    conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] },
  })
const newFlag = (name: string, key: string) => call('POST', '/flags', offOn(name, key))
const row = (name: string) => owner.page.getByRole('row').filter({ hasText: name })

beforeAll(async () => {
  owner = await site.visit(ada)
})

it('the page says that nothing was published, and opens with G H', async () => {
  const { page } = owner
  await openPage(page, `${pages}/flags?env=production`)
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: 'Nothing was published yet' }).waitFor()
})

it('the page lists revisions with their reasons, and keeps the rows when new ones are made', async () => {
  await newFlag('One-page checkout', 'checkout')
  await newFlag(hostile, 'hostile')
  rule = await addRule('checkout', 2500)
  await call('POST', `/flags/checkout/envs/production/rules/${rule.id}/run`)
  await call('POST', '/flags/checkout/envs/production/run')
  await share(5000)
  await publish({ comment })
  const { page } = owner
  await page.getByText('5 new revisions').waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await row('Revision 4').getByText('Published One-page checkout').waitFor()
  await row('Revision 4').getByText(comment).waitFor()
  await row('Revision 3').getByText('Turned on One-page checkout').waitFor()
  await row('Revision 2.1').getByText('Turned on a rule of One-page checkout').waitFor()
  await row('Revision 2.1').getByText('Visitors get the same as before').waitFor()
  await row('Revision 2').getByText(`Created ${hostile}`).waitFor()
  await expectGoodPage(owner, 'history')
  await call('POST', '/flags/hostile/envs/production/run')
  await page.getByText('1 new revision').waitFor()
  expect(await row('Revision 5').count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await row('Revision 5').getByText('Tests').waitFor()
})

it('the page shows what a revision changed, and what a visitor got then', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Revision 4' }).click()
  const changed = page.getByRole('listitem').filter({ hasText: `Rule ${hostile}: share: 25 %` })
  await changed.getByText('50 %', { exact: true }).waitFor()
  await page.getByText(comment).waitFor()
  await expectGoodPage(owner, 'revision')
  await page.getByRole('link', { name: 'Revision 5' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Switch: paused' }).getByText('running').waitFor()
  expect(await page.getByRole('button', { name: 'Roll back…' }).count()).toBe(0)
  await page.getByRole('link', { name: 'What did a visitor get then?' }).click()
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
  expect(new URL(page.url()).searchParams.get('revision')).toBe('5')
})

it('a person restores a revision as it was, and leaves other drafts alone', async () => {
  const { page } = owner
  await share(7500)
  await publish()
  await share(10_000)
  await addRule('hostile', 10_000)
  await openPage(page, `${pages}/history?env=production`)
  await page.getByRole('tab', { name: /^Production.*2 unpublished changes$/ }).waitFor()
  await page.getByRole('tab', { name: 'Development', exact: true }).waitFor()
  await openPage(page, `${pages}/environments/production/history/3`)
  await page.getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore revision 3' })
  await dialog.getByText('One-page checkout: 1 unpublished change by Tests').waitFor()
  await dialog.getByText(`${hostile}: 1 unpublished change by Tests`).waitFor()
  await expectGoodPage(owner, 'restore')
  await dialog.getByRole('checkbox', { name: hostile }).uncheck()
  await dialog.getByText(`${hostile}: 1 unpublished change`).waitFor({ state: 'detached' })
  // Something is staged between the look and the click.
  await share(9000)
  await dialog.getByRole('button', { name: 'Stage and review' }).click()
  await dialog.getByText('The list of unpublished changes has changed').waitFor()
  await dialog.getByRole('button', { name: 'Stage and review' }).click()
  await page.getByRole('heading', { name: 'Publish to Production', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Publish 1 change to Production', exact: true }).click()
  await expect.poll(liveShare).toBe(2500)
  const { draft, live } = await call('GET', '/flags/hostile/envs/production')
  expect([draft.rules.length, live.rules.length]).toEqual([1, 0])
})

it('a person rolls a publish back by keyboard, from the history of the flag', async () => {
  const { page } = owner
  await page.goto(`${pages}/flags/checkout/history?env=production`)
  const audit = page.getByRole('link', { name: 'the audit log of One-page checkout' })
  expect(await audit.getAttribute('href')).toMatch(/settings\/audit\?projectId=.*&objectType=flag&objectId=/)
  await row('Revision 6').getByRole('link', { name: 'Revision 6' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Revision 6 of Production' }).waitFor()
  expect(await page.getByRole('button', { name: 'Roll back…' }).count()).toBe(0)
  await openPage(page, `${pages}/environments/production/history/7`)
  await page.getByRole('button', { name: 'Roll back…' }).press('Enter')
  const stage = page.getByRole('dialog', { name: 'Roll back revision 7' }).getByRole('button', { name: /^Stage/ })
  await hasFocus(stage)
  await stage.press('Enter')
  await page.getByRole('button', { name: 'Publish 1 change to Production', exact: true }).press('Enter')
  await expect.poll(liveShare).toBe(7500)
})

it('the page says that a publish of more flags than are listed cannot be rolled back, and what to do', async () => {
  const { page } = owner
  const revision = '**/environments/*/revisions/7'
  await page.route(revision, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, data: { ...data, flagCount: 501 } } })
  })
  await openPage(page, `${pages}/environments/production/history/7`)
  await page.getByText('This publish is too large to roll back').waitFor()
  await page.getByText('It changed 501 flags.').waitFor()
  expect(await page.getByRole('button', { name: 'Roll back…' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Restore…' }).waitFor()
  await page.unroute(revision)
})

it('the page of a revision that does not exist says so, and leads to the others', async () => {
  const { page } = owner
  await openPage(page, `${pages}/environments/production/history/999`)
  await page.getByText('No revision 999 in Production').waitFor()
  await page.getByRole('link', { name: 'All revisions of Production' }).click()
  await row('Revision 8').waitFor()
})

it('a restore says that only the switch differs, and moves it', async () => {
  const { page } = owner
  const { revision } = await publish()
  await openPage(page, `${pages}/environments/production/history/${revision}`)
  await page.getByText('Live', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Restore…' }).count()).toBe(0)
  await call('POST', '/flags/checkout/envs/production/pause')
  await openPage(page, `${pages}/environments/production/history/${revision}`)
  await page.getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: `Restore revision ${revision}` })
  await dialog.getByText('Only switches differ.').waitFor()
  await dialog.getByText('One-page checkout was running then and is paused now.').waitFor()
  if (isFull) await expectGoodPage(owner, 'restore of a switch')
  await dialog.getByRole('button', { name: 'Run it now' }).click()
  await dialog.getByText('One-page checkout runs again.').waitFor()
  expect(await call('GET', '/flags/checkout/envs/production')).toMatchObject({ enabled: true })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
})

inFull('dashboard/offered')('the page lets viewers look, and says who can restore', async () => {
  const { page, context } = await site.visit(grace)
  await openPage(page, `${pages}/environments/production/history`)
  await page.getByRole('link', { name: 'Revision 4' }).click()
  await page.getByText('You can look at the history. Editors and admins can restore a revision.').waitFor()
  expect(await page.getByRole('button', { name: /^(Restore|Roll back)/ }).count()).toBe(0)
  await context.close()
})
