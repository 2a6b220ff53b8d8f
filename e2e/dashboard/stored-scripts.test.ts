import type { Page } from '@playwright/test'
import { beforeAll, expect, it, vi } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import type { Visitor } from './browser.ts'
import { callInPage, prepare } from './calls.ts'
import { acmeToken } from './people.ts'
import { openSite } from './site.ts'
import { follow, settled } from './walk.ts'

const image = '<img src=x onerror="window.ran=1">'
const script = '"><script>window.ran=1</script>'
const vector = '<svg/onload=window.ran=1>'
const address = 'javascript:window.ran=1'
const attribute = `x" onfocus="window.ran=1" autofocus='`
const template = '{{constructor.constructor("window.ran=1")()}}'
const style = '</style><style>@import "//evil.test"</style>'
const frame = '<iframe srcdoc="<script>parent.ran=1</script>">'

const eve = { email: 'eve@example.com', name: vector, password: 'eaves and gutters' }

const withHostileNames = {
  organizations: [
    {
      name: image,
      notifications: { mode: 'INCLUDE', keywords: [frame] },
      projects: [{ name: script }],
      roles: [{ name: attribute, capabilities: ['view_reports'] }],
      members: [
        { ...eve, role: 'OWNER', personalTokens: [{ name: template, secret: `svc_pat_${'e'.repeat(43)}` }] },
        { email: 'other@example.com', name: address, role: attribute },
      ],
      serviceTokens: [
        { name: style, secret: acmeToken, scopes: ['admin:*'] },
        { name: address, secret: `svc_svc_${'e'.repeat(43)}`, scopes: ['flags:read'] },
      ],
    },
    { name: address, members: [{ email: eve.email, name: eve.name, role: 'OWNER' }] },
  ],
}

const site = openSite(withHostileNames)
let eves: Visitor
let page: Page
let organization: string
let projectId: string
let invitation: string

