import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
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
const longName = `${'A name at the limit of its length '.repeat(6)}`.slice(0, 100).trim()
const script = '<script>alert(1)</script>'
const wider = { all: [{ attribute: 'plan', operator: 'in', value: ['beta', 'pro'] }] }

const site = openSite()
let owner: Visitor
let page: Page

const create = (what: 'audiences' | 'segments', body: object) =>
  prepare(site.service.url, 'POST', `${project}/${what}`, body)
const get = (path: string) => prepare(site.service.url, 'GET', `${project}/${path}`)

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

it('a person creates the first audience by keyboard, with a condition that was built', async () => {
  await openPage(page, `${base}/audiences`)
  await page.getByRole('heading', { name: 'No audiences yet' }).waitFor()
  await page.getByText('svc audience create --project web-shop --name "Beta users"').waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create an audience' })
  await panel.getByLabel('Name').fill('Beta users')
  await panel.getByRole('button', { name: 'Condition', exact: true }).press('Enter')
  await panel.getByLabel('Attribute').fill('plan')
  await panel.getByLabel('Values', { exact: true }).fill('beta')
  await page.keyboard.press('Enter')
  await panel.getByText('Reads: plan is beta').waitFor()
  await panel.getByRole('button', { name: 'Create audience' }).press('Enter')
  await page.getByRole('heading', { name: 'Beta users', level: 1 }).waitFor()
  expect((await get('audiences/1')).conditions).toEqual({
    all: [{ attribute: 'plan', operator: 'in', value: ['beta'] }],
  })
})

