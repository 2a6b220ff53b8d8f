import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Authority, makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { trust } from '../../packages/server/testing/vendors/trusted.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const list = '/1-acme/1-web-shop/integrations/destinations'
const project = '/api/v1/projects/1'
const hostile = '<script>alert(1)</script> <!channel> سلة التسوق'

/** The messages that arrived at the chat. */
const arrived: { text: string }[] = []
const issues: object[] = []
let answer: { status: number; body: string }

let authority: Authority
let distrust: () => void
let chat: Server
let port: number
beforeAll(async () => {
  arrived.length = 0
  issues.length = 0
  answer = { status: 200, body: 'ok' }
  authority = await makeAuthority()
  distrust = await trust(authority)
  chat = createServer(await authority.issue(['localhost']), async (request, response) => {
    const message = JSON.parse(await text(request))
    if (request.url === '/api/v3/repos/acme/shop/issues') {
      issues.push(message)
      response.writeHead(201).end(JSON.stringify({ number: 7, html_url: 'https://github.com/acme/shop/issues/7' }))
      return
    }
    if (answer.status === 200) arrived.push(message)
    response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
  port = (chat.address() as AddressInfo).port
})
afterAll(async () => {
  chat.closeAllConnections()
  await new Promise((resolve) => chat.close(resolve))
  distrust()
  await authority.remove()
})

const site = openSite(twoOrganizations, () => ({ SVC_WEBHOOK_ALLOWED_HOSTS: `localhost:${port}` }))
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const tests = () => arrived.filter((message) => message.text.startsWith('This is a test\n')).length
const deliveries = () => page.getByRole('table', { name: 'Deliveries' })

it('the page begins without destinations, and offers every kind', async () => {
  await openPage(page, list)
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  if (isFull) await expectGoodPage(owner, 'destinations none')
  await page.getByRole('link', { name: 'Create destination' }).click()
  await page.getByRole('link', { name: 'Slack' }).waitFor()
  expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(10)
  await expectGoodPage(owner, 'destination kinds')
})

it('the form says where the address is found, previews the message, and asks for missing fields', async () => {
  await page.getByRole('link', { name: 'Slack' }).click()
  await page.getByRole('heading', { name: 'New destination: Slack' }).waitFor()
  await page.getByText('Incoming Webhooks').waitFor()
  const preview = page.getByRole('region', { name: 'In Slack' })
  await preview.getByText(/An example|Made from the last event/).waitFor()
  await button('Create destination').click()
  await page.getByText('Enter the webhook URL.').first().waitFor()
  await page.getByText('Enter a name.').first().waitFor()
  await expectGoodPage(owner, 'destination form')
})

it('the form refuses an address that leads to a private network, at its field', async () => {
  await page.getByLabel('Name', { exact: true }).fill('#releases')
  await page.getByLabel('Webhook URL').fill('hooks.example.com/x')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.getByText('Must be an address that begins with https://.').waitFor()
  await page.getByLabel('Webhook URL').fill('https://10.0.0.1/x')
  await button('Create destination').click()
  await page.getByText('URL must use a hostname, not an IP address').first().waitFor()
  await page.getByLabel('Webhook URL').and(page.locator('[aria-invalid=true]')).waitFor()
})

it('a destination is created, tested with the answer at once, and never shows its secret again', async () => {
  await page.getByLabel('Webhook URL').fill(`https://localhost:${port}/services/T0/B0/longSecretWxYz`)
  await page.getByLabel('flag.created', { exact: true }).check()
  await button('Create destination').click()
  await page.getByRole('heading', { name: '#releases', level: 1 }).waitFor()
  await page.getByText(`https://localhost:${port}/…WxYz`).first().waitFor()
  await button('Send test message').click()
  await page.getByText(/HTTP 200 in [\d,]+ ms/).waitFor()
  expect(arrived.at(-1)!.text).toMatch(/^This is a test\n/)
  expect(await page.content()).not.toContain('longSecret')
})

it('a destination sends an event, and shows the message', async () => {
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn(`Basket ${hostile}`, 'basket'))
  await expect.poll(() => arrived.some((message) => message.text.includes('&lt;!channel&gt;'))).toBe(true)
  await page.reload()
  await deliveries().getByRole('link', { name: 'flag.created' }).click()
  const panel = page.getByRole('complementary', { name: /flag\.created/ }).or(page.getByRole('dialog'))
  await panel
    .getByText(/created the flag "Basket <script>/)
    .first()
    .waitFor()
  await panel.getByText('What is sent').click()
  await panel.getByText('POST •••').waitFor()
  await panel.getByRole('region', { name: 'Body' }).getByText('"blocks"').waitFor()
  await expectGoodPage(owner, 'destination delivery')
  await page.keyboard.press('Escape')
  await expectGoodPage(owner, 'destination page')
})

it('a destination is edited without typing the secret again', async () => {
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('heading', { name: 'Edit #releases' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('#launches')
  if (isFull) await expectGoodPage(owner, 'destination edit')
  await button('Save destination').click()
  await page.getByRole('heading', { name: '#launches', level: 1 }).waitFor()
  await button('Send test message').click()
  await expect.poll(tests).toBe(2)
})

it('a destination says that it failed, and is switched off and on', async () => {
  answer = { status: 404, body: 'no_service' }
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn('Failing', 'failing'))
  // The flag is created, and published in two environments. One message goes out each second.
  await expect
    .poll(async () => (await prepare(site.service.url, 'GET', `${project}/destinations`))[0].consecutiveFailures)
    .toBe(3)
  await readAgain(page)
  await page.getByText('3 failures in a row (disabled at 5)').waitFor()
  await button('Switch off…').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('button', { name: 'Switch on again' }).click()
  await button('Switch off…').waitFor()
})

if (isFull)
  it('a destination is read-only for people who cannot change it', async () => {
    const viewer = await site.visit(grace, list)
    await viewer.page.getByRole('main').getByText('#launches').or(viewer.page.getByText('Your role')).first().waitFor()
    expect(await viewer.page.getByRole('link', { name: 'Create destination' }).count()).toBe(0)
  })

/** The preview of the form for a new destination of a kind. */
async function drawn(kind: string, label: string) {
  await openPage(page, `${list}/new?kind=${kind}`)
  const preview = page.getByRole('region', { name: `In ${label}` })
  await preview.getByText(/An example|Made from the last event/).waitFor()
  return preview
}

it('the preview draws a ticket as such', async () => {
  await (await drawn('GITHUB', 'GitHub issues')).getByText('Label: svc').waitFor()
  if (isFull) await expectGoodPage(owner, 'destination form ticket')
})

inFull('telling/integrations/routes')('the preview draws an alarm and a mail, and a template as sent', async () => {
  await (await drawn('EMAIL', 'E-mail')).getByText('Subject', { exact: true }).waitFor()
  const alarm = await drawn('PAGERDUTY', 'PagerDuty')
  expect(await alarm.getByText('Severity').count()).toBe(0)
  await button('Alarms').click()
  await alarm.getByText('Severity: critical').waitFor()
  const template = await drawn('TEMPLATE', 'Template')
  await template
    .getByRole('region', { name: 'Body' })
    .getByText(/in Web shop/)
    .waitFor()
})

inFull('dashboard/shell')('a destination is found by its name', async () => {
  await openPage(page, '/1-acme/1-web-shop/flags')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('launches')
  await page.getByRole('option', { name: /#launches/ }).click()
  await page.getByRole('heading', { name: '#launches', level: 1 }).waitFor()
})

it('a destination is listed, and deleted after its name is typed', async () => {
  await openPage(page, list)
  await expectGoodPage(owner, 'destinations list')
  await page.getByRole('link', { name: '#launches' }).click()
  await button('Delete…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('#launches')
  await dialog.getByRole('button', { name: 'Delete destination' }).click()
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
})

it('the page of a flag shows its open ticket', async () => {
  const config = {
    apiUrl: `https://localhost:${port}/api/v3`,
    owner: 'acme',
    repo: 'shop',
    token: 'ghp_longSecretWxYz',
  }
  const events = ['flag.created']
  await prepare(site.service.url, 'POST', `${project}/destinations`, { name: 'Issues', kind: 'GITHUB', config, events })
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn('Told by a ticket', 'told-by-a-ticket'))
  // The ticket is written down a moment after it has arrived.
  const deliveries = async () => {
    const all = await prepare(site.service.url, 'GET', `${project}/destinations`)
    const { id } = all.find(({ name }: { name: string }) => name === 'Issues')
    return prepare(site.service.url, 'GET', `${project}/destinations/${id}/deliveries`)
  }
  await expect.poll(deliveries).toMatchObject([{ status: 'DELIVERED' }])
  expect(issues).toHaveLength(1)
  await openPage(page, '/1-acme/1-web-shop/flags/told-by-a-ticket')
  const link = page.getByRole('list', { name: 'Open tickets' }).getByRole('link', { name: 'GitHub #7' })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe('https://github.com/acme/shop/issues/7')
  if (isFull) await expectGoodPage(owner, 'flag with ticket')
})
