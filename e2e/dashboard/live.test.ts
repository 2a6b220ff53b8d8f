import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { proportion } from '../../packages/server/testing/metrics.ts'
import { enter, hasFocus, type Visitor } from './browser.ts'
import { callInPage, offOn, prepare } from './calls.ts'
import { ada } from './people.ts'
import { openProcess } from './site.ts'
import { openPage } from './walk.ts'

// Webhooks need a host that this machine can resolve. Nothing is sent there.
const site = openProcess(undefined, { SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:9' })
let owner: Visitor
let page: Page
let acme: string
/** The addresses of the streams that tabs of this browser have opened. */
const streams: URL[] = []

beforeAll(async () => {
  owner = await site.visit()
  page = owner.page
  streams.length = 0
  owner.context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/dashboard/stream') streams.push(url)
  })
  acme = (await prepare(site.service.url, 'GET', '/api/v1/organization')).id
  await enter(owner, site.service.url, ada)
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor()
})

/** A dialog hides the rest of the page from the roles of the accessibility tree. */
const role = (name: string, on = page) => on.locator('section section', { has: on.locator('h3', { hasText: name }) })
/** Another member changes something: a program with a token named Tests. */
const create = async (name: string) =>
  (await prepare(site.service.url, 'POST', '/api/v1/roles', { name, capabilities: [] })).id as string
const spoken = (on = page) => on.locator('main div[aria-live=polite]')
const spokenAtOnce = () => page.locator('main [aria-live=assertive]')

it('the dashboard shows what another person created without a reload, and focus and typed text stay', async () => {
  await page.getByRole('button', { name: 'Create role' }).click()
  const name = page.getByRole('dialog').getByLabel('Name')
  await name.fill('Half a na')
  await name.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 4))
  await create('Support')
  await role('Support').waitFor({ state: 'attached' })
  await hasFocus(name)
  expect(await name.inputValue()).toBe('Half a na')
  expect(await name.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd])).toEqual([2, 4])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

it('the dashboard says who changed something on the screen, but not of own changes', async () => {
  const { id } = await callInPage(page, acme, 'GET', '/api/v1/roles').then(({ body }) =>
    body.data.find(({ name }: { name: string }) => name === 'Support'),
  )
  await page.getByRole('button', { name: 'Edit Support' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Answers questions')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await role('Support').getByText('Answers questions').waitFor()
  // The own change was announced before this one.
  await create('Marker')
  await role('Marker').waitFor()
  expect(await role('Support').getByText('Ada Lovelace, ').count()).toBe(0)
  expect(await spoken().textContent()).toBe('')

  await prepare(site.service.url, 'PATCH', `/api/v1/roles/${id}`, { name: 'Helpdesk' })
  await role('Helpdesk').getByText('Tests, just now').waitFor()
  await spoken().getByText('Tests changed this role.').waitFor({ state: 'attached' })
})

it('the dashboard has one stream for all tabs, and the next tab continues when one closes', async () => {
  expect(streams).toHaveLength(1)
  const second = await owner.context.newPage()
  await second.goto(page.url())
  await role('Helpdesk', second).waitFor()
  await create('In two tabs')
  await role('In two tabs').waitFor()
  await role('In two tabs', second).waitFor()
  expect(streams).toHaveLength(1)
  await page.close()
  page = second
  await expect.poll(() => streams.length).toBe(2)
  expect(streams[1]!.searchParams.get('after')).toMatch(/^\d+$/)
  await create('After the first tab')
  await role('After the first tab').waitFor()
})

inFull('dashboard/live')('the dashboard continues after the service was restarted', async () => {
  await site.service.restart()
  await create('After the restart')
  await role('After the restart').waitFor()
})

it('the dashboard keeps an environment that another person deletes readable, with what is typed', async () => {
  const path = '/api/v1/projects/1/environments'
  const { key } = await prepare(site.service.url, 'POST', path, { name: 'Sandbox' })
  await openPage(page, `/1-acme/1-web-shop/environments/${key}`)
  await page.getByLabel('Name').fill('Sandbox of June')
  await prepare(site.service.url, 'DELETE', `${path}/${key}`)
  await page.getByText('Deleted by Tests').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Sandbox of June')
  expect(await page.getByRole('button', { name: 'Delete environment' }).count()).toBe(0)
  await page.getByRole('heading', { level: 1, name: 'Sandbox' }).waitFor()
})

it('the dashboard says who deleted a metric, once, and offers nothing more', async () => {
  const path = '/api/v1/projects/1/metrics'
  const { key } = await prepare(site.service.url, 'POST', path, proportion('order_paid'))
  await openPage(page, `/1-acme/1-web-shop/metrics/${key}`)
  await page.getByRole('button', { name: 'Edit metric' }).waitFor()
  await prepare(site.service.url, 'DELETE', `${path}/${key}`)
  await page.getByText('Deleted by Tests').waitFor()
  await spokenAtOnce().getByText('Tests deleted this metric.').waitFor({ state: 'attached' })
  expect(await spoken().textContent()).toBe('')
  expect(await page.getByText('Tests, just now').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^(Edit metric|Archive|Delete…)$/ }).count()).toBe(0)
})

