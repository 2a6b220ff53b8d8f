import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { authenticatorApp } from '../../packages/server/testing/second-factor.ts'
import { expectGoodPage, hasFocus, signIn, type Visitor } from './browser.ts'
import { ada } from './people.ts'
import { openProcess } from './site.ts'

const site = openProcess(null)
let owner: Visitor
const newPassword = 'looms punch cards'
let secret: string
let recoveryCodes: string[]

const newcomer = { email: 'katherine@example.com', name: 'Katherine Johnson', password: 'orbits by hand' }

beforeAll(async () => {
  owner = await site.visit()
})

const stepMs = 30_000
/** A code that is not valid at any time near now. */
const wrongCode = () => {
  const valid = [-2, -1, 0, 1, 2].map((stepsAhead) => code(stepsAhead))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !valid.includes(each))!
}
/** The code that the app shows now, or some steps later. The service accepts each code only once. */
const code = (stepsAhead = 0) => authenticatorApp(secret).codeAt(new Date(Date.now() + stepsAhead * stepMs))
const title = (name: string) => owner.page.getByRole('heading', { level: 1, name, exact: true })
const field = (label: string) => owner.page.getByLabel(label, { exact: true })
const button = (name: string) => owner.page.getByRole('button', { name, exact: true })

const revocation = () => owner.page.getByRole('checkbox', { name: 'Revoke the token “initial”' })

/** As on the embedded database, whose first start makes a token. */
async function offerToken(page: Page) {
  await page.route('**/api/dashboard/links/check', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: { ...data, initialToken: { name: 'initial', lastUsedAt: null } } } })
  })
}

describe('the first visit', () => {
  it('opens the sign-in page, which says that there is no owner yet', async () => {
    await owner.page.goto('/')
    await title('Sign in').waitFor()
    expect(new URL(owner.page.url()).pathname).toBe('/sign-in')
    await owner.page.getByText('This service has no owner yet').waitFor()
    await expectGoodPage(owner, 'sign-in first')
  })

  it('explains how to get another link when the link is incomplete', async () => {
    await owner.page.goto('/sign-up#nothing')
    await title('This link does not work').waitFor()
    await expectGoodPage(owner, 'sign-up spent')
  })

  it('shows missing values at their fields, and a summary with links to them takes the focus', async () => {
    await offerToken(owner.page)
    await owner.page.goto(site.service.ownerLink ?? '')
    await title('Set up Svc').waitFor()
    expect(await revocation().isChecked()).toBe(true)
    await owner.page.getByText('No program has used it yet').waitFor()
    await expectGoodPage(owner, 'sign-up')
    await field('Organization').fill('Acme')
    await button('Create account').click()
    await hasFocus(owner.page.getByRole('alert').filter({ hasText: '3 fields need your attention' }))
    await button('Your name: Enter your name.').click()
    await hasFocus(field('Your name'))
    expect(await field('Your name').getAttribute('aria-invalid')).toBe('true')
    const describedBy = await field('Your name').getAttribute('aria-describedby')
    expect(await owner.page.locator(`[id="${describedBy}"]`).textContent()).toBe('Enter your name.')
    if (isFull) await expectGoodPage(owner, 'sign-up faults')
  })

  it('shows a refusal of the service at the field that it names', async () => {
    await field('Your name').fill(ada.name)
    await field('E-mail address').fill(ada.email)
    await field('Password').fill('password')
    await button('Create account').click()
    await owner.page.getByText('one of the most common passwords').waitFor()
    await hasFocus(field('Password'))
  })

  it('creates the owner and signs them in', async () => {
    await field('Password').fill(ada.password)
    const sent = owner.page.waitForRequest('**/api/dashboard/sign-up')
    await button('Create account').click()
    expect((await sent).postDataJSON()).toMatchObject({ revokeInitialToken: true })
    await title('Projects').waitFor()
    await owner.page.getByText('No projects yet').waitFor()
    await expect.poll(() => owner.page.title()).toBe('Projects · Acme · Svc')
    await expectGoodPage(owner, 'projects empty')
  })

  inFull('people/sign-up/routes')('refuses a link that was used', async () => {
    const late = await site.visit()
    await late.page.goto(site.service.ownerLink ?? '')
    await late.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await late.context.close()
  })

  it('never sends the secret of the link in an address', () => {
    const [, linkSecret = 'missing'] = (site.service.ownerLink ?? '').split('#')
    const seen = site.service.log().replaceAll(site.service.ownerLink ?? '', '')
    expect(seen).not.toContain(linkSecret)
  })
})

