import type { Page, Route } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shop } from '../pictures/shop.ts'
import { ada, grace } from './people.ts'
import { follow, openFullSite, pages, reading, settled, sharing, still } from './walk.ts'

const site = openFullSite(
  [
    { ...ada, role: 'OWNER' },
    { ...grace, role: 'Guest' },
  ],
  [{ name: 'Guest', capabilities: [] }],
)

/** Routes that lead to one of these pages, and those for people who have not signed in. */
const others = [
  ...['/', '/$org/$project/', '/projects/$', '/settings/$'],
  ...['/sign-in', '/sign-up', '/reset', '/confirm-email', '/join', '/unsubscribe', '/confirm-mail'],
]

const message = 'Something failed on purpose.'
const failure = { status: 500, json: { error: { code: 'internal', message, requestId: '0190aaaa' } } }

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const placeholders = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading' })
const failures = (page: Page) => page.getByRole('alert').filter({ hasText: message })

async function takePicture(page: Page, name: string) {
  const shots = process.env.DASHBOARD_SHOTS
  if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

describe('a page whose reads wait, fail and then succeed, at a zoom of 200 %', () => {
  let page: Page
  let reads: 'are answered' | 'wait' | 'fail' = 'are answered'
  let waiting: Route[] = []

  beforeAll(async () => {
    page = (await site.visit(ada)).page
    // A window of 1440 px.
    await page.setViewportSize({ width: 720, height: 450 })
    await page.route(/\/api\/(v1|dashboard)\/(?!session$|stream)/, async (route) => {
      if (reads === 'are answered' || route.request().method() !== 'GET') await route.continue()
      else if (reads === 'wait') waiting.push(route)
      else await route.fulfill(failure)
    })
  })
  beforeEach(() => {
    reads = 'are answered'
    waiting = []
  })
  afterAll(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

  /** Opens a page from one that has read nothing but what they share. */
  async function open(path: string, from: string) {
    await follow(page, from)
    await settled(page)
    await page.evaluate(() => window.__TSR_ROUTER__!.options.context.queryClient.removeQueries({ type: 'inactive' }))
    reads = 'wait'
    await follow(page, path)
  }

  async function isGood(name: string) {
    await takePicture(page, name)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, `${name}: what does not fit`).toBeLessThanOrEqual(0)
  }

  async function failsOnce(name: string, path: string, from: string) {
    await open(path, from)
    await placeholders(page).first().waitFor()
    await isGood(`${name} loading`)
    reads = 'fail'
    for (const route of waiting) await route.fulfill(failure)
    await failures(page).first().waitFor()
    await expect.poll(() => heading(page).count()).toBe(1)
    await isGood(`${name} failure`)
    reads = 'are answered'
    await expect
      .poll(async () => {
        const again = page.getByRole('button', { name: 'Try again' }).first()
        if (await again.isVisible()) await again.click()
        return (await failures(page).count()) + (await placeholders(page).count())
      })
      .toBe(0)
    await settled(page)
    await expect.poll(() => placeholders(page).count()).toBe(0)
    await heading(page).waitFor()
    await isGood(name)
  }

  it.each(Object.entries(reading))('%s: placeholders, the reason with a retry, the page', (name, path) =>
    failsOnce(name, path, still.calculator),
  )

  it.each(Object.entries(sharing))('%s: the same, opened from elsewhere', (name, path) =>
    failsOnce(name, path, still.appearance),
  )

  it.each(Object.entries(still))('%s: is complete at once', async (name, path) => {
    await open(path, path.startsWith(shop) ? sharing.flags : reading.sessions)
    await page.waitForFunction(
      (path) => window.__TSR_ROUTER__!.state.resolvedLocation?.pathname.replace(/\/$/, '') === path,
      path,
    )
    await settled(page)
    await heading(page).waitFor()
    await isGood(name)
    expect(waiting.map((route) => route.request().url())).toEqual([])
  })

  it('is each page that the dashboard has', async () => {
    const missing = await page.evaluate(
      ({ paths, others }) => {
        const router = window.__TSR_ROUTER__!
        const met = paths.map((path) => router.getMatchedRoutes(new URL(path, location.href).pathname)[2]?.fullPath)
        return Object.values(router.routesByPath)
          .map(({ fullPath }) => fullPath)
          .filter((route) => ![...met, ...others].includes(route))
      },
      { paths: Object.values(pages), others },
    )
    expect(missing, 'routes without a line in this file').toEqual([])
  })
})

describe('a person whose role has no capability', () => {
  let page: Page
  let complaints: string[]
  beforeAll(async () => {
    const guest = await site.visit(grace)
    page = guest.page
    complaints = guest.complaints
  })

  const onlyAdministrators = 'Only for owners and administrators'
  /** What a page says if this person can read nothing on it. */
  const closed: Record<string, string> = {
    results: 'The permission that opens them is “results:read”',
    'new destination': 'The permission that opens this page is “integrations:write”',
    'destination editor': 'The permission that opens this page is “integrations:write”',
    tokens: onlyAdministrators,
    'new token': onlyAdministrators,
    audit: onlyAdministrators,
  }
  /** Pages on which nobody changes anything. */
  const onlyToRead = [
    ...['history', 'flag history', 'environment history', 'clients', 'comparison'],
    ...['connect', 'playground', 'calculator', 'example'],
  ]

  it.each(Object.entries(pages).filter(([, path]) => path.startsWith('/1-acme')))(
    '%s: says what is not for them, and who can change that',
    async (name, path) => {
      await follow(page, path)
      await settled(page)
      const main = page.getByRole('main')
      if (!onlyToRead.includes(name))
        await main
          .getByText(closed[name] ?? 'Ada Lovelace (owner) can change your role.')
          .first()
          .waitFor()
      await expect.poll(() => placeholders(page).count()).toBe(0)
      await takePicture(page, `${name} guest`)
      expect(await heading(page).count()).toBe(1)
      expect(await main.getByRole('alert').allInnerTexts()).toEqual([])
      expect(await main.getByRole('button', { name: /^(Create|Edit|Save|Publish|Delete)\b/ }).allInnerTexts()).toEqual(
        [],
      )
      expect(complaints).toEqual([])
    },
  )
})
