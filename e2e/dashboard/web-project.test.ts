import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { fillSite } from '../pictures/shop.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, settled } from './walk.ts'

const site = openSite()
let owner: Visitor
let page: Page
let project: string
let path: string

const call = (method: string, url: string, body?: object) => prepare(site.service.url, method, `${path}${url}`, body)

beforeAll(async () => {
  const { shortId } = await fillSite(site.service.url)
  project = `/1-acme/${shortId}-website`
  path = `/api/v1/projects/${shortId}`
  owner = await site.visit(ada, `${project}/settings/site`)
  page = owner.page
})

describe('the site settings', () => {
  const save = () => page.getByRole('button', { name: 'Save settings' }).click()

  it('say what is wrong with each host, at the host', async () => {
    await page.getByRole('button', { name: 'Add host' }).click()
    await hasFocus(page.getByLabel('Host 3', { exact: true }))
    await page.keyboard.type('https://shop.example/pricing')
    await page.getByRole('button', { name: 'Add host' }).click()
    await hasFocus(page.getByLabel('Host 4', { exact: true }))
    await page.keyboard.type('*.example')
    await page.getByLabel('Latest start').fill('60000')
    await save()
    await page.getByText('Enter milliseconds from 0 to 10,000.').waitFor()
    await page.getByLabel('Latest start').fill('1500')
    await save()
    const summary = page.getByRole('alert').filter({ hasText: '2 fields need your attention' })
    await summary.getByRole('button', { name: /^Host 4: Must be the name of a host/ }).click()
    await hasFocus(page.getByLabel('Host 4', { exact: true }))
    await expectGoodPage(owner, 'site settings with faults')
    await page.getByRole('button', { name: 'Remove *.example', exact: true }).click()
    await page.getByLabel('Host 3', { exact: true }).fill('Blog.example')
    await page.getByLabel('Is not required').check()
    await save()
    await page.getByText('Site settings saved.').first().waitFor()
    expect(await call('GET', '/web-settings')).toMatchObject({
      ...{ hosts: ['shop.example', '*.shop.example', 'blog.example'], consent: 'NOT_REQUIRED', maxDelayMs: 1500 },
    })
    await expect.poll(() => page.getByLabel('Host 3', { exact: true }).inputValue()).toBe('blog.example')
  })

  inFull('dashboard/conflicts')('keep what two people have changed', async () => {
    await page.getByLabel('Is required', { exact: true }).check()
    await page.getByLabel('Show the variation').check()
    await page.getByLabel('Age of the script').fill('30')
    const before = await call('GET', '/web-settings')
    await call('PUT', '/web-settings', { ...before, hosts: ['shop.example'], scriptMaxAgeSeconds: 120 })
    await save()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Age of the script').first().waitFor()
    await dialog.getByText('120 seconds').first().waitFor()
    await expectGoodPage(owner, 'site settings in conflict')
    await dialog.getByLabel(/30 seconds/).check()
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => call('GET', '/web-settings'))
      .toMatchObject({
        ...{ hosts: ['shop.example'], consent: 'REQUIRED', pending: 'APPLY', scriptMaxAgeSeconds: 30 },
      })
  })
})

