import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyWebhook } from '../../packages/sdk/src/webhooks.ts'
import { type Authority, makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { trust } from '../../packages/server/testing/vendors/trusted.ts'
import { expectGoodPage, hasFocus, keeps, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const list = '/1-acme/1-web-shop/integrations/webhooks'
const project = '/api/v1/projects/1'
const hostile = '<script>alert(1)</script> سلة التسوق'

/** What arrived at the receiver and had a valid signature. */
const arrived: { id: string; event: string }[] = []
/** What came while the receiver answered with an error. */
const failed: string[] = []
let answer: { status: number; body: string }
let secret: string
let refused: number

let authority: Authority
let distrust: () => void
let receiver: Server
let address: string
beforeAll(async () => {
  arrived.length = 0
  failed.length = 0
  answer = { status: 204, body: '' }
  secret = ''
  refused = 0
  authority = await makeAuthority()
  distrust = await trust(authority)
  receiver = createServer(await authority.issue(['localhost']), async (request, response) => {
    const body = await buffer(request)
    const delivery = await verifyWebhook(body, request.headers, secret).catch(() => undefined)
    if (!delivery) refused += 1
    else if (answer.status < 300) arrived.push(delivery)
    else failed.push(delivery.event)
    response.writeHead(delivery ? answer.status : 401, { 'content-type': 'text/html' }).end(answer.body)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `https://localhost:${(receiver.address() as AddressInfo).port}/in`
})
afterAll(async () => {
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  distrust()
  await authority.remove()
})

const site = openSite(twoOrganizations, () => ({
  SVC_WEBHOOK_ALLOWED_HOSTS: new URL(address).host,
  // What waits for its next try still waits at the end of this file.
  SVC_WEBHOOK_RETRY_DELAYS: '12h',
}))
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

let flags = 0
/** Causes one `flag.created`. */
const fire = () => {
  flags += 1
  return prepare(site.service.url, 'POST', `${project}/flags`, offOn(`Flag ${flags} ${hostile}`, `flag-${flags}`))
}
const deliveries = () => page.getByRole('table', { name: 'Deliveries' })
const webhookNow = async () => (await prepare(site.service.url, 'GET', `${project}/webhooks`))[0]

it('a person creates a webhook, and a real receiver verifies its test ping with the shown secret', async () => {
  await openPage(page, list)
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create a webhook' })
  await hasFocus(dialog.getByLabel('Name'))
  await page.keyboard.type('Deploy log')
  await dialog.getByLabel('Address').fill('http://localhost/in')
  await dialog.getByLabel('flag.created').check()
  await dialog.getByLabel('flag.published').uncheck()
  await dialog.getByText('Flag created. Contains the flag.').waitFor()
  const family = dialog.getByRole('group', { name: 'Audiences and segments: all' })
  const inFamily = family.getByLabel('audience.created', { exact: true })
  expect(await inFamily.isVisible()).toBe(false)
  await family.locator('summary', { hasText: '0 of 6' }).press('Enter')
  await inFamily.check()
  await family.locator('summary', { hasText: '1 of 6' }).waitFor()
  await inFamily.uncheck()
  await family.locator('summary', { hasText: '0 of 6' }).press('Enter')
  await inFamily.waitFor({ state: 'hidden' })
  await expectGoodPage(owner, 'webhook create')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await hasFocus(dialog.getByLabel('Address'))
  await dialog.getByLabel('Address').fill(address)
  await dialog.getByRole('button', { name: 'Create webhook' }).click()

  const shown = page.getByRole('dialog', { name: 'Deploy log is ready' })
  secret = await shown.getByLabel('Signing secret').inputValue()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { name: 'Deploy log', level: 1 }).waitFor()
  await page.getByText('Healthy').waitFor()
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.getByRole('button', { name: 'Send test ping' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /HTTP 204 in [\d,]+ ms/ })
    .waitFor()
  await deliveries().getByRole('row').filter({ hasText: 'webhook.test' }).filter({ hasText: 'Delivered' }).waitFor()
  expect(arrived.map(({ event }) => event)).toEqual(['webhook.test'])
})

it('the page shows the answer of a receiver as text, and how to send the request again', async () => {
  answer = { status: 410, body: `${hostile}<img src=x onerror=alert(2)>` }
  await fire()
  await expect.poll(async () => (await webhookNow()).consecutiveFailures).toBe(1)
  await page.reload()
  await page.getByText('1 failure in a row (disabled at 5)').waitFor()
  await page.getByText('Four more failed deliveries in a row disable it.').waitFor()
  await deliveries().getByRole('link', { name: 'flag.created' }).click()
  const panel = page.getByRole('dialog', { name: 'flag.created' })
  await panel.getByText('Refused for good').waitFor()
  await panel.getByText('HTTP 410').waitFor()
  await panel.getByRole('region', { name: 'Body of the answer' }).getByText('<img src=x onerror=alert(2)>').waitFor()
  await panel.getByText('Send it yourself with curl').click()
  await panel.getByText('openssl dgst -sha256 -hmac').waitFor()
  expect(new URL(page.url()).searchParams.get('delivery')).not.toBeNull()
  await expectGoodPage(owner, 'webhook delivery')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('delivery')).toBeNull()
})

it('a webhook is disabled after five failures; switched on again and replayed, everything arrives', async () => {
  for (const _ of [2, 3, 4, 5]) await fire()
  await expect.poll(async () => (await webhookNow()).enabled).toBe(false)
  await readAgain(page)
  await page.getByText('5 consecutive deliveries failed.').waitFor()
  await expectGoodPage(owner, 'webhook')
  // A receiver that still fails gets one test ping, and what is held stays held.
  const tried = { arrived: arrived.length, failed: failed.length }
  answer = { status: 503, body: '' }
  await page.getByRole('button', { name: 'Switch on again' }).click()
  await page.getByText('Still off: the test has failed').waitFor()
  await page.getByText('The receiver answered: HTTP 503.').waitFor()
  await page.getByRole('button', { name: 'Switch on anyway' }).waitFor()
  expect((await webhookNow()).enabled).toBe(false)
  await expectGoodPage(owner, 'webhook still off')
  answer = { status: 204, body: '' }
  await page.getByRole('button', { name: 'Switch on again' }).click()
  await page.getByText('Healthy').waitFor()
  expect(failed.slice(tried.failed)).toEqual(['webhook.test'])
  expect(arrived.slice(tried.arrived).map(({ event }) => event)).toEqual(['webhook.test'])

  const before = arrived.length
  await page.getByRole('button', { name: 'Replay a time range…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay a time range' })
  await dialog.getByText('5 deliveries are sent again.').waitFor()
  await expectGoodPage(owner, 'webhook replay')
  await dialog.getByLabel('Time zone').selectOption('UTC')
  await dialog.getByLabel('From').fill('2026-01-02T03:04')
  await dialog.getByLabel('Until').fill('2026-01-02T03:05')
  await dialog.getByText('There is nothing to send again in this time.').waitFor()
  await keeps(page, '2026-01-02T03:05')

  // Nothing typed is lost.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Replay a time range…' }).click()
  await dialog.getByText('These are your unsaved changes from before.').waitFor()
  expect(await dialog.getByLabel('Time zone').inputValue()).toBe('UTC')
  expect(await dialog.getByLabel('From').inputValue()).toBe('2026-01-02T03:04')
  expect(await dialog.getByLabel('Until').inputValue()).toBe('2026-01-02T03:05')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.getByText('5 deliveries are sent again.').waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => arrived.length - before).toBe(5)
  expect(refused).toBe(0)

  // How far it is stays on the page, over a reload, until it is closed.
  const progress = page.getByRole('status').filter({ hasText: 'Replay of 5 deliveries' })
  await progress.getByText('All have arrived.').waitFor()
  await page.reload()
  await progress.getByText('All have arrived.').waitFor()
  expect(await dialog.count()).toBe(0)
  await expectGoodPage(owner, 'webhook replayed')
  await progress.getByRole('button', { name: 'Close' }).click()
  await progress.waitFor({ state: 'detached' })
  await page.reload()
  await deliveries().waitFor()
  expect(await progress.count()).toBe(0)
})

it('the page sends a replay once, when the page is loaded again before the answer', async () => {
  await page.getByRole('button', { name: 'Replay a time range…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay a time range' })
  await dialog.getByLabel('Also those that arrived').check()
  await dialog.getByText('5 deliveries are sent again.').waitFor()
  await keeps(page, '"includeDelivered":true')
  const before = arrived.length
  const replay = (url: URL) => url.pathname.endsWith('/replay')
  await page.route(replay, async (route) => void (await route.fetch()))
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => arrived.length - before).toBe(5)
  await page.reload()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await dialog.getByLabel('Also those that arrived').and(page.locator(':checked')).waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('status').filter({ hasText: 'Replay of 5 deliveries' }).getByText('All have arrived.').waitFor()
  expect(arrived.length - before).toBe(5)
  const progress = page.getByRole('status').filter({ hasText: 'Replay of 5 deliveries' })
  await progress.getByRole('button', { name: 'Close' }).click()
})