it('the form suggests the attributes and values that visitors have', async () => {
  const { sdkKey } = (await get('environments')).find(({ key }: { key: string }) => key === 'production')
  for (const targetingKey of ['u-1', 'u-2'])
    await fetch(`${site.service.url}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { 'x-api-key': sdkKey, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey, platform: 'ios', age: 30 } }),
    })
  await site.service.seen.save()
  await openPage(page, `${base}/audiences/1`)
  await page.getByRole('button', { name: 'Edit audience' }).click()
  const panel = page.getByRole('dialog', { name: 'Edit Beta users' })
  await panel.getByRole('button', { name: 'Condition', exact: true }).click()
  const attribute = panel.getByLabel('Attribute', { exact: true }).last()
  const values = panel.getByLabel('Values', { exact: true }).last()
  const offered = (field: Locator) =>
    field.evaluate((input) => [...(input as HTMLInputElement).list!.options].map(({ value }) => value))
  await expect.poll(() => offered(attribute)).toEqual(expect.arrayContaining(['platform', 'age', 'plan']))
  await attribute.fill('platform')
  expect(await offered(values)).toEqual(['ios'])
  await attribute.fill('age')
  expect(await offered(values)).toEqual(['30'])
  await values.fill('30')
  await page.keyboard.press('Enter')
  await panel.getByText('age is 30').waitFor()
  expect(await panel.getByLabel('Type of the values').last().inputValue()).toBe('number')
  await panel.getByRole('button', { name: 'Remove the condition on age' }).click()
  await panel.getByRole('button', { name: 'Close' }).first().click()
  await expect.poll(() => panel.count()).toBe(0)
})

it('the page says how many of the visitors seen lately are in it, and why a visitor is not', async () => {
  await readAgain(page)
  const seen = page.getByRole('region', { name: 'Visitors seen lately' })
  const production = seen.getByRole('row').filter({ hasText: 'production' })
  await production.filter({ hasText: '0 of 2 visitors: 0 %.' }).filter({ hasText: 'no values of plan' }).waitFor()
  const tried = page.getByRole('region', { name: 'Try a visitor' })
  await tried.getByLabel('plan').fill('free')
  await tried.getByText('The visitor is not in the audience').waitFor()
  await tried.getByText('plan is free, wanted beta').waitFor()
  await expectGoodPage(owner, 'audience-tried')
  await tried.getByLabel('plan').fill('beta')
  await tried.getByText('The visitor is in the audience').waitFor()
})

inFull('dashboard/conflicts')('the form merges an edit with that of another person', async () => {
  await page.getByRole('button', { name: 'Edit audience' }).click()
  // Its title follows the name, which the other person changes.
  const panel = page.getByRole('dialog', { name: /^Edit (Beta users|Pilots|Testers)$/ })
  await panel.getByText('This audience is unused').waitFor()
  const renamed = (name: string) => prepare(site.service.url, 'PATCH', `${project}/audiences/1`, { name })
  // While nothing is typed, the form shows the new name.
  await renamed('Pilots')
  await panel.getByText('Tests has changed this, just now').waitFor()
  await expect.poll(() => panel.getByLabel('Name').inputValue()).toBe('Pilots')
  await panel.getByLabel('Description').fill('They asked for it.')
  await renamed('Testers')
  await page.getByRole('dialog', { name: 'Edit Testers' }).waitFor()
  expect(await panel.getByLabel('Name').inputValue()).toBe('Pilots')
  await panel.getByRole('button', { name: 'Save audience' }).click()
  const dialog = page.getByRole('dialog', { name: 'has changed this meanwhile' })
  await dialog.getByText('Your other changes are kept.').waitFor()
  const result = dialog.getByRole('status').filter({ hasText: 'Then it is saved like this:' })
  await result.filter({ hasText: 'The nameTesters' }).filter({ hasText: 'The descriptionThey asked for it.' }).waitFor()
  await expectGoodPage(owner, 'audience conflict')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Testers saved.').waitFor()
  expect(await get('audiences/1')).toMatchObject({ name: 'Testers', description: 'They asked for it.' })
})

it('journey 20: refuses to delete an audience that a rule uses, and deletes it after the rule is gone', async () => {
  const audience = await prepare(site.service.url, 'PATCH', `${project}/audiences/1`, { name: 'Testers' })
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn(`Checkout ${script}`, 'checkout'))
  const rules = `${project}/flags/checkout/envs/production/rules`
  const rule = await prepare(site.service.url, 'POST', rules, {
    name: 'For testers',
    type: 'TARGETED_DELIVERY',
    audienceIds: [audience.id],
    variationKey: 'on',
  })
  await readAgain(page)
  await page.getByText('1 rule of 1 flag').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the audience Testers' })
  await dialog.getByText('Still used in 1 place').waitFor()
  await dialog.getByRole('link', { name: `Checkout ${script}` }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete audience' }).count()).toBe(0)
  if (isFull) await expectGoodPage(owner, 'audience-delete', ['light wide'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await prepare(site.service.url, 'POST', `${project}/flags/checkout/envs/production/run`)
  await prepare(site.service.url, 'POST', `${rules}/${rule.id}/run`)
  await prepare(site.service.url, 'PATCH', `${project}/audiences/1`, { conditions: wider })
  await page.getByText('Not published in Production').waitFor()
  await page.getByRole('link', { name: 'Review in Production' }).click()
  const staged = page.getByRole('region', { name: 'Audience Testers' })
  const conditions = async () => JSON.stringify((await get('audiences/1')).conditions)
  await staged.getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('heading', { name: 'Nothing to publish' }).waitFor()
  expect(await conditions()).not.toContain('pro')
  await page.getByRole('alert').filter({ hasText: 'Undone.' }).getByRole('button', { name: 'Undo' }).click()
  await staged.waitFor()
  expect(await conditions()).toContain('pro')
  await page.goBack()
  await page.getByText('Not published in Production').waitFor()
  await prepare(site.service.url, 'POST', `${project}/environments/production/publish`)
  await page.getByText('Not published in Production').waitFor({ state: 'detached' })

  // The link of the refusal leads to the rule. Without it, the audience can go.
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('link', { name: `Checkout ${script}` }).click()
  const editor = page.getByRole('dialog', { name: 'Edit rollout: For testers' })
  await editor.getByText('Reads: in Testers', { exact: true }).waitFor()
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'More for For testers' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('link', { name: /^Review/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Publish 1 change to Production' }).click()
  await page.getByRole('heading', { name: /^Published to / }).waitFor()
  await openPage(page, `${base}/audiences/1`)
  await page.getByText('Nothing uses it').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByLabel('Type').fill('Testers')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${base}/audiences`)
  await page.getByText('Testers deleted.').waitFor()
})

inFull('dashboard/audiences')('the list says where an edit of an audience is not published', async () => {
  const audience = await create('audiences', { name: 'Edited', conditions: { all: [] } })
  const rules = `${project}/flags/checkout/envs/production/rules`
  const { id } = await prepare(site.service.url, 'POST', rules, {
    ...{ name: 'For the edited', type: 'TARGETED_DELIVERY', variationKey: 'on', audienceIds: [audience.id] },
  })
  await prepare(site.service.url, 'POST', `${rules}/${id}/run`)
  await openPage(page, `${base}/audiences`)
  const row = page.getByRole('row').filter({ hasText: 'Edited' })
  await row.getByRole('cell', { name: 'None' }).waitFor()
  await prepare(site.service.url, 'PATCH', `${project}/audiences/${audience.id}`, { conditions: wider })
  await row.getByRole('cell', { name: 'Production' }).waitFor()
  await page.getByRole('link', { name: 'Edited' }).click()
  await page.getByText('Not published in Production').waitFor()
  await expectGoodPage(owner, 'audience-unpublished')
  await prepare(site.service.url, 'DELETE', `${rules}/${id}`)
  await prepare(site.service.url, 'POST', `${project}/environments/production/publish`)
  await prepare(site.service.url, 'DELETE', `${project}/audiences/${audience.id}`)
})

