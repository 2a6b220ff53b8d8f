import type { Page, Route } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { shop, website } from '../pictures/shop.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import {
  closed,
  empty,
  follow,
  lists,
  newSite,
  onlyToRead,
  openFullSite,
  pages,
  reading,
  settled,
  sharing,
  still,
} from './walk.ts'

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
  // The id of a job is known when it was asked for, so its page has a test of its own.
  '/$org/$project/commerce/jobs/$job',
  // So are those of an order and of a product, which `orders.test.ts` and `catalog.test.ts` open.
  ...['/$org/$project/commerce/orders/$order', '/$org/$project/commerce/products/$product'],
  ...['/sign-in', '/sign-up', '/reset', '/confirm-email', '/join', '/unsubscribe', '/confirm-mail'],
]

/**
 * Every page shows its reads with `Loaded`, so `npm test` opens one page of each kind, and those that put a page together
 * in their own way. A full run opens all.
 */
const kinds = {
  reading: [
    // A list, and a list of pages.
    ...['audiences', 'audit'],
    // A form, and the pages that read several things at once.
    ...['destination editor', 'flag', 'results', 'publish', 'experiment'],
  ],
  sharing: ['flags'],
  still: ['calculator'],
}

/**
 * The heading of what a page draws last, from a part of the program of its own, and begins to read only then. React can
 * hold it back for a moment in which the page does nothing.
 */
const drawnLast: Record<string, string> = { targeting: 'Try an address' }

const message = 'Something failed on purpose.'
const failure = { status: 500, json: { error: { code: 'internal', message, requestId: '0190aaaa' } } }

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const placeholders = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading' })
const failures = (page: Page) => page.getByRole('alert').filter({ hasText: message })