describe('the sign-in page', () => {
  it('opens after signing out, which forgets what the person saved in this browser', async () => {
    await owner.page.evaluate(() => localStorage.setItem('svc.visitors.ada.web-shop', '[]'))
    await button(`You: ${ada.name}`).click()
    await owner.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await title('Sign in').waitFor()
    const kept = await owner.page.evaluate(() => Object.keys(localStorage))
    expect(kept.filter((key) => /^svc\.(form|visitors|recent)\./.test(key))).toEqual([])
    await owner.page.goto('/account')
    await title('Sign in').waitFor()
    expect(new URL(owner.page.url()).searchParams.get('returnTo')).toBe('/account')
  })

  it('leads to the page for a new password, which says that the service sends no mail', async () => {
    await owner.page.getByRole('link', { name: 'Forgot your password?' }).click()
    await owner.page.getByText('This service sends no mail.').waitFor()
    if (isFull) await expectGoodPage(owner, 'reset no-mail')
    await owner.page.goBack()
    await title('Sign in').waitFor()
  })

  it('refuses a wrong password without a reason and shows the request id', async () => {
    await field('E-mail address').fill(ada.email)
    await field('Password').fill('not this one')
    await button('Sign in').click()
    const alert = owner.page.getByRole('alert')
    await alert.getByText('Request id').waitFor()
    if (isFull) await expectGoodPage(owner, 'sign-in refused')
  })

  it('leads back to the page that was requested', async () => {
    await field('Password').fill(ada.password)
    await button('Sign in').click()
    await title('Profile').waitFor()
    await expectGoodPage(owner, 'account')
  })

  async function staysHere(returnTo: string): Promise<void> {
    await owner.page.goto(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
    await title('Projects').waitFor()
    expect(new URL(owner.page.url()).origin).toBe(site.service.url)
  }
  it('never redirects to another site', () => staysHere('//evil.example'))
  inFull('people/sessions/return-to').each(['https://evil.example/', '/\\evil.example'])(
    'never redirects to %s',
    staysHere,
  )
})

describe('the second factor', () => {
  it('is set up with a QR code or a secret, and confirmed with a code', async () => {
    await owner.page.goto('/account/security')
    await button('Set up').click()
    const dialog = owner.page.getByRole('dialog')
    await dialog.getByRole('img', { name: /QR image/ }).waitFor()
    secret = await dialog.getByLabel('Or enter this secret in the app').inputValue()
    await expectGoodPage(owner, 'second-factor set-up')
    await dialog.getByLabel('Code').fill(wrongCode())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong').waitFor()
    await dialog.getByLabel('Code').fill(code())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('Second factor turned on').waitFor()
    if (isFull) await expectGoodPage(owner, 'second-factor codes')
  })

  it('shows ten recovery codes once, to copy or download', async () => {
    const dialog = owner.page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(10)
    recoveryCodes = await dialog.getByRole('listitem').allTextContents()
    const download = owner.page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('svc-recovery-codes.txt')
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await owner.page.getByText('New recovery codes').waitFor()
  })

  it('is requested after the password', async () => {
    await signOut()
    await field('E-mail address').fill(ada.email)
    await field('Password').fill(ada.password)
    await button('Sign in').click()
    await title('Second factor').waitFor()
    await expectGoodPage(owner, 'second-step')
    await field('Code').fill(code(1))
    await button('Sign in').click()
    await title('Projects').waitFor()
  })

  async function signInWith(recoveryCode: string | undefined) {
    await signOut()
    await field('E-mail address').fill(ada.email)
    await field('Password').fill(ada.password)
    await button('Sign in').click()
    await button('Use a recovery code instead').click()
    await field('Recovery code').fill(recoveryCode ?? '')
    await button('Sign in').click()
  }

  it('accepts a recovery code in the place of a code', async () => {
    await signInWith(recoveryCodes[0])
    await title('Projects').waitFor()
  })

  inFull('people/second-factor/routes')('accepts each recovery code once', async () => {
    await signInWith(recoveryCodes[0])
    await owner.page.getByRole('alert').waitFor()
    await expectGoodPage(owner, 'second-step recovery')
    await field('Recovery code').fill(recoveryCodes[1] ?? '')
    await button('Sign in').click()
    await title('Projects').waitFor()
  })

  it('can be turned off with the password', async () => {
    await owner.page.goto('/account/security')
    await button('Turn off').click()
    const dialog = owner.page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await owner.page.getByText('Second factor turned off.').waitFor()
    await button('Set up').waitFor()
  })
})

describe('the password', () => {
  it('can be changed by its owner', async () => {
    await field('Current password').fill(ada.password)
    await field('New password').fill(newPassword)
    await button('Change password').click()
    await owner.page.getByText('Password changed.').waitFor()
  })
})

describe('an invitation', () => {
  let invited: Visitor
  let link: string

  it('lets a new person create an account', async () => {
    link = (await invite(newcomer.email, 'EDITOR')).link
    invited = await site.visit()
    await invited.page.goto(link)
    await invited.page.getByRole('heading', { level: 1, name: 'Join Acme' }).waitFor()
    await expectGoodPage(invited, 'join')
    await invited.page.getByLabel('Your name').fill(newcomer.name)
    await invited.page.getByLabel('Password', { exact: true }).fill(newcomer.password)
    await invited.page.getByRole('button', { name: 'Create account and join' }).click()
    await invited.page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await invited.page.getByRole('button', { name: `You: ${newcomer.name}` }).waitFor()
  })

  inFull('people/sign-up/routes-invitation')('cannot be used twice', async () => {
    const late = await site.visit()
    await late.page.goto(link)
    await late.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await late.context.close()
  })

  it('cannot be accepted by a different person who is signed in', async () => {
    const other = await invite('margaret@example.com', 'VIEWER')
    await invited.page.goto(other.link)
    await invited.page.getByText(`you are signed in as ${newcomer.email}`).waitFor()
    if (isFull) await expectGoodPage(invited, 'join somebody-else')
    await invited.page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'laptop', expiresIn: '30d' })
      const { status } = await fetch('/api/dashboard/personal-tokens', { method: 'POST', headers, body })
      if (status !== 201) throw new Error(`the token was answered with ${status}`)
    })
    await invited.context.close()
  })

  it('works without mail, and so does a password reset link', async () => {
    const { data: members } = await ownersCall('GET', '/api/v1/members')
    const { userId } = members.find(({ email }: { email: string }) => email === newcomer.email)
    const reset = await ownersCall('POST', `/api/dashboard/members/${userId}/password-reset-link`)
    const guest = await site.visit()
    await guest.page.goto(reset.data.link)
    await guest.page.getByLabel('New password', { exact: true }).waitFor()
    await expectGoodPage(guest, 'reset')
    await guest.page.getByLabel('New password', { exact: true }).fill('trajectories of capsules')
    await guest.page.getByLabel('Revoke my personal token').check()
    await guest.page.getByRole('button', { name: 'Set password' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor()
    await guest.page.getByText('Your personal tokens were revoked.').waitFor()
    if (isFull) await expectGoodPage(guest, 'reset done')
    await signIn(guest.page, { email: newcomer.email, password: 'trajectories of capsules' })
    await guest.context.close()
  })
})

it('no browser logged an error', () => {
  expect(owner.complaints).toEqual([])
})

async function signOut(): Promise<void> {
  const you = owner.page.getByRole('button', { name: /^You: / })
  await you.or(button('Sign in as another person')).waitFor()
  if (await you.count()) {
    await you.click()
    await owner.page.getByRole('menuitem', { name: 'Sign out' }).click()
  } else await button('Sign in as another person').click()
  await title('Sign in').waitFor()
}

async function invite(email: string, roleName: string): Promise<{ link: string }> {
  const { data: roles } = await ownersCall('GET', '/api/v1/roles')
  const { id } = roles.find(({ name }: { name: string }) => name === roleName)
  return (await ownersCall('POST', '/api/v1/members/invitations', { email, roleId: id })).data
}

/** Calls the API from the owner's page, in the owner's session. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
const ownersCall = (method: string, path: string, body?: unknown): Promise<any> =>
  owner.page.evaluate(
    async ({ method, path, body }) => {
      const json = { 'content-type': 'application/json' }
      const request = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
      const response = await fetch(path, request)
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
      return response.json()
    },
    { method, path, body },
  )