it('the dialog reads a segment from a CSV file, and sends it only after its bad line is fixed', async () => {
  await openPage(page, `${base}/segments`)
  await page.getByRole('heading', { name: 'No segments yet' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Create a segment' }).getByLabel('Name').fill('Pilot customers')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pilot customers', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Add ids' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add ids to Pilot customers' })
  const csv = `id;plan\nu-1;pro\n"u-2;free\n${script};pro\nu-1;pro\n`
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'pilot.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await dialog.getByText('1 line cannot be read').waitFor()
  await dialog.getByText('Line 3: "u-2;free').waitFor()
  await dialog.getByText('2 ids, 1 repeated line left out').waitFor()
  await dialog.getByRole('button', { name: 'Add 2 ids' }).click()
  const field = dialog.getByLabel('Visitor ids')
  await dialog.getByText('Fix line 3, or leave it out.').waitFor()
  await hasFocus(field)
  expect((await get('segments/1')).count).toBe(0)
  await expectGoodPage(owner, 'segment-add', ['dark narrow'])

  await field.fill(csv.replace('"u-2', 'u-2'))
  await dialog.getByRole('button', { name: 'Add 3 ids' }).click()
  await page.getByText('3 ids added.').waitFor()
  await page.getByRole('heading', { name: '3 visitor ids' }).waitFor()
  expect(await get('segments/1/members')).toEqual([script, 'u-1', 'u-2'])
})