async function takePicture(page: Page, name: string) {
  const shots = process.env.DASHBOARD_SHOTS
  if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

describe('a page whose reads wait, fail, succeed and get no answer, at a zoom of 200 %', () => {
  let page: Page
  let reads: 'are answered' | 'wait' | 'fail' | 'are lost' = 'are answered'
  let waiting: Route[] = []

  beforeAll(async () => {
    page = (await site.visit(ada)).page
    // The page then reports a failure at once.
    await page.evaluate(() =>
      window.__TSR_ROUTER__!.options.context.queryClient.setDefaultOptions({
        queries: { staleTime: 10_000, retry: false },
      }),
    )
    // A window of 1440 px.
    await page.setViewportSize({ width: 720, height: 450 })
    await page.route(/\/api\/(?!dashboard\/stream)/, async (route) => {
      const request = route.request()
      // Without the session there is no page that could say what failed. The frame reads the open problems each minute.
      const isTampered = request.method() === 'GET' && !/\/(session|attention)$|\/api\/sdk\//.test(request.url())
      if (reads === 'are lost') await route.abort()
      else if (reads === 'wait' && isTampered) waiting.push(route)
      else if (reads === 'fail' && isTampered) await route.fulfill(failure)
      else await route.continue()
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
    const last = drawnLast[name]
    if (last) await page.getByRole('heading', { name: last, exact: true }).waitFor()
    await isGood(name)
    await goesOffline(name)
  }

  /** The distance to a moment, which changes each minute: "just now", "3 minutes ago", "in less than a minute". */
  const distance =
    /just now|(in )?(less than a|\d+) (minute|hour|day|week|month|year)s?( ago)?|\d+ (s|min|h|d|w|mo|y)\b/g
  /** The lines of the page, without what counts the time. */
  const lines = async () =>
    (await page.getByRole('main').innerText())
      .replaceAll(distance, '')
      .replaceAll(/\d+|now/g, '')
      .split('\n')
  const readAgain = () =>
    page.evaluate(() => void window.__TSR_ROUTER__!.options.context.queryClient.refetchQueries({ type: 'active' }))
  const offline = () => page.getByText(/^Offline since .*\. This is the last known state\.$/)

  /** Whether all reads have succeeded. One that failed above can have left out a name or a count, without a failure. */
  const hasAll = async () => {
    const isThere = () =>
      page.evaluate(() => {
        const active = window.__TSR_ROUTER__!.options.context.queryClient.getQueryCache().findAll({ type: 'active' })
        return active.every(({ state }: { state: { data?: unknown } }) => state.data !== undefined)
      })
    if (await isThere()) return true
    await readAgain()
    await settled(page)
    return isThere()
  }

  /** A read from before can end after the first one that is lost or answered. Then its end counts, until the next read. */
  const readUntilOffline = (state: 'visible' | 'detached') => {
    const isSo = async () => {
      await readAgain()
      return offline()
        .waitFor({ state, timeout: 10_000 })
        .then(
          () => true,
          () => false,
        )
    }
    return expect.poll(isSo, { message: `the words of being offline: ${state}` }).toBe(true)
  }

  /** The service goes away while the page is open, and comes back. */
  async function goesOffline(name: string) {
    await expect.poll(hasAll).toBe(true)
    await settled(page)
    await expect.poll(() => placeholders(page).count()).toBe(0)
    const before = await lines()
    const typed = page.getByRole('main').locator('input[type=text]:enabled:not([readonly]):not([role])').first()
    const types = await typed.isVisible()
    reads = 'are lost'
    await readUntilOffline('visible')
    if (types) await typed.fill('typed while the service is away')
    else {
      const wentAway = async () => {
        const after = await lines()
        return before.filter((line) => !after.includes(line))
      }
      await expect.poll(wentAway, { message: `${name}: what went away` }).toEqual([])
    }
    expect.soft(await page.getByRole('main').getByRole('alert').allInnerTexts(), `${name}: failures`).toEqual([])
    expect(await heading(page).count()).toBe(1)
    const open = page.getByRole('switch').and(page.locator('[aria-disabled=false]'))
    const unlocked = async () => {
      if (!(await offline().isVisible())) await readAgain()
      return open.count()
    }
    await expect.poll(unlocked, { message: `${name}: switches that are not locked` }).toBe(0)
    await isGood(`${name} offline`)
    reads = 'are answered'
    await readUntilOffline('detached')
    if (types) expect.soft(await typed.inputValue(), `${name}: what was typed`).toBe('typed while the service is away')
  }

  it.each(rowsOf(reading, kinds.reading))('%s: placeholders, the reason with a retry, the page', (name, path) =>
    failsOnce(name, path, path.startsWith(website) ? `${website}/experiments/calculator` : still.calculator),
  )

  it.each(rowsOf(sharing, kinds.sharing))('%s: the same, opened from elsewhere', (name, path) =>
    failsOnce(name, path, still.appearance),
  )

  inFull('dashboard/jobs')('a job: the same, at the address that it got', async () => {
    const { url } = site.service
    const { id } = await prepare(url, 'POST', '/api/v1/projects/1/erasures', { units: ['nobody'] })
    const path = `/api/v1/projects/1/commerce/jobs/${id}`
    await expect.poll(async () => (await prepare(url, 'GET', path)).status).toBe('SUCCEEDED')
    await failsOnce('job', `${shop}/commerce/jobs/${id}`, still.calculator)
  })

  it.each(rowsOf(still, kinds.still))('%s: is complete at once', async (name, path) => {
    await open(path, path.startsWith(shop) ? sharing.flags : reading.sessions)
    await settled(page)
    await heading(page).waitFor()
    await isGood(name)
    expect(waiting.map((route) => route.request().url())).toEqual([])
    reads = 'are answered'
    await goesOffline(name)
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

  /** `offered` shows a viewer all pages, which say the same: these are one of each kind, and those that are closed. */
  const always = [
    'flag',
    'audiences',
    'experiment',
    'project settings',
    'members',
    'results',
    'new destination',
    'audit',
  ]
  const inAcme = Object.fromEntries(Object.entries(pages).filter(([, path]) => path.startsWith('/1-acme')))
  it.each(rowsOf(inAcme, always))('%s: says what is not for them, and who can change that', async (name, path) => {
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
    await expect.poll(() => heading(page).count()).toBe(1)
    expect(await main.getByRole('alert').allInnerTexts()).toEqual([])
    expect(await main.getByRole('button', { name: /^(Create|Edit|Save|Publish|Delete)\b/ }).allInnerTexts()).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe('a page with nothing on it', () => {
  let page: Page
  let complaints: string[]
  beforeAll(async () => {
    const owner = await site.visit(ada)
    page = owner.page
    complaints = owner.complaints
  })

  type Row = readonly [address: string, title: string, step: string]
  /** For a new project: the text of each page, and the next step. */
  const nothing: Record<string, Row> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, { label, path }]): [string, Row] => [
        name,
        [`${empty}/${path}`, `No ${name} yet`, `Create ${label}`],
      ]),
    ),
    flags: [`${empty}/flags`, 'No flags yet', 'Create flag'],
    publish: [`${empty}/environments/production/publish`, 'Nothing to publish', 'Go to flags'],
    clients: [
      `${empty}/environments/production/clients`,
      'No client in the last day',
      'Connect your SDK to Production',
    ],
    'environment history': [`${empty}/environments/production/history`, 'Nothing was published yet', 'Go to flags'],
    history: [`${empty}/history?env=production`, 'Nothing was published yet', 'Go to flags'],
    playground: [`${empty}/playground?env=production`, 'No flags here', 'Go to flags'],
    schedules: [`${empty}/history/schedules`, 'Nothing is scheduled', 'Go to flags'],
    products: [`${empty}/commerce`, 'No products yet', 'Read the guide'],
    orders: [`${empty}/commerce/orders`, 'No orders yet', 'Read the guide'],
    jobs: [`${empty}/commerce/jobs`, 'No jobs yet', 'Erase visitors'],
    'personal tokens': [pages['personal tokens'], 'No personal tokens', 'Create token'],
    // A web project has experiments in place of flags.
    'web flags': [`${newSite}/flags`, 'New site has no flags', 'Go to experiments'],
    'web publish': [`${newSite}/environments/production/publish`, 'Nothing to publish', 'Go to experiments'],
    'web clients': [
      `${newSite}/environments/production/clients`,
      'No client in the last day',
      'Get the tag of Production',
    ],
    'web history': [`${newSite}/history?env=production`, 'Nothing was published yet', 'Go to experiments'],
    'web playground': [`${newSite}/playground?env=production`, 'No experiments here', 'Go to experiments'],
    'web schedules': [`${newSite}/history/schedules`, 'Nothing is scheduled', 'Go to experiments'],
  }
  /** For objects that exist and are empty. */
  const within: Record<string, Row> = {
    results: [`${empty}/flags/new-menu/results?env=production`, 'No A/B test in Production', 'Add an A/B test'],
    webhook: [`${empty}/integrations/webhooks/quiet`, 'No deliveries yet', 'Send test ping'],
    design: [`${website}/experiments/2/design/variation-1`, 'No changes yet', 'Add a change'],
    destination: [`${empty}/integrations/destinations/quiet`, 'No deliveries yet', 'Send test message'],
  }
  /** For a filter without matches. */
  const filtered: Record<string, readonly [address: string, title: string]> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, { label, path }]): [string, readonly [string, string]] => [
        name,
        [`${shop}/${path}?q=zzz`, `No ${label} matches`],
      ]),
    ),
    flags: [`${shop}/flags?q=zzz&tag=checkout`, 'No flag matches'],
    webhook: [`${pages.webhook}?event=flag.deleted`, 'No delivery matches'],
    destination: [`${pages.destination}?event=flag.deleted`, 'No delivery matches'],
    products: [`${shop}/commerce?q=zzz`, 'No product matches'],
    jobs: [`${shop}/commerce/jobs?status=HELD`, 'No job matches'],
    audit: [`${pages.audit}?q=zzz`, 'No entry matches'],
  }
  /** The other pages, and why they are never empty. */
  const never: Record<string, readonly string[]> = {
    'the page of something that exists': [
      ...['flag', 'flag settings', 'audience', 'segment', 'metric', 'experiment', 'web experiment'],
      ...['catalog source', 'catalog', 'placement', 'recommendation model', 'dataset'],
      ...['environment', 'revision'],
      ...['project settings', 'organization', 'profile', 'security', 'appearance', 'connect', 'notifications'],
      ...['targeting', 'site settings', 'tag'],
    ],
    'a project has its environments, an organization its owner and roles, a reader a session': [
      ...['environments', 'members', 'roles', 'sessions'],
    ],
    'the reader is in a project, and a token has filled it (`doors.test.ts` begins without)': ['projects', 'tokens'],
    'a flag begins with a revision': ['flag history'],
    'that nothing differs is a result': ['comparison', 'flag comparison'],
    'a form or a calculation': ['destination editor', 'new destination', 'new token', 'calculator', 'example'],
  }

  const emptyState = (title: string) => page.getByRole('heading', { level: 2, name: title, exact: true })
  async function shows(address: string, title: string): Promise<void> {
    await follow(page, address)
    // The page before can have the same title.
    await settled(page)
    await emptyState(title).waitFor()
    const sentence = emptyState(title).locator('xpath=following-sibling::p')
    expect(await sentence.innerText()).toMatch(/^[A-Z].{14,}[.!]/s)
  }
  const main = () => page.getByRole('main')
  const offers = (step: string) =>
    main()
      .getByRole('button', { name: step, exact: true })
      .or(main().getByRole('link', { name: step, exact: true }))

  /**
   * The lists of nouns are one component, and so are the two histories of an environment, and those of deliveries. The
   * tests of flags, jobs, personal tokens, histories, webhooks and designs begin with an empty page.
   */
  const always = {
    nothing: [
      ...['audiences', 'publish', 'clients', 'playground', 'schedules'],
      ...['web flags', 'web clients', 'web playground', 'web schedules'],
    ],
    within: ['results'],
    filtered: ['audiences', 'flags', 'audit'],
  }

  it.each(rowsOf(nothing, always.nothing))('%s: says so, and what to do', async (name, [address, title, step]) => {
    await shows(address, title)
    await offers(step).first().waitFor()
    expect(
      await main()
        .getByRole('link', { name: /^Connect your SDK/ })
        .count(),
    ).toBeLessThan(2)
    await takePicture(page, `${name} empty`)
    expect(complaints).toEqual([])
  })

  describe('what exists, with nothing in it', () => {
    beforeAll(async () => {
      const create = (path: string, body: object) =>
        prepare(site.service.url, 'POST', `/api/v1/projects/2${path}`, {
          name: 'Quiet',
          events: ['flag.deleted'],
          ...body,
        })
      await prepare(site.service.url, 'POST', '/api/v1/projects/2/flags', offOn('New menu', 'new-menu'))
      await create('/webhooks', { url: 'https://localhost:9/svc' })
      const config = { apiUrl: 'https://localhost:9/api/v3', owner: 'acme', repo: 'shop', token: 'ghp_longSecretWxYz' }
      await create('/destinations', { kind: 'GITHUB', config })
    })

    it.each(rowsOf(within, always.within))('%s: says so, and what to do', async (_name, [address, title, step]) => {
      await shows(address, title)
      await offers(step).first().waitFor()
    })
  })

  it.each(rowsOf(filtered, always.filtered))(
    '%s, filtered to nothing: clears the filters',
    async (_name, [address, title]) => {
      await shows(address, title)
      await main().getByRole('button', { name: 'Clear filters', exact: true }).last().click()
      await emptyState(title).waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).search).not.toMatch(/zzz|checkout|deleted|HELD/)
      expect(complaints).toEqual([])
    },
  )

  it('has a line for each page', () => {
    const met = [...Object.keys({ ...nothing, ...within, ...filtered }), ...Object.values(never).flat()]
    expect(Object.keys(pages).filter((name) => !met.includes(name))).toEqual([])
  })
})
