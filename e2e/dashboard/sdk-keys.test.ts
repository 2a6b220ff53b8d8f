import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { expectGoodPage, hasFocus, tabTo, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'

const path = '/1-acme/1-web-shop/environments/production'

const site = openSite()
let owner: Visitor
let first: string

const keysOf = async (): Promise<{ key: string }[]> =>
  prepare(site.service.url, 'GET', '/api/v1/projects/1/environments/production/sdk-keys')
const hintOf = (key: string) => `${key.slice(0, 12)}…`
const keys = ({ page }: Visitor) => page.getByRole('region', { name: 'SDK keys' })
const row = (visitor: Visitor, key: string) =>
  keys(visitor)
    .getByRole('row')
    .filter({ hasText: hintOf(key) })
const dialog = () => owner.page.getByRole('dialog')
const dataFileStatus = async (key: string) =>
  (await fetch(`${site.service.url}/api/sdk/v1/datafile/${key}.json`)).status

beforeAll(async () => {
  owner = await site.visit(ada)
  first = (await keysOf())[0]!.key
  const beat = { sdkKey: first, sdkType: 'node', sdkVersion: '1.4.0', instanceId: 'checkout-1', revision: 0 }
  for (const instanceId of ['checkout-1', 'checkout-2'])
    await fetch(`${site.service.url}/api/sdk/heartbeat`, {
      method: 'POST',
      body: JSON.stringify({ ...beat, instanceId }),
    })
})

it('the page shows the only key with its last use and its clients, and offers no revocation', async () => {
  await owner.page.goto(path)
  await row(owner, first).getByText('heartbeats').waitFor()
  await row(owner, first).getByText('2 clients of node, SDK 1.4.0').waitFor()
  expect(await keys(owner).getByRole('button', { name: 'Revoke' }).count()).toBe(0)
})

it('a person makes a second key with the keyboard', async () => {
  const { page } = owner
  const create = keys(owner).getByRole('button', { name: 'Create a second key…' })
  await tabTo(create)
  await page.keyboard.press('Enter')
  const confirm = dialog().getByRole('button', { name: 'Create key' })
  await tabTo(confirm)
  await page.keyboard.press('Enter')
  await page.getByText('Second SDK key of Production created.').waitFor()
  const [newest, other] = await keysOf()
  expect(other!.key).toBe(first)
  await row(owner, newest!.key).getByText('Newest').waitFor()
  await row(owner, newest!.key).getByText('Never').waitFor()
  await create.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('SDK key', { exact: true }).inputValue()).toBe(newest!.key)
  await expectGoodPage(owner, 'sdk-keys')
})

if (isFull)
  it('the page shows a viewer both keys, and nothing to change them', async () => {
    const viewer = await site.visit(grace, path)
    await row(viewer, first).getByText('2 clients of node, SDK 1.4.0').waitFor()
    expect(
      await keys(viewer)
        .getByRole('button', { name: /Revoke|Create/ })
        .count(),
    ).toBe(0)
  })

it('the page says who still uses a key before it is revoked', async () => {
  const { page } = owner
  await keys(owner)
    .getByRole('button', { name: `Revoke the SDK key ${hintOf(first)}…` })
    .click()
  await dialog()
    .getByRole('heading', { name: `Revoke the SDK key ${hintOf(first)}?` })
    .waitFor()
  await dialog().getByText('These clients used it in the last day:').waitFor()
  await dialog().getByText('2 clients of node, SDK 1.4.0').waitFor()
  await hasFocus(dialog().getByRole('button', { name: 'Cancel' }))
  await expectGoodPage(owner, 'sdk-key-revoke')
  await page.keyboard.press('Escape')
  await hasFocus(keys(owner).getByRole('button', { name: `Revoke the SDK key ${hintOf(first)}…` }))
  expect(await dataFileStatus(first)).toBe(200)
})

it('the page revokes no key if the environment has changed since the dialog opened', async () => {
  const { page } = owner
  const read = page.waitForResponse((response) => /\/environments\/[^/]+$/.test(new URL(response.url()).pathname))
  await page.keyboard.press('Enter')
  await read
  await prepare(site.service.url, 'PATCH', '/api/v1/projects/1/environments/production', { color: '#123456' })
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await dialog().getByText('has changed').waitFor()
  expect(await dataFileStatus(first)).toBe(200)
  await page.keyboard.press('Escape')
  await hasFocus(keys(owner).getByRole('button', { name: `Revoke the SDK key ${hintOf(first)}…` }))
})

it('the page revokes a key, which ends at once', async () => {
  const { page } = owner
  await page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText(`SDK key ${hintOf(first)} of Production revoked.`).waitFor()
  await row(owner, first).waitFor({ state: 'detached' })
  expect(await dataFileStatus(first)).toBe(404)
  await keys(owner).getByRole('button', { name: 'Create a second key…' }).waitFor()
})
