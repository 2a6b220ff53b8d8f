import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { type MailServer, startMailServer } from '../../packages/server/testing/vendors/mail.ts'
import { startProvider, type TestProvider } from '../../packages/server/testing/vendors/oidc.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { acmeToken, ada, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

/** A member of Globex only. */
const elsewhere = { email: 'annie@example.com', name: 'Annie Easley', password: 'centaur rockets burn' }

let provider: TestProvider
let mail: MailServer
afterAll(async () => {
  await mail?.close()
  await provider?.close()
})

const [acme, globex] = twoOrganizations.organizations
const site = openSite(
  { organizations: [acme, { ...globex, members: [...(globex?.members ?? []), { ...elsewhere, role: 'VIEWER' }] }] },
  async (url) => {
    provider = await startProvider({ baseUrl: url })
    mail = await startMailServer()
    secrets.note(provider.settings.clientSecret)
    return {
      SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings]),
      SVC_SMTP_URL: mail.url,
      SVC_MAIL_FROM: 'svc@example.com',
    }
  },
)
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit()
  page = owner.page
})

const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const adaThere = { sub: 'ada', email: ada.email, email_verified: true, name: ada.name }

describe('an OpenID Connect provider', () => {
  inFull('people/oidc/routes')(
    'that refuses the sign-in leads back to the sign-in page, which shows the reason',
    async () => {
      await page.goto('/sign-in?returnTo=/account')
      provider.account = null
      await page.getByRole('link', { name: 'Sign in with acme ID' }).click()
      await page.getByRole('alert').getByText('did not let you in').waitFor()
      await expectGoodPage(owner, 'sign-in provider-denied')
    },
  )

  it('signs in a known person and opens the requested page', async () => {
    provider.account = adaThere
    await page.goto('/sign-in?returnTo=/account/security')
    await page.getByRole('link', { name: 'Sign in with acme ID' }).waitFor()
    if (isFull) await expectGoodPage(owner, 'sign-in providers')
    await page.getByRole('link', { name: 'Sign in with acme ID' }).click()
    await title('Security').waitFor()
    await page.getByRole('table', { name: 'Linked accounts' }).getByText(ada.email).waitFor()
    await expectGoodPage(owner, 'account identities')
  })

  it('can be unlinked and linked on the page about security', async () => {
    await page.getByRole('button', { name: 'Unlink acme ID' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('No accounts linked yet.').waitFor()
    await page.getByRole('link', { name: 'Link acme ID' }).click()
    await page.getByRole('table', { name: 'Linked accounts' }).getByText(ada.email).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/security')
  })

  inFull('people/oidc/routes-claims')(
    'that did not verify the e-mail address is not linked, and the page shows the reason',
    async () => {
      await page.getByRole('button', { name: 'Unlink acme ID' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
      await page.getByText('No accounts linked yet.').waitFor()
      await page.context().clearCookies({ domain: '127.0.0.1', name: /^_(session|interaction|grant)/ })
      provider.account = { ...adaThere, sub: 'somebody', email_verified: false }
      await page.getByRole('link', { name: 'Link acme ID' }).click()
      await page.getByRole('alert').getByText('has not verified your e-mail address').waitFor()
      await expectGoodPage(owner, 'account not-linked')
    },
  )

  it('creates an account for an invited person', async () => {
    const invitation = await invite('katherine@example.com')
    const guest = await site.visit()
    provider.account = { sub: 'kj', email: 'katherine@example.com', email_verified: true, name: 'Katherine Johnson' }
    await guest.page.goto(invitation)
    await guest.page.getByRole('link', { name: 'Join with acme ID' }).waitFor()
    if (isFull) await expectGoodPage(guest, 'join providers')
    await guest.page.getByRole('link', { name: 'Join with acme ID' }).click()
    await guest.page.getByRole('button', { name: 'You: Katherine Johnson' }).waitFor()
    await openPage(guest.page, '/account/security')
    await guest.page.getByRole('button', { name: 'Set a password' }).waitFor()
    if (isFull) await expectGoodPage(guest, 'account no-password')
    await guest.context.close()
  })
})

describe('an invitation by mail', () => {
  let first: string
  let second: string

  it('can be sent again', async () => {
    first = await invite('mary@example.com')
    await page.goto('/1-acme/settings/members')
    await page.getByRole('button', { name: 'Send again for mary@example.com' }).click()
    await page.getByText('Mail sent to mary@example.com. The earlier link no longer works.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    second = await mailedLink('mary@example.com')
    expect(second).not.toBe(first)
  })

  inFull('people/members/routes-invitations')('that is sent again makes the earlier link invalid', async () => {
    const guest = await site.visit()
    await guest.page.goto(first)
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await guest.page.goto('about:blank')
    await guest.page.goto(second)
    await guest.page.getByRole('heading', { level: 1, name: 'Join Acme' }).waitFor()
    expect(guest.complaints).toEqual([])
    await guest.context.close()
  })

  it('leads a person with an account through the sign-in page and back', async () => {
    const invitation = await invite(elsewhere.email)
    const guest = await site.visit()
    await guest.page.goto(invitation)
    await guest.page.getByText(`There is already an account for ${elsewhere.email}.`).waitFor()
    if (isFull) await expectGoodPage(guest, 'join sign-in-first')
    await guest.page.getByRole('link', { name: 'Sign in' }).click()
    await guest.page.getByLabel('E-mail address').fill(elsewhere.email)
    await guest.page.getByLabel('Password', { exact: true }).fill(elsewhere.password)
    await guest.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await guest.page.getByText(`You join as ${elsewhere.name}`).waitFor()
    if (isFull) await expectGoodPage(guest, 'join as-myself')
    await guest.page.getByRole('button', { name: 'Join', exact: true }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await guest.page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
    await guest.page.getByRole('link', { name: 'Web shop' }).waitFor()
    if (isFull) {
      await guest.page.goto('about:blank')
      await guest.page.goto(invitation)
      await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    }
    await guest.context.close()
  })
})

describe('a forgotten password', () => {
  it('is replaced with a link sent by mail, and the page does not reveal who has an account', async () => {
    const guest = await site.visit()
    await guest.page.goto('/sign-in')
    await guest.page.getByRole('link', { name: 'Forgot your password?' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    await expectGoodPage(guest, 'reset request')
    const answers = []
    for (const email of ['nobody@example.com', ada.email]) {
      await guest.page.goto('/reset')
      await guest.page.getByLabel('E-mail address').fill(email)
      await guest.page.getByRole('button', { name: 'Send link' }).click()
      const answer = await guest.page.getByRole('status').filter({ hasText: email }).textContent()
      answers.push(answer?.replace(email, '…'))
    }
    expect(answers[0]).toBe(answers[1])
    if (isFull) await expectGoodPage(guest, 'reset requested')

    const link = await mailedLink(ada.email)
    await guest.page.goto(link)
    await guest.page.getByLabel('New password', { exact: true }).fill('analytical engines hum')
    await guest.page.getByRole('button', { name: 'Set password' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor()
    // The same address again would not reload the page.
    await guest.page.goto('about:blank')
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    expect(guest.complaints).toEqual([])
    await guest.context.close()
  })

  it('ends every session when it is replaced: the next page is the sign-in page', async () => {
    // An open page may be there already, because its stream of changes has ended.
    await page.goto('/account/sessions')
    await title('Sign in').waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/account/sessions')
  })
})

describe('the e-mail address', () => {
  it('changes once the link in the mail to the new address has been opened', async () => {
    const person = { email: ada.email, password: 'analytical engines hum' }
    const wanted = 'ada@analytical.example'
    await page.goto('/sign-in?returnTo=/account')
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Change e-mail address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New e-mail address').fill(wanted)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await expectGoodPage(owner, 'account change-email')
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(await mailedLink(wanted))
    await page.getByRole('button', { name: 'Confirm address' }).waitFor()
    await expectGoodPage(owner, 'confirm email')
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await title('Address changed').waitFor()
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page
      .getByLabel('E-mail address')
      .and(page.locator(`[value="${wanted}"]`))
      .waitFor()
  })
})

/** Invites with a token and returns the link from the mail. */
async function invite(email: string): Promise<string> {
  const headers = { authorization: `Bearer ${acmeToken}`, 'content-type': 'application/json' }
  const roles = (await (await fetch(`${site.service.url}/api/v1/roles`, { headers })).json()) as {
    data: { id: string; name: string }[]
  }
  const roleId = roles.data.find(({ name }) => name === 'VIEWER')?.id
  const body = JSON.stringify({ email, roleId })
  await fetch(`${site.service.url}/api/v1/members/invitations`, { method: 'POST', headers, body })
  return mailedLink(email)
}

/** Returns the next link that is sent by mail. Mails without a link, such as notices, are skipped. */
async function mailedLink(to: string): Promise<string> {
  const [link] = /http:\S+#\S+/.exec((await mail.next(to)).text) ?? []
  return link ?? mailedLink(to)
}
