import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { type MailServer, startMailServer } from '../../packages/server/testing/vendors/mail.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(() => mail.close())

const site = openSite(twoOrganizations, () => ({ SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' }))
const project = '/api/v1/projects/1'
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

const shop = () => page.getByLabel('Web shop', { exact: true })
const save = () => page.getByRole('button', { name: 'Save notifications' }).click()
const addressIn = ({ text }: { text: string }) =>
  /Unsubscribe: (http\S+)/.exec(text.replaceAll('=\n', '').replaceAll('=3D', '='))![1]!

it('the page shows the default of the role, and how to choose', async () => {
  await openPage(page, '/account')
  await page.getByRole('navigation').getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await expect.poll(() => shop().locator('option:checked').textContent()).toBe('By your role: safety events')
  await expectGoodPage(owner, 'notifications')
})

it('the page saves chosen events, which then arrive by mail', async () => {
  await shop().selectOption('Chosen events')
  await page.getByText(/^Events: /).click()
  await page.getByLabel('flag.created', { exact: true }).check()
  await expectGoodPage(owner, 'notifications chosen')
  await save()
  await page.getByText('Notifications saved.').waitFor()
  await prepare(site.service.url, 'POST', `${project}/flags`, offOn('Told by mail', 'told-by-mail'))
  expect((await mail.next(ada.email)).text).toContain('created the flag')
})

inFull('subscriptions/choice')('the page asks for at least one event if none is chosen', async () => {
  await page.reload()
  await page.getByText(/^Events: /).click()
  const families = page.getByRole('group').getByRole('checkbox', { name: /: all$/ })
  await families.first().waitFor()
  for (const box of await families.all())
    for (let click = 0; click < 2 && ((await box.isChecked()) || (await isMixed(box))); click += 1) await box.click()
  await save()
  await page.getByText('Choose at least one event in Web shop').first().waitFor()
})

const isMixed = (box: { evaluate: (read: (element: Element) => boolean) => Promise<boolean> }) =>
  box.evaluate((element) => (element as HTMLInputElement).indeterminate)

it('a subscription ends with the link at the foot of a mail, but only after a click', async () => {
  const link = addressIn(mail.received.at(-1)!)
  const guest = await site.visit()
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: 'Unsubscribe' }).waitFor()
  await guest.page.getByText(ada.email).waitFor()
  await expectGoodPage(guest, 'unsubscribe')
  await guest.page.getByRole('button', { name: 'Unsubscribe' }).click()
  await guest.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await guest.page.reload()
  await guest.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await page.reload()
  await expect.poll(() => shop().locator('option:checked').textContent()).toBe('Nothing')
})

it('the page explains a link that is not valid', async () => {
  await page.goto('/unsubscribe#broken')
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await page.getByRole('link', { name: 'Choose your mail notifications' }).waitFor()
})

it('the service asks an address outside of the members for consent before it sends anything', async () => {
  const outside = 'partner@elsewhere.example'
  const body = { name: 'Partners', kind: 'EMAIL', config: { to: [ada.email, outside] }, events: ['flag.created'] }
  await prepare(site.service.url, 'POST', `${project}/destinations`, body)
  const { text } = await mail.next(outside)
  await openPage(page, '/1-acme/1-web-shop/integrations/destinations')
  await page.getByRole('link', { name: 'Partners' }).click()
  await page.getByText(`${outside} gets nothing before they agree.`).waitFor()
  if (isFull) await expectGoodPage(owner, 'destination unconfirmed')
  const guest = await site.visit()
  await guest.page.goto(/http\S+confirm-mail#\S+/.exec(text.replaceAll('=\n', '').replaceAll('=3D', '='))![0])
  await guest.page.getByRole('heading', { name: 'Agree to mail' }).waitFor()
  await expectGoodPage(guest, 'confirm mail')
  await guest.page.getByRole('button', { name: 'Agree' }).click()
  await guest.page.getByRole('heading', { name: 'You have agreed' }).waitFor()
  await readAgain(page)
  await expect.poll(() => page.getByText('Waiting for an answer').count()).toBe(0)
})
