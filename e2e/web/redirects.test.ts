import { compile, type DataFile } from '@svc/core'
import { afterEach, describe, expect, test } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { everywhere, fileOf, newVisitor, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const onPlans = { plans: { attribute: 'page.path', operator: 'equals', value: '/plans' } } as const
type Asked = Omit<ReturnType<typeof everywhere>, 'pages'> & { keepQuery: boolean; pages: object }
/** The address of the site is known only when it runs. */
const to = (path: string, { keepQuery = true, pages = onPlans as object, ...more }: Partial<Asked> = {}) => {
  const redirect = { url: '', keepQuery }
  const experiment = everywhere([], {
    ...more,
    pages: pages as ReturnType<typeof everywhere>['pages'],
    variations: { other: { css: [], changes: [], redirect, code: null } },
  })
  return { experiment, at: (site: string) => Object.assign(redirect, { url: site + path }) }
}
async function openSite(redirect: ReturnType<typeof to>, options: Parameters<typeof openPage>[1] = {}): Promise<Site> {
  opened = await openPage([redirect.experiment, everywhere([], { key: 'x2' })], { body: '<h1>Own</h1>', ...options })
  redirect.at(opened.site)
  return opened
}
/** What browsers say when the redirect of a page ends the navigation to that page. */
const isEndedByRedirect = /interrupted by another navigation|ERR_ABORTED|NS_BINDING_ABORTED|navigation aborted/i
/** Opens an address that can send the visitor to a different one at once. */
const visit = ({ page, site }: Pick<Site, 'page' | 'site'>, path: string) =>
  page.goto(site + path, { waitUntil: 'commit' }).catch((error: Error) => {
    if (!isEndedByRedirect.test(error.message)) throw new Error(`${site}${path} cannot be opened`, { cause: error })
  })
/** What is sent twice has one id, and the service counts it once. */
const exposures = ({ events }: Site) => [
  ...new Map(events.filter(({ flagKey }) => flagKey === 'x1').map((event) => [event.id, event])).values(),
]

describe('a redirect', () => {
  test.each([
    ['keeps query and hash beside its own', '/b?v=2', true, '/plans?v=1&utm=x#top', '/b?v=2&utm=x#top'],
    ['goes to its address alone if it keeps no query', '/b?v=2', false, '/plans?v=1#top', '/b?v=2'],
  ])('%s', async (_does, path, keepQuery, from, becomes) => {
    const site = await openSite(to(path, { keepQuery }))
    await visit(site, from)
    await site.page.waitForURL(site.site + becomes)
    await expect.poll(() => exposures(site)).toMatchObject([{ flagKey: 'x1', variationKey: 'other' }])
  })

  test('leaves alone who is there already, and counts the visitor', async () => {
    const site = await openSite(to('/plans/?v=2'))
    await site.open('/plans?v=2&more=1')
    await expect.poll(() => exposures(site).length).toBe(1)
    expect(site.page.url()).toBe(`${site.site}/plans?v=2&more=1`)
    expect(await site.page.evaluate(() => getComputedStyle(document.documentElement).visibility)).toBe('visible')
  })

  test.each([
    ['has failed', 1, 503],
    // Where it leads, everything is answered with 200.
    ['was kept off by a page of a proxy, twice', 2, 302],
  ])('is told by the next page, with the same id, if the service %s', async (_why, refuses, refusesWith) => {
    const site = await openSite(to('/b'), { refuses, refusesWith })
    await visit(site, '/plans')
    await site.page.waitForURL('**/b')
    await expect.poll(() => site.refused).toBe(refuses)
    if (refuses > 1) await site.open('/c')
    await expect.poll(() => exposures(site).length).toBe(1)
    await expect.poll(() => site.page.evaluate('sessionStorage.svc_leftsdk_page')).toBeUndefined()
    // The next visit of this session does not count again.
    expect(await site.page.evaluate('sessionStorage.svc_seensdk_page')).toContain('rule-x1 other')
  })

  test('is not told again once the service has refused the event itself', async () => {
    const site = await openSite(to('/b'), { refuses: 99, refusesWith: 400 })
    await visit(site, '/plans')
    await site.page.waitForURL('**/b')
    await expect.poll(() => site.page.evaluate('sessionStorage.svc_leftsdk_page')).toBeUndefined()
  })

  test('counts a visitor of the original at the same moment', async () => {
    const site = await openSite(to('/b'), { share: 0 })
    await site.open('/plans')
    // Without a wait for the next batch, which takes 5 seconds.
    await expect.poll(() => exposures(site), { timeout: 4_000 }).toMatchObject([{ variationKey: 'original' }])
    expect(site.page.url()).toBe(`${site.site}/plans`)
  })

  test.each([
    ['the variation, who leaves then', 10_000, 'other', '/b'],
    ['the original', 0, 'original', '/plans'],
  ])(
    'whose element must be seen waits for it, and counts a visitor with %s',
    async (_arm, share, variationKey, becomes) => {
      const bySight = to('/b', { activation: 'SEEN', activationSelector: 'p' })
      const site = await openSite(bySight, { share, body: '<div style="height: 3000px"></div><p>P</p>' })
      await site.open('/plans')
      expect(await site.page.evaluate('Object.keys(svc.variations)')).toEqual(['x2'])
      await site.page.evaluate('scrollTo(0, 9000)')
      await site.page.waitForURL(`**${becomes}`)
      await expect.poll(() => exposures(site), { timeout: 4_000 }).toMatchObject([{ variationKey }])
    },
  )

  test.each([10_000, 0])('leaves out visitors of every arm whose storage is full (share %i)', async (share) => {
    const head = `<script>
      for (let size = 2 ** 22; size > 4_000; size /= 2)
        try { for (let index = 0; ; index += 1) sessionStorage[size + ' ' + index] = '-'.repeat(size) } catch {}
    </script>`
    const site = await openSite(to('/b'), { share, head })
    await site.open('/plans')
    expect(await site.page.evaluate('Object.keys(svc.variations)')).toEqual(['x2'])
    expect(site.errors).toEqual([])
  })

  test('rests after five times in a minute, so that two addresses cannot keep a visitor between them', async () => {
    const site = await openSite(to('/b', { pages: { all: { all: [] } } }), {
      // The site sends everybody back.
      head: '<script>if (location.pathname === "/b") location.replace("/plans")</script>',
    })
    const warned = site.page.waitForEvent('console', (message) => message.text().includes('rests'))
    await visit(site, '/plans')
    expect((await warned).text()).toContain('it happens too often')
    expect(site.page.url()).toBe(`${site.site}/plans`)
    // Other experiments act on the page where the visitor stays.
    await expect.poll(() => site.page.evaluate('Object.keys(svc.variations)')).toEqual(['x1', 'x2'])
  })
})

describe('a redirect that differs in the hash alone', () => {
  test('hides nothing once the address is there, and acts again', async () => {
    const atHash = { a: { attribute: 'page.hash', operator: 'equals', value: '#/a' } }
    const site = await openSite(to('/plans#/b', { pages: atHash }))
    await site.open('/plans#/home')
    for (let time = 0; time < 2; time += 1) {
      await site.page.evaluate('location.hash = "#/a"')
      await site.page.waitForURL('**#/b', { timeout: 5_000 })
      await site.page.waitForFunction(
        'getComputedStyle(document.documentElement).visibility === "visible"',
        undefined,
        {
          timeout: 700,
        },
      )
    }
  })
})

describe('a site with a router', () => {
  const router = (body: string) => `<script>window.svc = { q: [], redirect(address) { ${body} } }; count = 0</script>`

  test('changes its address itself: nothing is loaded or hidden', async () => {
    const site = await openSite(to('/b?v=2'), {
      head: router('count += 1; window.given = address; history.replaceState(null, "", address)'),
    })
    await site.open('/plans?x=1')
    await expect.poll(() => exposures(site).length).toBe(1)
    expect(site.page.url()).toBe(`${site.site}/b?v=2&x=1`)
    expect(await site.page.evaluate('[count, given]')).toEqual([1, '/b?v=2&x=1'])
  })

  test.each([
    ['throws', 'throw new Error("no route")'],
    ['says that it did not', 'return false'],
    ['does nothing', ''],
  ])('is left by a load if its router %s', async (_what, body) => {
    const site = await openSite(to('/b'), { head: router(body) })
    await visit(site, '/plans')
    await site.page.waitForURL('**/b')
    expect(site.errors).toEqual([])
  })
})

describe('a visitor who refuses', () => {
  const proOnly = { pro: { attribute: 'plan', operator: 'equals', value: 'pro' } }
  const router = '<script>count = 0; window.svc = { q: [], redirect() { count += 1 } }</script>'
  test.each([
    ['before the page goes', '', 'svc.consent(false)', '/plans', 0],
    ['before the router is asked', router, 'svc.consent(false)', '/plans', 0],
    ['while the router is at work', router, 'queueMicrotask(() => svc.consent(false))', '/plans', 1],
  ])('%s stays', async (_when, head, refuses, path, count) => {
    const site = await openSite(to('/b', { pages: proOnly }), { head, isAlone: true })
    await site.page.clock.install()
    await site.open(path)
    await site.page.evaluate(`svc.setAttributes({ plan: "pro" }); ${refuses}`)
    await site.page.clock.runFor(1_000)
    expect(
      await site.page.evaluate(
        '[getComputedStyle(document.documentElement).visibility, location.pathname, self.count ?? 0]',
      ),
    ).toEqual(['visible', path, count])
  })
})

const visitors = isFull ? 1_000 : 16
const atOnce = 4

test(`${visitors} visitors of an instant redirect are counted in both arms, none is lost`, async () => {
  // The next one is a different person in this tab.
  const head = '<script>if (location.pathname === "/plans") sessionStorage.clear()</script>'
  const site = await openSite(to('/b'), { share: 5_000, answerMs: 200, head })
  const evaluator = compile(fileOf([to('/b').experiment], 5_000) as unknown as DataFile)
  const ids = Array.from({ length: visitors }, (_, index) => `visitor-${index}`)
  const variationOf = (id: string) => evaluator.evaluate('x1', { targetingKey: id })!.variationKey!
  const visitAll = async (own: readonly string[]) => {
    const context = await newVisitor()
    const page = await context.newPage()
    for (const value of own) {
      await context.addCookies([{ name: 'svc_id', value, domain: '.shop.localhost', path: '/' }])
      await visit({ page, site: site.site }, '/plans')
      const variation = variationOf(value)
      await page.waitForURL(variation === 'other' ? '**/b' : '**/plans').catch(async (error: Error) => {
        const cookies = await page.evaluate('document.cookie')
        throw new Error(`${value} with ${variation} is at ${page.url()}, and has ${cookies}`, { cause: error })
      })
      // The page renews its cookie without waiting for the browser, and would do so over that of the next person. To read
      // it is to wait. It also shows that this person was here.
      expect(await page.evaluate('document.cookie')).toContain(`svc_id=${value}`)
    }
    return context
  }
  const contexts = await Promise.all(
    Array.from({ length: atOnce }, (_, part) => visitAll(ids.filter((_, at) => at % atOnce === part))),
  )
  const counted = () => new Map(exposures(site).map(({ unit, variationKey }) => [unit, variationKey]))
  await expect.poll(() => ids.filter((id) => !counted().has(id))).toEqual([])
  // Not earlier: a browser that is closed may drop what its page has sent in its last moment.
  await Promise.all(contexts.map((context) => context.close()))
  expect([...counted()].sort()).toEqual(ids.map((id) => [id, variationOf(id)]).sort())
  expect(mismatch([...counted().values()].filter((key) => key === 'other').length)).toBeLessThan(6.63)
})

/** Chi-square of a split in halves with one degree of freedom. Above 6.63, p is below 0.01. */
const mismatch = (ofOneArm: number): number => (2 * ofOneArm - visitors) ** 2 / visitors