it('the page keeps the filters in the address', async () => {
  const choose = async (filter: string, option: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Filter' })
    await panel.getByRole('button', { name: filter }).click()
    await panel.getByRole('checkbox', { name: option, exact: true }).check()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  }
  await choose('Event', 'webhook.test')
  await page.waitForURL('**event=webhook.test**')
  // The header, the test at the beginning, and those with which the webhook was switched on again.
  await expect.poll(() => deliveries().getByRole('row').count()).toBe(4)
  await choose('Status', 'Waiting')
  await page.getByRole('heading', { name: 'No delivery matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => deliveries().getByRole('row').count()).toBe(9)
})

it('the dialog rotates the secret, and says what still uses the old one', async () => {
  answer = { status: 503, body: '' }
  await fire()
  const nextTries = async () => (await deliveriesOf('PENDING')).map(({ nextRetryAt }) => typeof nextRetryAt)
  await expect.poll(nextTries).toEqual(['string'])
  await readAgain(page)
  await page.getByText('Retrying 1 delivery').waitFor()
  await page.getByRole('link', { name: 'All webhooks' }).click()
  await page.getByRole('row', { name: /Deploy log .* Retrying 1 delivery/ }).waitFor()
  await page.getByRole('link', { name: 'Deploy log' }).click()
  await page.getByRole('button', { name: 'Rotate secret…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret of Deploy log?' })
  await dialog.getByText('1 delivery still uses the old secret, until').waitFor()
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Deploy log has a new secret' })
  await shown.getByText('1 delivery still uses the old secret, until').waitFor()
  secret = await shown.getByLabel('Signing secret').inputValue()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  answer = { status: 200, body: '' }
  await page.getByRole('button', { name: 'Send test ping' }).click()
  await page.getByRole('status').filter({ hasText: 'HTTP 200 in' }).waitFor()
})

it('the page keeps the main button and its dialogs when the window gets narrow or wide', async () => {
  const mark = (button: string) =>
    page.getByRole('button', { name: button }).evaluate((element) => element.setAttribute('data-marked', ''))
  const marked = page.locator('[data-marked]')
  const narrowAndWide = async (button: string) => {
    await mark(button)
    for (const size of [
      { width: 360, height: 740 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      // At the bottom of a narrow window.
      await expect.poll(async () => ((await marked.boundingBox())?.y ?? 0) > 600).toBe(size.width === 360)
    }
  }
  await narrowAndWide('Send test ping')
  await page.getByRole('link', { name: 'All webhooks' }).click()
  await narrowAndWide('Create webhook')
  await page.goBack()
  await page.getByRole('button', { name: 'Send test ping' }).waitFor()
})

inFull('ui/table/held')('the list leaves the deliveries where they are while new ones are made', async () => {
  const rows = () => deliveries().getByRole('row').count()
  // The header, the eight from before the secret was rotated, the one that waits and the last test ping.
  const before = 11
  await expect.poll(rows).toBe(before)
  await fire()
  const waiting = page.getByRole('status').filter({ hasText: '1 new delivery' })
  // The list is read every 10 s.
  await waiting.waitFor({ timeout: 30_000 })
  expect(await rows()).toBe(before)
  await waiting.getByRole('button', { name: 'Show' }).click()
  await expect.poll(rows).toBe(before + 1)
})

it('a person edits a webhook and switches it off; waiting deliveries are held', async () => {
  await page.keyboard.press('e')
  const edit = page.getByRole('dialog', { name: 'Edit Deploy log' })
  await edit.getByLabel('Name').fill(hostile)
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Switch off…' }).click()
  const off = page.getByRole('dialog', { name: `Switch off ${hostile}?` })
  await off.getByText('1 delivery waiting now is held').waitFor()
  await off.getByRole('button', { name: 'Switch off' }).click()
  await off.waitFor({ state: 'detached' })
  await deliveries().getByText('Held until you switch it on').waitFor()
  await page.getByRole('link', { name: 'All webhooks' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.getByText('Switched off').waitFor()
  await expectGoodPage(owner, 'webhooks')
})

if (isFull)
  it('the page lets viewers look, but offers them nothing to change', async () => {
    const viewer = await site.visit(grace, list)
    await viewer.page.getByText('You can look at webhooks and deliveries.').waitFor()
    await viewer.page.getByRole('link', { name: hostile }).click()
    await viewer.page.getByRole('table', { name: 'Deliveries' }).waitFor()
    expect(
      await viewer.page
        .getByRole('main')
        .getByRole('button', { name: /Edit|Rotate|Delete|Replay|ping|Retry|Switch/ })
        .count(),
    ).toBe(0)
    expect(viewer.complaints).toEqual([])
    await viewer.context.close()
  })

it('a webhook is deleted when its name is typed, and its address then says so', async () => {
  await page.getByRole('link', { name: hostile }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${hostile}?` })
  await dialog.getByRole('textbox').fill(hostile)
  const gone = page.url()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await openPage(page, gone)
  await page.getByRole('heading', { name: 'Webhook not found' }).waitFor()
})

const deliveriesOf = async (status: string): Promise<{ nextRetryAt: string | null }[]> =>
  prepare(site.service.url, 'GET', `${project}/webhooks/${(await webhookNow()).id}/deliveries?status=${status}`)
