import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, pageWithoutPointer, tabTo, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const playground = '/1-acme/1-web-shop/playground'
const project = '/api/v1/projects/1'
const longName = `${'A rule with a name at the limit '.repeat(6)}`.slice(0, 190)

const site = openSite()
let owner: Visitor
let page: Page

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${project}${path}`, body)
const createFlag = (key: string) => call('POST', '/flags', offOn(key, key))
const addRule = (key: string, name: string, conditions: object, trafficAllocation = 10_000) =>
  call('POST', `/flags/${key}/envs/production/rules`, {
    type: 'TARGETED_DELIVERY',
    name,
    conditions,
    variationKey: 'on',
    trafficAllocation,
  })
const is = (attribute: string, value: unknown) => ({ attribute, operator: 'equals', value })
const rule = (on: Page, name: string) => on.getByRole('listitem').filter({ hasText: name })

let beta: { id: string }

beforeAll(async () => {
  await createFlag('one-page-checkout')
  beta = await addRule('one-page-checkout', 'Beta users', { all: [is('plan', 'beta'), is('country', 'NL')] })
  await addRule('one-page-checkout', 'Nobody yet', { all: [] }, 0)
  await call('POST', '/flags/one-page-checkout/envs/production/run')
  await createFlag('hostile')
  await addRule('hostile', '<script>alert(1)</script>', is('plan', '<b>'))
  await addRule('hostile', longName, is('plan', 'x'.repeat(200)))
  await addRule('hostile', 'قاعدة للمستخدمين', is('مدينة', 'دبي'))
  await call('POST', '/flags/hostile/envs/production/run')
  owner = await site.visit(ada)
  page = owner.page
})

it('the playground says which condition keeps a flag off, and a copied link shows the same', async () => {
  await openPage(page, '/1-acme/1-web-shop/flags')
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Flag', { exact: true }).fill('one-page-checkout')
  await page.getByLabel('Visitor id').fill('u-17')
  await page.getByLabel('country').fill('NL')
  await page.getByLabel('plan').fill('pro')
  await page.getByText('off, else', { exact: true }).waitFor()
  await rule(page, 'Beta users').getByText('plan is pro, wanted beta').waitFor()
  await rule(page, 'Nobody yet').getByText('Outside the 0 %').waitFor()
  const edit = page.getByRole('link', { name: 'Edit rule Beta users' })
  expect(await edit.getAttribute('href')).toMatch(/\/flags\/one-page-checkout\?.*rule=/)

  const other = await page.context().newPage()
  await other.goto(page.url())
  await rule(other, 'Beta users').getByText('plan is pro, wanted beta').waitFor()
  expect(await other.getByLabel('plan').inputValue()).toBe('pro')
  await other.close()
})

it('the playground shows what the next publish changes, and past revisions', async () => {
  const { environments } = await call('GET', '/index')
  const before = environments.find(({ key }: { key: string }) => key === 'production').revision
  await call('PATCH', `/flags/one-page-checkout/envs/production/rules/${beta.id}`, { conditions: is('country', 'NL') })
  await readAgain(page)
  await page.getByText('after publish: on, by rule 1').waitFor()
  await page.getByText('1 flag, with another value after the next publish.').waitFor()
  await page.getByLabel('After publish').check()
  await page.getByText('live: off, else').waitFor()
  await rule(page, 'Beta users').getByText('Gives on').waitFor()
  await call('POST', '/environments/production/publish', {})
  await page.getByLabel('Live', { exact: true }).check()
  await page.getByText('1 flag, with the same value after the next publish.').waitFor()
  await page.getByText('on, by rule 1').waitFor()
  await page.getByLabel('A revision').check()
  await page.getByLabel(/^Revision, 0 to/).fill(String(before))
  await page.getByText('now: on, by rule 1').waitFor()
  await rule(page, 'Beta users').getByText('plan is pro, wanted beta').waitFor()
})

inFull('dashboard/flag')(
  'a keyboard alone leads from "why off?" to the rule, and the visitor gets on after the publish',
  async () => {
    await createFlag('price-test')
    await addRule('price-test', 'Pro users', is('plan', 'beta'))
    await call('POST', '/flags/price-test/envs/production/run')
    const address = `${playground}?env=production&flag=price-test&visitor=${encodeURIComponent('{"targetingKey":"u-17","plan":"pro"}')}`
    const keys = await pageWithoutPointer(owner)
    await keys.goto(address)
    await keys.getByText('off, else', { exact: true }).waitFor()
    await rule(keys, 'Pro users').getByText('plan is pro, wanted beta').waitFor()
    await tabTo(keys.getByRole('link', { name: 'Edit rule Pro users' }))
    await keys.keyboard.press('Enter')
    const editor = keys.getByRole('dialog', { name: 'Edit rollout: Pro users' })
    await hasFocus(editor.getByRole('heading', { name: 'Edit rollout: Pro users' }))
    await tabTo(editor.getByLabel('Value', { exact: true }))
    await keys.keyboard.press('Control+a')
    await keys.keyboard.type('pro')
    await keys.keyboard.press('Control+Enter')
    await expect.poll(() => editor.count()).toBe(0)
    await keys.keyboard.press('Shift+P')
    await hasFocus(keys.getByRole('heading', { name: 'Publish to Production', level: 1 }))
    await tabTo(keys.getByRole('button', { name: 'Publish 1 change' }))
    await keys.keyboard.press('Enter')
    await keys.getByRole('heading', { name: /^Published to / }).waitFor()
    await openPage(keys, address)
    await keys.getByText('on, by rule 1', { exact: true }).waitFor()
    await keys.close()
  },
)

it('the playground opens beside a flag, with the visitor in the address, and closes by Escape', async () => {
  await openPage(page, '/1-acme/1-web-shop/flags/one-page-checkout?env=production')
  await page.getByRole('link', { name: 'Try a visitor' }).waitFor()
  await page.keyboard.press('t')
  const panel = page.getByRole('dialog', { name: 'Try a visitor' })
  await panel.getByLabel('Visitor id').fill('u-17')
  await panel.getByLabel('country').fill('NL')
  await panel.getByLabel('plan').fill('beta')
  await panel.getByText('on, by rule 1').first().waitFor()
  await expectGoodPage(owner, 'try-a-visitor', ['light narrow'])
  await page.reload()
  await expect.poll(() => panel.getByLabel('plan').inputValue()).toBe('beta')
  await panel.getByLabel('plan').press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  await expect.poll(() => new URL(page.url()).search).toBe('?env=production')
})

inFull('playground/visitor')('the playground keeps visitors in this browser, and takes a visitor as JSON', async () => {
  await openPage(page, `${playground}?env=production&flag=one-page-checkout`)
  await page.getByRole('button', { name: 'Show JSON' }).click()
  const json = page.getByLabel('Visitor as JSON')
  await json.fill('{"targetingKey": ')
  await page.getByText('Type a JSON object').waitFor()
  await json.fill('{"targetingKey": "u-18", "country": "NL", "seats": 30}')
  await page.getByText('on, by rule 1').waitFor()
  await page.getByRole('button', { name: 'Save visitor' }).click()
  await page.getByLabel('Saved visitors').waitFor()
  await page.goto(`${playground}?env=production&flag=one-page-checkout`)
  await page
    .getByText('off, no rule applies, because the visitor lacks the id or attribute that a rule splits by')
    .waitFor()
  await page.getByLabel('Saved visitors').selectOption('u-18, NL, 30')
  await page.getByText('on, by rule 1').waitFor()
  expect(await page.getByLabel('country').inputValue()).toBe('NL')
})

it('the playground says that the project has no such flag', async () => {
  await openPage(page, `${playground}?env=production&flag=one-page-chekcout`)
  await page.getByText('No flag has the key “one-page-chekcout”').waitFor()
  await page.getByText('not in what this environment serves').waitFor()
  await page.getByLabel('Flag', { exact: true }).fill('one-page-checkout')
  await page.getByText('No flag has the key').waitFor({ state: 'detached' })
})

it('the playground is a good page with hostile names', async () => {
  await openPage(
    page,
    `${playground}?env=production&visitor=${encodeURIComponent('{"targetingKey":"<script>","plan":"<i>"}')}`,
  )
  await page.getByText('hostile', { exact: true }).click()
  await rule(page, longName.trim()).waitFor()
  await expectGoodPage(owner, 'playground')
})
