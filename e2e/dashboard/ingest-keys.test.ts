import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, tabTo, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const path = '/1-acme/1-web-shop/environments/production'
const environment = '/api/v1/projects/1/environments/production'

const site = openSite()
let owner: Visitor
let first: string
let second: string

const keys = ({ page }: Visitor) => page.getByRole('region', { name: 'Ingest keys' })
const hintOf = (key: string) => `svc_ing_…${key.slice(-4)}`
const row = (visitor: Visitor, key: string) =>
  keys(visitor)
    .getByRole('row')
    .filter({ hasText: hintOf(key) })
const dialog = () => owner.page.getByRole('dialog')
const button = (name: string) => keys(owner).getByRole('button', { name })

/** Sends an order as a server does with the key, or as a page does without one. */
async function sendOrder(key?: string): Promise<Response> {
  const { sdkKey } = await prepare(site.service.url, 'GET', environment)
  const event = { type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' }
  return fetch(`${site.service.url}/api/sdk/v1/events`, {
    method: 'POST',
    headers: { 'user-agent': 'shop/1', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ sdkKey, events: [event] }),
  })
}

/** Reads the key that is shown once, and closes its dialog. */
async function copyKey(): Promise<string> {
  const shown = await dialog().getByLabel('Ingest key', { exact: true }).inputValue()
  await dialog().getByRole('button', { name: 'I have copied it' }).click()
  await dialog().waitFor({ state: 'detached' })
  return shown
}

beforeAll(async () => {
  owner = await site.visit(ada)
})

it('a person makes a key with the keyboard, which is shown once', async () => {
  const { page } = owner
  await openPage(page, path)
  await keys(owner).getByText('Production has no ingest key. Events count without one.').waitFor()
  await tabTo(button('Create an ingest key…'))
  await page.keyboard.press('Enter')
  const confirm = dialog().getByRole('button', { name: 'Create key' })
  await tabTo(confirm)
  await page.keyboard.press('Enter')
  await dialog().getByText('It must never be in a page, an app or a repository.').waitFor()
  await expectGoodPage(owner, 'ingest-keys, a new key')
  first = await copyKey()
  expect(first).toMatch(/^svc_ing_[\w-]{43}$/)
  await row(owner, first).getByText('Not used yet').waitFor()
  expect(await page.content()).not.toContain(first)
})

it('the choice says what stops counting, and the page says what was rejected', async () => {
  const { page } = owner
  await sendOrder(first)
  await button('Change what requires a key…').click()
  await dialog().getByRole('radio', { name: 'Exposures and tracked events' }).click()
  await dialog().getByText('pages no longer add to any result').waitFor()
  await expectGoodPage(owner, 'ingest-keys, what requires one')
  await dialog().getByRole('radio', { name: 'Tracked events', exact: true }).click()
  await dialog().getByText('Tracked events without a key, such as those that pages send, stop counting.').waitFor()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await keys(owner).getByText('Required for: Tracked events').waitFor()
  expect(await (await sendOrder()).json()).toMatchObject({ rejected: [{ code: 'ingest_key_required' }] })
  expect(await (await sendOrder(first)).json()).toMatchObject({ accepted: 1, rejected: [] })
  // The list stores what was noted.
  await prepare(site.service.url, 'GET', `${environment}/ingest-keys`)
  await readAgain(page)
  await keys(owner).getByText('An event without a key was last rejected').waitFor()
  await row(owner, first).getByText('shop/1').waitFor()
})

inFull('dashboard/conflicts')('a save does not overwrite what another person requires meanwhile', async () => {
  const { page } = owner
  await button('Change what requires a key…').click()
  await dialog().getByRole('radio', { name: 'Nothing' }).click()
  await prepare(site.service.url, 'PATCH', environment, { ingestKeyRequiredFor: 'ALL' })
  await dialog().getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('dialog', { name: /has changed this meanwhile$/ })
  await conflict.getByText('You both changed the following.').waitFor()
  await conflict.getByRole('radio', { name: 'Exposures and tracked events' }).waitFor()
  expect((await prepare(site.service.url, 'GET', environment)).ingestKeyRequiredFor).toBe('ALL')
  await conflict.getByRole('radio', { name: 'Nothing' }).waitFor()
  await conflict.getByRole('button', { name: 'Save' }).click()
  await keys(owner).getByText('Required for: Nothing').waitFor()
  await prepare(site.service.url, 'PATCH', environment, { ingestKeyRequiredFor: 'TRACKED_EVENTS' })
  await keys(owner).getByText('Required for: Tracked events').waitFor()
})

it('the only key cannot be revoked while events need one', async () => {
  await button(`Revoke the ingest key ${hintOf(first)}…`).click()
  await dialog().getByText('It is the only key of Production, and events need one.').waitFor()
  expect(await dialog().getByRole('button', { name: 'Revoke key' }).count()).toBe(0)
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await dialog().waitFor({ state: 'detached' })
})

it('a second key takes the place of the first, which ends at once', async () => {
  await button('Create a second ingest key…').click()
  await dialog().getByText('Both keys work until you revoke one.').waitFor()
  await dialog().getByRole('button', { name: 'Create key' }).click()
  await dialog().getByLabel('Ingest key', { exact: true }).waitFor()
  second = await copyKey()
  await row(owner, second).waitFor()
  await expectGoodPage(owner, 'ingest-keys')
  await button(`Revoke the ingest key ${hintOf(first)}…`).click()
  await dialog().getByText('by shop/1').waitFor()
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await owner.page.getByText(`Ingest key ${hintOf(first)} of Production revoked.`).waitFor()
  await row(owner, first).waitFor({ state: 'detached' })
  expect([(await sendOrder(first)).status, (await sendOrder(second)).status]).toEqual([401, 202])
})

inFull('dashboard/offered')('the page shows a viewer the keys, and nothing to change them', async () => {
  const viewer = await site.visit(grace, path)
  await row(viewer, second).waitFor()
  await keys(viewer).getByText('Required for: Tracked events').waitFor()
  expect(
    await keys(viewer)
      .getByRole('button', { name: /Revoke|Create|Change/ })
      .count(),
  ).toBe(0)
})