beforeAll(async () => {
  organization = (await prepare(site.service.url, 'GET', '/api/v1/organization')).id
  const [project] = await prepare(site.service.url, 'GET', '/api/v1/projects')
  projectId = project.id
  const path = `/api/v1/projects/${projectId}`
  await prepare(site.service.url, 'POST', `${path}/environments`, { name: vector })
  await prepare(site.service.url, 'PATCH', path, { name: `${script} anew` })
  const role = await prepare(site.service.url, 'POST', '/api/v1/roles', {
    name: frame,
    description: image,
    capabilities: ['view_reports'],
  })
  const to = { email: 'new@example.com', roleId: role.id }
  invitation = (await prepare(site.service.url, 'POST', '/api/v1/members/invitations', to)).link
  await fetch(`${site.service.url}/api/v1/me`, {
    headers: { authorization: `Bearer svc_svc_${'e'.repeat(43)}`, 'user-agent': image },
  })
  // A separate session that later requests do not use: each request with a session stores its user agent again.
  const { url } = site.service
  const { status } = await fetch(`${url}/api/dashboard/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': script, origin: url },
    body: JSON.stringify({ email: eve.email, password: eve.password }),
  })
  expect(status).toBe(200)
  eves = await site.visit(eve)
  page = eves.page
  await callInPage(page, organization, 'PATCH', '/api/dashboard/organization', { name: `${image} anew` })
  // The last use of a token is written a moment later.
  const userAgents = async (): Promise<string[]> => {
    const { body } = await callInPage(page, organization, 'GET', '/api/dashboard/service-tokens')
    return body.data.map(({ lastUsedUserAgent }: { lastUsedUserAgent: string }) => lastUsedUserAgent)
  }
  await vi.waitFor(async () => expect(await userAgents()).toContain(image), { timeout: 60_000 })
})

/** Elements and handlers in the names above. The pages themselves only have the logo. */
const made = 'img:not([src="/mark.svg"]), iframe, [onload], [onerror], [onfocus], [srcdoc]'

/** Checks that no script ran or was blocked, and that no address in the page is a script. */
async function expectHarmless({ page, complaints }: Visitor, where: string): Promise<void> {
  const found = await page.evaluate(
    (selector) => ({
      ran: 'ran' in window,
      made: [...document.querySelectorAll(selector)].map((element) => element.outerHTML),
      addresses: [...document.querySelectorAll('[href], [src], [action]')].filter((element) =>
        ['href', 'src', 'action'].some((name) =>
          /^\s*(javascript|data|vbscript):/i.test(element.getAttribute(name) ?? ''),
        ),
      ).length,
    }),
    made,
  )
  expect(found, where).toEqual({ ran: false, made: [], addresses: 0 })
  expect(complaints, where).toEqual([])
}

const pages: [path: () => string, shown: string[]][] = [
  [() => '/', [`${image} anew`, `${script} anew`, vector]],
  [() => `/projects/${projectId}/environments`, [`${script} anew`, vector]],
  [() => '/1/settings/organization', [`${image} anew`]],
  [() => '/1/settings/members', [vector, address, attribute, frame]],
  [() => '/1/settings/roles', [attribute, frame, image]],
  [() => '/1/settings/tokens', [style, address, image]],
  [() => '/1/settings/audit', [`${script} anew`, `${image} anew`, frame, vector, style]],
  [() => '/account', [vector]],
  [() => '/account/sessions', [script]],
  [() => '/account/tokens', [template]],
]

it.each(pages.map(([path, shown]) => [path, shown] as const))('%s shows such names as text', async (path, shown) => {
  await follow(page, path())
  await settled(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const text of shown) await page.getByText(text).or(page.getByTitle(text)).first().waitFor({ state: 'attached' })
  await expectHarmless(eves, path())
})

it('the audit log shows them as text in its details and in its filter', async () => {
  await page.goto('/1/settings/audit')
  const details = page.getByText('Details', { exact: true })
  await details.first().waitFor()
  for (const each of await details.all()) await each.click()
  await page.getByText(script).filter({ visible: true }).first().waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Who' }).click()
  await page.getByRole('group', { name: 'Who' }).getByText(style).first().waitFor()
  await expectHarmless(eves, 'details')
})

it('menus and dialogs show them as text', async () => {
  await page.goto('/1/settings/members')
  await page.getByRole('button', { name: `Actions for ${address}` }).click()
  await page.getByRole('menuitem', { name: 'Change role and projects' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: address }).waitFor()
  await page.getByRole('dialog').getByLabel('Selected projects').check()
  await page.getByRole('dialog').getByText(`${script} anew`).waitFor()
  await expectHarmless(eves, 'a dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByText(image).click()
  await page.getByRole('menuitemradio', { name: address }).waitFor()
  await expectHarmless(eves, 'a menu')
})

it('an invitation shows the names of the inviting person and the organization as text', async () => {
  const guest = await site.visit()
  await guest.page.goto(invitation)
  await guest.page.getByRole('heading', { level: 1, name: `Join ${image} anew` }).waitFor()
  await guest.page.getByText(`${style} invited you`).waitFor()
  await expectHarmless(guest, 'an invitation')
  await guest.context.close()
})

const inAddress = encodeURIComponent(image)

const addresses = {
  'an error of a sign-in': `/sign-in?error=${inAddress}`,
  'a script to return to': `/sign-in?returnTo=${encodeURIComponent(address)}`,
  'an element to return to': `/sign-in?returnTo=${inAddress}`,
  'an error of a profile': `/account?error=${inAddress}`,
  'a filter': `/1/settings/audit?actor=${inAddress}&action=${inAddress}&objectType=${inAddress}&projectId=${inAddress}`,
  'a project': `/projects/${inAddress}`,
  'a link to sign up': `/sign-up#${inAddress}`,
  'an invitation': `/join#${inAddress}`,
  'a link to reset': `/reset#${inAddress}`,
  'an organization': `/${inAddress}`,
}
/** Of the same page, and of doors that read what follows # in the same way, one each. */
const always = ['an error of a sign-in', 'a script to return to', 'a filter', 'a project', 'an invitation']

it.each(rowsOf(addresses, always))('the address with %s runs no script', async (_what, sent) => {
  await page.goto('about:blank')
  await page.goto(sent)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Nothing is loading any more. The network is never idle: the dashboard keeps a stream of changes open.
  await page.locator('[role=status]').first().waitFor({ state: 'hidden' })
  await expectHarmless(eves, sent)
})