describe('the tag', () => {
  it('waits for the first page of an environment, and says what to check', async () => {
    await openPage(page, `${project}/connect?env=development`)
    await page.getByText('Waiting for the first page').waitFor()
    await page.getByText('What to check').click()
    await page.getByText(/^Run this where your visitors are. 200 is good./).waitFor()
    await expectGoodPage(owner, 'tag waiting')
  })

  it('shows the host as soon as its page has the tag', async () => {
    await call('PUT', '/web-settings', { hosts: ['shop.example'] })
    await page.getByRole('tab', { name: 'Async, with hidden parts' }).click()
    const tag = await page.getByRole('region', { name: 'Tag, Async, with hidden parts' }).locator('code').innerText()
    const shop = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><html><head>${tag}</head><body><h1 data-svc-hide>Our plans</h1></body></html>`)
    })
    await once(shop.listen(0, '127.0.0.1'), 'listening')
    const guest = await site.visit()
    // A page that a program drives sends nothing.
    await guest.context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }),
    )
    await guest.page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
    await guest.page.locator('html.svc').waitFor()
    await guest.page.getByRole('heading', { name: 'Our plans' }).waitFor()
    await page.getByRole('list', { name: 'Hosts with the tag' }).getByText('localhost').waitFor()
    await page.getByText('localhost is not among the hosts of this site').waitFor()
    await expectGoodPage(owner, 'tag seen')
    shop.close()
  })
})

describe('the targeting of an experiment', () => {
  const pageOf = (name: string) => page.getByRole('group', { name, exact: true })
  const answer = (words: string | RegExp) => page.getByText(words).first().waitFor()

  it('is edited, with each fault at its line, and saved', async () => {
    await openPage(page, `${project}/experiments/2/targeting`)
    await page.getByRole('button', { name: 'Add page' }).click()
    await pageOf('Page 2').getByLabel('Name', { exact: true }).fill('All plans')
    await pageOf('All plans').getByLabel('How it is compared').selectOption('starts with')
    await page.getByRole('button', { name: 'Save targeting' }).click()
    await pageOf('All plans').getByText('Enter a value, such as /pricing.').waitFor()
    await hasFocus(pageOf('All plans').getByLabel('Value'))
    await page.keyboard.type('/plans?view=all')
    await page.getByRole('button', { name: 'Save targeting' }).click()
    await pageOf('All plans')
      .getByText(/^Must not contain \? or #/)
      .waitFor()
    await expectGoodPage(owner, 'targeting with a fault')
    await pageOf('All plans').getByLabel('Value').fill('/plans')
    await page.getByLabel('When an element is seen').check()
    await page.getByLabel('Selector of the element').fill('.reviews')
    await page.getByLabel('Traffic', { exact: true }).fill('50')
    await page.getByRole('button', { name: 'Save targeting' }).click()
    await page.getByText('Targeting saved.').first().waitFor()
    expect(await call('GET', '/experiments/2')).toMatchObject({
      pages: [
        { key: 'pricing' },
        {
          key: 'all-plans',
          url: null,
          conditions: { attribute: 'page.path', operator: 'startsWith', value: '/plans' },
        },
      ],
      ...{ trafficAllocation: 5000, activation: 'SEEN', activationSelector: '.reviews' },
    })
  })

  it('has every condition behind “More conditions”', async () => {
    await pageOf('Pricing').getByRole('button', { name: 'More conditions' }).click()
    await pageOf('Pricing').getByRole('button', { name: 'Condition', exact: true }).click()
    await pageOf('Pricing').getByLabel('Attribute').last().fill('device')
    await pageOf('Pricing').getByLabel('Operator').last().selectOption('is')
    await pageOf('Pricing').getByLabel('Value', { exact: true }).last().fill('mobile')
    await page.getByRole('button', { name: 'Save targeting' }).click()
    await expect
      .poll(async () => (await call('GET', '/experiments/2')).pages[0].conditions.all)
      .toEqual([expect.anything(), { attribute: 'device', operator: 'equals', value: 'mobile' }])
  })

  it('is tried on an address, for a visitor', async () => {
    await call('PATCH', '/experiments/2', { trafficAllocation: 10_000 })
    await openPage(page, `${project}/experiments/1/targeting`)
    const address = page.getByRole('textbox', { name: 'Address', exact: true })
    expect(await address.inputValue()).toBe('https://shop.example/pricing')
    await answer(/^The visitor gets (Original|With price) and is counted\.$/)
    await answer('The address is Pricing.')
    await address.fill('https://shop.example/about')
    await answer('This address is no page of the experiment.')
    await address.fill('https://shop.example/?view=plans')
    await answer('The address is Plans.')
    await page.getByText('Visitor', { exact: true }).click()
    await page.getByLabel('Visitor id').fill('')
    await answer('Without a visitor id, nobody can be assigned to a variation. Enter one.')
    await expectGoodPage(owner, 'targeting tried')
    await address.fill('shop.example')
    await answer('Enter an address that begins with http:// or https://.')
  })
})

inFull('dashboard/offered')(
  'a viewer of a web project reads settings and targeting in words, and tries an address',
  async () => {
    const viewer = await site.visit(grace, `${project}/settings/site`)
    await viewer.page.getByText('Ada Lovelace (owner) can change your role.').waitFor()
    await viewer.page.getByText('shop.example').first().waitFor()
    expect(await viewer.page.getByRole('main').locator('input').count()).toBe(0)
    await expectGoodPage(viewer, 'site settings of a viewer')
    await openPage(viewer.page, `${project}/experiments/1/targeting`)
    await viewer.page.getByText(/^Pricing: path is \/pricing; Plans: /).waitFor()
    await viewer.page.getByText(/and is counted\.$/).waitFor()
    await settled(viewer.page)
    await expectGoodPage(viewer, 'targeting of a viewer')
  },
)