it('a person finds, removes and brings back an id, and replaces all', async () => {
  await page.getByText('Ada Lovelace added 3 ids (3 in all),').waitFor()
  await page.getByLabel('Find an id').fill('u-')
  await page.getByText('u- is not in this segment. 2 ids begin with it.').waitFor()
  await page.getByLabel('Find an id').fill('u-2')
  await page.getByText('u-2 is in this segment.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(`id\n${script}\nu-1\nu-2\n`)
  await page.getByRole('button', { name: 'Remove u-2' }).click()
  const message = page.getByRole('alert').filter({ hasText: 'u-2 removed.' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: '3 visitor ids' }).waitFor()
  await expect.poll(() => get('segments/1/members')).toContain('u-2')
  await page.getByRole('button', { name: 'Replace all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the ids of Pilot customers' })
  await dialog.getByText('Nothing is entered: this removes all 3 ids.').waitFor()
  await dialog.getByLabel('Visitor ids').fill('u-7, u-8')
  await dialog.getByText('These replace the 3 ids in the segment.').waitFor()
  await dialog.getByRole('button', { name: 'Replace by 2 ids' }).click()
  await page.getByRole('heading', { name: '2 visitor ids' }).waitFor()
  expect(await get('segments/1/members')).toEqual(['u-7', 'u-8'])
})

it('the dialog keeps typed ids if another person replaces the list meanwhile, and asks which to keep', async () => {
  await page.getByRole('button', { name: 'Replace all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the ids of Pilot customers' })
  await dialog.getByLabel('Visitor ids').fill('u-9')
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/segments/1/members/add', { ids: ['u-1'] })
  await dialog.getByText('When you send it, you choose whether the current ids stay.').waitFor()
  await dialog.getByRole('button', { name: 'Replace by 1 id' }).click()
  await dialog.getByText('It has 3 ids now, and had 2 when you opened this.').waitFor()
  expect(await dialog.getByLabel('Visitor ids').inputValue()).toBe('u-9')
  await dialog.getByRole('button', { name: 'Keep them and add 1 id' }).click()
  await page.getByRole('heading', { name: '4 visitor ids' }).waitFor()
  expect(await get('segments/1/members')).toEqual(['u-1', 'u-7', 'u-8', 'u-9'])

  await page.getByRole('button', { name: 'Replace all…' }).click()
  await dialog.getByLabel('Visitor ids').fill('u-7, u-8')
  await prepare(site.service.url, 'POST', '/api/v1/projects/1/segments/1/members/remove', { ids: ['u-1'] })
  await dialog.getByText('When you send it').waitFor()
  await dialog.getByRole('button', { name: 'Replace by 2 ids' }).click()
  await dialog.getByText('It has 3 ids now, and had 4 when you opened this.').waitFor()
  await dialog.getByRole('button', { name: 'Replace by 2 ids' }).click()
  await page.getByRole('heading', { name: '2 visitor ids' }).waitFor()
  expect(await get('segments/1/members')).toEqual(['u-7', 'u-8'])
})

it('the page says what uses a segment, and does not offer to delete it then', async () => {
  const { id } = await get('segments/1')
  await page.getByText('The segment is unused, so changes have no effect on visitors.').waitFor()
  await create('audiences', { name: `Pilot ${script}`, conditions: { segment: id } })
  await create('audiences', { name: longName, description: 'مجموعة من المستخدمين', conditions: { all: [] } })
  await create('segments', { name: longName, description: script })
  await page.getByText('Changes act at once in 1 audience, without a publish.').waitFor()
  await page
    .getByRole('region', { name: 'Used by' })
    .getByRole('link', { name: `Audience Pilot ${script}` })
    .waitFor()
  await page.getByRole('button', { name: 'Add ids' }).click()
  await page.getByRole('dialog').getByText('Changes act at once in 1 audience').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the segment Pilot customers' })
  await dialog.getByText('Still used in 1 place').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete segment' }).count()).toBe(0)
  await dialog.getByRole('link', { name: `Audience Pilot ${script}` }).click()
  await page.getByRole('heading', { name: `Pilot ${script}`, level: 1 }).waitFor()
  await page.getByText('in the segment Pilot customers').waitFor()
})

it('the page keeps the list as it is while others add to it', async () => {
  await openPage(page, `${base}/audiences`)
  await page.getByRole('link', { name: longName }).waitFor()
  const added = await create('audiences', { name: 'By a program', conditions: { all: [] } })
  const waiting = page.getByRole('status').filter({ hasText: '1 new audience' })
  await waiting.waitFor()
  expect(await page.getByRole('link', { name: 'By a program' }).count()).toBe(0)
  await waiting.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('link', { name: 'By a program' }).waitFor()
  await waiting.waitFor({ state: 'detached' })
  await prepare(site.service.url, 'DELETE', `${project}/audiences/${added.id}`)
  await page.getByRole('link', { name: 'By a program' }).waitFor({ state: 'detached' })
  await openPage(page, `${base}/audiences/1`)
})

it('the pages are good with hostile names', async () => {
  await openPage(page, `${base}/audiences`)
  await page.getByRole('link', { name: longName }).waitFor()
  await expectGoodPage(owner, 'audiences')
  await openPage(page, `${base}/segments`)
  await page.getByRole('link', { name: longName }).waitFor()
  await expectGoodPage(owner, 'segments')
  await page.getByRole('link', { name: 'Pilot customers' }).click()
  await page.getByRole('listitem').filter({ hasText: 'u-7' }).waitFor()
  await expectGoodPage(owner, 'segment')
})

inFull('dashboard/live')(
  'a segment and an audience that another person deletes stay readable, with what is typed',
  async () => {
    const segment = await create('segments', { name: 'Short-lived', description: 'For a week' })
    await openPage(page, `${base}/segments/${segment.shortId}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Short-lived' })
    await dialog.getByLabel('Description').fill('For a month')
    await prepare(site.service.url, 'DELETE', `/api/v1/projects/1/segments/${segment.id}`)
    await page.getByText('Deleted by Tests').waitFor({ state: 'attached' })
    expect(await dialog.getByLabel('Description').inputValue()).toBe('For a month')
    await page.keyboard.press('Escape')
    await page.getByText('For a week').waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete|Add)/ }).count()).toBe(0)

    const audience = await create('audiences', { name: 'Testers of a day', conditions: { all: [] } })
    await openPage(page, `${base}/audiences/${audience.shortId}`)
    await page.getByRole('button', { name: 'Edit audience' }).waitFor()
    await prepare(site.service.url, 'DELETE', `/api/v1/projects/1/audiences/${audience.id}`)
    await page.getByText('Deleted by Tests').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Testers of a day' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete)/ }).count()).toBe(0)
    await expectGoodPage(owner, 'audience deleted', ['light narrow'])
  },
)

if (isFull)
  it('the pages show viewers no buttons to edit, and say who can change audiences and segments', async () => {
    const viewer = await site.visit(grace, `${base}/segments/1`)
    await viewer.page.getByText('Editors and admins can see and change them.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Add ids' }).count()).toBe(0)
    await viewer.page.goto(`${base}/audiences`)
    await viewer.page.getByText('You can look at audiences.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Create audience' }).count()).toBe(0)
  })
