import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RefusalKind, refusals } from '../../packages/server/src/catalogue/refusals.ts'
import { arrivalErrors } from '../../packages/server/src/wings/people/oidc/arrival.ts'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { noteClicks, type Visitor } from './browser.ts'
import { ada, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const provider = {
  id: 'acme',
  name: 'Acme ID',
  issuer: 'http://127.0.0.1:1',
  clientId: 'svc',
  clientSecret: 'a secret',
}
const site = openSite(twoOrganizations, { SVC_OIDC_PROVIDERS: JSON.stringify([provider]) })
let owner: Visitor
let guest: Visitor

beforeAll(async () => {
  owner = await site.visit(ada)
  guest = await site.visit()
})

const alertIn = (page: Page) => page.getByRole('alert').innerText()

describe('a failed sign-in with another service', () => {
  const unknown = 'Sign-in with the other service failed.'

  const doors = { '/sign-in': () => guest, '/account': () => owner }
  // Both pages have the same sentences.
  it.each(rowsOf(doors, ['/sign-in']))('shows a sentence for each reason at %s', async (path, who) => {
    const { page } = who()
    const said = new Set<string>()
    for (const [index, error] of arrivalErrors.entries()) {
      const address = `${path}?error=${error}`
      if (index === 0) await page.goto(address)
      else await openPage(page, address)
      const text = await alertIn(page)
      expect(text, error).not.toContain(unknown)
      expect(text, error).not.toContain(error)
      said.add(text)
    }
    expect(said.size).toBe(arrivalErrors.length)
  })

  it('shows a general sentence for an unknown reason', async () => {
    await guest.page.goto('/sign-in?error=something')
    expect(await alertIn(guest.page)).toContain(unknown)
  })
})

describe('a refusal of the service', () => {
  /** Without `unauthorized`: an ended session leads to the sign-in page, as a different test shows. */
  const kinds = Object.keys(refusals).filter((kind) => kind !== 'unauthorized') as RefusalKind[]
  /** What is shown depends on the status and, for one of them, on the code. */
  const always = [
    ...new Map(kinds.map((kind) => [refusals[kind].status, kind] as const)).values(),
    'precondition_failed',
  ] satisfies RefusalKind[]
  const rowsWith = (of: RefusalKind[], inEachRun: RefusalKind[]) =>
    rowsOf(
      Object.fromEntries(of.map((kind) => [kind, kind])),
      inEachRun.filter((kind) => of.includes(kind)),
    )
  const requestId = '0190aaaa-0000-7000-8000-000000000000'

  const messageOf = (kind: RefusalKind) => `${refusals[kind].title}, says the service about ${kind}.`

  /** The dashboard has its own words for a change that somebody else was quicker with. */
  const shownFor = (kind: RefusalKind) =>
    kind === 'precondition_failed' ? 'Another person has changed this meanwhile.' : messageOf(kind)

  const answerOf = (kind: RefusalKind) => {
    const { code, status } = refusals[kind]
    const docUrl = `${site.service.url}/docs/errors#${kind}`
    return { status, json: { error: { code, message: messageOf(kind), docUrl, requestId } } }
  }

  describe('to a page', () => {
    /** Without `storage_full`, which answers only writes. The page retries a 503 for seconds before it says so. */
    const ofReads = kinds.filter((kind) => kind !== 'storage_full')
    // One route for all kinds: the page also reads by itself, and no such read must succeed before the last retry.
    let kindNow: RefusalKind
    let isLastRetry: () => Promise<boolean>
    const retry = () => owner.page.getByRole('button', { name: 'Try again' })

    beforeAll(async () => {
      isLastRetry = async () => false
      kindNow = ofReads[0]!
      const { page } = owner
      await page.route('**/api/v1/members?*', async (route) =>
        (await isLastRetry()) ? route.continue() : route.fulfill(answerOf(kindNow)),
      )
      await openPage(page, '/1-acme/settings/members')
    })
    afterAll(() => owner.page.unrouteAll({ behavior: 'ignoreErrors' }))

    it.each(rowsWith(ofReads, always))(
      '%s: the page shows the reason and the request id, and offers a retry',
      async (_kind, kind) => {
        kindNow = kind
        await retry().click()
        // The alert of the refusal before may still be there.
        const alert = await owner.page
          .getByRole('alert')
          .filter({ hasText: shownFor(kind) })
          .innerText()
        expect(alert).toContain('This cannot be shown')
        expect(alert).toContain(requestId)
      },
    )

    it('a retry that succeeds shows the page', async () => {
      isLastRetry = await noteClicks(owner.page)
      await retry().click()
      await owner.page.getByRole('row').filter({ hasText: ada.name }).waitFor()
    })
  })

  // What a form shows is what a page shows, and what was typed stays, whatever the refusal is.
  it.each(rowsWith(kinds, ['internal_error', 'rate_limited', 'precondition_failed', 'storage_full']))(
    '%s: a form that is not saved shows the reason and keeps the input',
    async (_kind, kind) => {
      const { page } = owner
      if (new URL(page.url()).pathname !== '/account') await openPage(page, '/account')
      await page.unroute('**/api/dashboard/me')
      // The page also reads by itself.
      await page.route('**/api/dashboard/me', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill(answerOf(kind)),
      )
      await page.getByLabel('Name', { exact: true }).fill('Ada of Acme')
      await page.getByRole('button', { name: 'Save' }).click()
      // The alert of the refusal before may still be there.
      const alert = page.getByRole('alert').filter({ hasText: shownFor(kind) })
      expect(await alert.innerText()).toContain(requestId)
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada of Acme')
    },
  )
})