it('the dialog of a holdout or a group that another person deletes stays open, with what is typed', async () => {
  const nouns = [
    ['holdouts', { name: 'Without tests', share: 500 }],
    ['exclusion-groups', { name: 'Prices', slotSize: 2500 }],
  ] as const
  // Both have one form.
  for (const [noun, content] of isFull ? nouns : nouns.slice(0, 1)) {
    const path = `/api/v1/projects/1/${noun}`
    const { id } = await prepare(site.service.url, 'POST', path, content)
    await openPage(page, `/1-acme/1-web-shop/${noun}`)
    await page.getByRole('button', { name: `Edit ${content.name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Edit ${content.name}` })
    await dialog.getByLabel('Name').fill('Another name')
    await prepare(site.service.url, 'DELETE', `${path}/${id}`)
    await dialog.getByText('Deleted by Tests').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Another name')
  }
})

inFull('dashboard/audiences')(
  'the lists of tokens, invitations and webhooks keep rows in place while a person reads',
  async () => {
    const elsewhere = await site.visit(ada)
    const add = async (path: string, body: object) => {
      const answer = await callInPage(elsewhere.page, acme, 'POST', path, body)
      expect(answer.status).toBe(201)
    }
    const names = (table: string) => page.getByRole('table', { name: table }).getByRole('rowheader').allTextContents()
    const holds = async (table: string, noun: string, addOne: () => Promise<void>) => {
      await page.getByRole('table', { name: table }).waitFor()
      const before = await names(table)
      await addOne()
      const waiting = page.getByRole('status').filter({ hasText: `1 new ${noun}` })
      await waiting.waitFor()
      expect(await names(table)).toEqual(before)
      await waiting.getByRole('button', { name: 'Show' }).click()
      await expect.poll(async () => (await names(table)).length).toBe(before.length + 1)
      await waiting.waitFor({ state: 'detached' })
    }
    const token = { scopes: ['flags:read'], expiresIn: 'never' }
    await openPage(page, '/1-acme/settings/tokens')
    await holds('Service tokens', 'token', () => add('/api/dashboard/service-tokens', { ...token, name: 'Elsewhere' }))
    // What the person does is shown at once: the rotated token has a row for its old secret.
    await page.getByRole('button', { name: 'Rotate Elsewhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Revoke Elsewhere (previous secret)' }).waitFor()

    const roles = await prepare(site.service.url, 'GET', '/api/v1/roles')
    const { id: roleId } = roles.find(({ name }: { name: string }) => name === 'VIEWER')
    const invite = (email: string) => () => add('/api/v1/members/invitations', { email, roleId })
    await invite('first@example.com')()
    await openPage(page, '/1-acme/settings/members')
    await holds('Open invitations', 'invitation', invite('second@example.com'))

    const webhook = (name: string) => () =>
      add('/api/v1/projects/1/webhooks', { name, url: 'https://localhost:9/in', events: ['flag.published'] })
    await webhook('First')()
    await openPage(page, '/1-acme/1-web-shop/integrations/webhooks')
    await holds('Webhooks', 'webhook', webhook('Second'))
    await elsewhere.context.close()
  },
)

it('the dashboard shows the true state of a switch after the service was killed before it could answer', async () => {
  const flags = '/api/v1/projects/1/flags'
  await prepare(site.service.url, 'POST', flags, offOn('Hello', 'hello'))
  await openPage(page, '/1-acme/1-web-shop/flags')
  let startAgain: (() => Promise<void>) | undefined
  // The change arrives, and its answer does not.
  await page.route(
    '**/run',
    async (route) => {
      await route.fetch()
      startAgain = await site.service.kill()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
  await page.getByText('It may not have arrived').waitFor()
  await startAgain!()
  await page.getByRole('switch', { name: 'Hello in Development: running' }).waitFor()
  await expect.poll(() => page.getByText('It may not have arrived').count()).toBe(0)
  expect((await prepare(site.service.url, 'GET', `${flags}/hello/envs/development`)).enabled).toBe(true)
})

inFull('dashboard/preferences')(
  'the dashboard shows a page that was opened for the first time while the service was away',
  async () => {
    const startAgain = await site.service.kill()
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await page.getByRole('heading', { name: 'This page cannot be shown', level: 1 }).waitFor()
    await startAgain()
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
  },
)

it('the dashboard opens the sign-in page when the session ends elsewhere', async () => {
  const elsewhere = await site.browser.newContext({ baseURL: site.service.url })
  const headers = { origin: site.service.url }
  const data = { email: ada.email, password: ada.password }
  await elsewhere.request.post('/api/dashboard/sign-in', { data, headers })
  expect((await elsewhere.request.post('/api/dashboard/sessions/end-others', { headers })).status()).toBe(200)
  await page.waitForURL((url) => url.pathname === '/sign-in')
})
