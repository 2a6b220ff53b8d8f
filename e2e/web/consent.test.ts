import { afterEach, describe, expect, test } from 'vitest'
import { cookiesOf, everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const headline = everywhere([{ type: 'TEXT', page: null, selector: 'h1', value: 'New' }])
const redirecting = (redirect: { url: string; keepQuery: boolean }) =>
  everywhere([], { key: 'x2', variations: { other: { css: [], changes: [], redirect, code: null } } })

/** A page of a project that asks for consent. Its second experiment has a redirect to the address where the visitor is. */
async function openAsking(
  pending: 'HOLD' | 'APPLY',
  head = '',
  signal?: string,
  more: Parameters<typeof openPage>[1] = {},
): Promise<Site> {
  const redirect = { url: '', keepQuery: true }
  const settings = { consent: 'REQUIRED', pending } as const
  const options = { body: '<h1>Own</h1>', head, settings, isAlone: signal !== undefined, ...more }
  opened = await openPage([headline, redirecting(redirect)], options)
  redirect.url = `${opened.site}/`
  if (signal)
    await opened.context.addInitScript(
      (name) => Object.defineProperty(Navigator.prototype, name, { get: () => true }),
      signal,
    )
  await opened.open()
  return opened
}

/** What an earlier page of this tab has sent without an answer. */
const leaving = (...ids: string[]) => {
  const bodies = ids.map((id) =>
    JSON.stringify({ sdkKey: 'sdk_page', events: [{ id, type: 'exposure', flagKey: 'left', ruleId: 'rule-left' }] }),
  )
  return `<script>if (!window.name) sessionStorage.svc_leftsdk_page = ${JSON.stringify(JSON.stringify(bodies))}; window.name = 'once'</script>`
}
const early = (isGiven: boolean) => `<script>window.svc = { q: [["consent", ${isGiven}]] }</script>`
const call = ({ page }: Site, what: string) => page.evaluate(`svc.${what}`)
/** What the page shows and takes part in, and every trace of the visitor. */
async function traces(site: Site) {
  const { page, events, beats } = site
  const shown = (await page.evaluate(`({
    text: document.querySelector('h1').textContent,
    variations: Object.keys(svc.variations).sort().join(),
    kept: [...Object.keys(sessionStorage), ...Object.keys(localStorage)].length,
  })`)) as { text: string; variations: string; kept: number }
  return { ...shown, cookies: (await cookiesOf(site)).length, sent: events.length + beats.length }
}
const untouched = { text: 'Own', variations: '', kept: 0, cookies: 0, sent: 0 }
const changedOnly = { ...untouched, text: 'New', variations: 'x1' }
/** The page sends what waits when it ends. */
const leave = ({ page }: Site) => page.goto('about:blank')
const sent = ({ events }: Site) => events.map(({ type, flagKey, eventKey }) => `${type} ${flagKey ?? eventKey}`)

describe('before the answer', () => {
  test.each([
    ['HOLD, the page stays as it is', 'HOLD', untouched],
    ['APPLY, the page changes, without experiments that redirect', 'APPLY', changedOnly],
  ] as const)('with %s, and nothing is stored or sent', async (_what, pending, expected) => {
    const site = await openAsking(pending)
    await call(site, 'track("early")')
    expect(await traces(site)).toEqual(expected)
    await site.open('/next')
    expect(await traces(site)).toEqual(expected)
  })
})

test.each(['my_svc_consent=1', 'svc_consent=0'])('the cookie %s is no answer', async (cookie) => {
  const site = await openAsking('APPLY', `<script>document.cookie = '${cookie}'</script>`)
  expect(await traces(site)).toEqual({ ...changedOnly, cookies: 1 })
})

test('what an earlier page has left waits for the answer', async () => {
  const site = await openAsking('HOLD', leaving('1'))
  await site.open('/next')
  expect(site.events).toEqual([])
  await call(site, 'consent(true)')
  await site.open('/')
  await expect.poll(() => sent(site)).toContain('exposure left')
})

describe('a visitor who agrees', () => {
  test('with HOLD takes part from the next page view on', async () => {
    const site = await openAsking('HOLD')
    await call(site, 'consent(true)')
    expect(await traces(site)).toEqual({ ...untouched, cookies: 1 })
    await site.open('/')
    expect(await traces(site)).toMatchObject({ text: 'New', variations: 'x1,x2', cookies: 2 })
    await leave(site)
    await expect.poll(() => new Set(sent(site))).toEqual(new Set(['exposure x1', 'exposure x2']))
  })

  test('with HOLD takes part after a change of the address, too', async () => {
    const site = await openAsking('HOLD')
    await call(site, 'consent(true)')
    await site.page.evaluate(() => history.pushState(null, '', '/?next'))
    expect(await traces(site)).toMatchObject({ text: 'New', cookies: 2 })
  })

  test('with APPLY keeps the variation, and what waits is sent with its time and this id', async () => {
    const site = await openAsking('APPLY')
    const before = Date.now()
    await call(site, 'track("early")')
    expect(sent(site)).toEqual([])
    await call(site, 'consent(true)')
    expect(await traces(site)).toMatchObject({ text: 'New', variations: 'x1', cookies: 2 })
    await leave(site)
    await expect.poll(() => sent(site)).toEqual(['exposure x1', 'track early'])
    const id = (await cookiesOf(site)).find(({ name }) => name === 'svc_id')!.value
    expect(site.events.map(({ unit }) => unit)).toEqual([id, id])
    expect(Date.parse(String(site.events[1]!.ts)) - before).toBeLessThan(1_000)
    // The answer is remembered, and the experiment that redirects has its turn.
    await site.open('/')
    expect(await traces(site)).toMatchObject({ variations: 'x1,x2' })
  })

  test.each(['HOLD', 'APPLY'] as const)('with %s in two tabs is one visitor', async (pending) => {
    const site = await openAsking(pending)
    const other = await site.context.newPage()
    await other.goto(site.site)
    await other.evaluate('svc.track("other")')
    await call(site, 'consent(true)')
    await other.evaluate('svc.consent(true)')
    for (const page of [site.page, other]) await page.evaluate(`history.pushState(null, '', '/?next')`)
    await other.goto('about:blank')
    await other.goto(site.site)
    await other.evaluate('svc.track("agreed")')
    await other.goto('about:blank')
    await leave(site)
    await expect.poll(() => sent(site)).toContain('track agreed')
    await site.open('/bare')
    const id = (await cookiesOf(site)).find(({ name }) => name === 'svc_id')!.value
    expect(new Set(site.events.map(({ unit }) => unit))).toEqual(new Set([id]))
    expect(sent(site)).not.toContain('track other')
  })

  test('with HOLD tells nothing of the time before', async () => {
    const site = await openAsking('HOLD')
    await call(site, 'track("early")')
    await call(site, 'consent(true)')
    await call(site, 'track("held")')
    await site.page.evaluate(() => history.pushState(null, '', '/?next'))
    await call(site, 'track("late")')
    await leave(site)
    await expect.poll(() => new Set(sent(site))).toEqual(new Set(['exposure x1', 'exposure x2', 'track late']))
  })

  test.each(['HOLD', 'APPLY'] as const)('with %s before the script runs takes part at once', async (pending) => {
    const site = await openAsking(pending, early(true))
    expect(await traces(site)).toMatchObject({ text: 'New', variations: 'x1,x2', cookies: 2 })
  })
})

describe('a visitor who refuses', () => {
  test.each([
    ['with HOLD', 'HOLD', ''],
    ['with APPLY, whose changes are undone', 'APPLY', ''],
    ['before the script runs', 'APPLY', early(false)],
  ] as const)('%s leaves nothing behind', async (_when, pending, head) => {
    const site = await openAsking(pending, head)
    await call(site, 'track("early")')
    await call(site, 'consent(false)')
    await call(site, 'track("late")')
    expect(await traces(site)).toEqual(untouched)
    await leave(site)
    expect(site.events).toEqual([])
  })

  test('later loses the id and everything that was stored, and sees the page as it is', async () => {
    const site = await openAsking('APPLY', early(true))
    await expect.poll(() => site.beats.length).toBe(1)
    await call(site, 'consent(false)')
    expect(await traces(site)).toMatchObject({ text: 'Own', variations: '', kept: 0, cookies: 0 })
  })

  test('loses what an earlier page has left, whatever the service answers to it', async () => {
    const site = await openAsking('APPLY', early(true) + leaving('1', '2'), undefined, { refuses: 1, answerMs: 500 })
    await call(site, 'consent(false)')
    await expect.poll(() => [site.refused, sent(site).includes('exposure left')]).toEqual([1, true])
    // The answers are in the page before this one is.
    await site.page.evaluate((service) => fetch(service), site.service)
    expect(await traces(site)).toMatchObject({ kept: 0, cookies: 0 })
  })

  test.each([
    ['whose browser tells of cookies', ''],
    ['whose browser tells nothing, once this tab is looked at again', '<script>delete self.cookieStore</script>'],
  ])('in a different tab, %s, leaves nothing behind in this one', async (_whose, head) => {
    const site = await openAsking('APPLY', head)
    await call(site, 'consent(true)')
    const other = await site.context.newPage()
    await other.goto(site.site)
    await other.evaluate('svc.consent(false)')
    if (head) await site.page.evaluate('dispatchEvent(new Event("visibilitychange"))')
    await expect.poll(() => traces(site)).toMatchObject({ text: 'Own', variations: '', kept: 0, cookies: 0 })
  })

  test('by Global Privacy Control stays out, whatever the page says, and loses what was stored', async () => {
    const known = '<script>document.cookie = "svc_id=v-1"</script>'
    const site = await openAsking('APPLY', known + early(true) + leaving('1'), 'globalPrivacyControl')
    expect(await traces(site)).toEqual({ ...untouched, cookies: 1 })
  })

  test('loses cookies from before the project named a domain', async () => {
    const settings = { cookieDomain: 'shop.example', consent: 'REQUIRED' } as const
    opened = await openPage([headline], { body: '<h1>Own</h1>', settings })
    await opened.context.addCookies(
      ['svc_id', 'svc_consent'].map((name) => ({ name, value: '1', domain: '.shop.localhost', path: '/' })),
    )
    await opened.open()
    await call(opened, 'consent(false)')
    expect(await traces(opened)).toMatchObject({ kept: 0, cookies: 0 })
  })

  test('in a project that does not ask leaves nothing behind either', async () => {
    opened = await openPage([headline], { body: '<h1>Own</h1>' })
    await opened.open()
    await expect.poll(() => opened!.beats.length).toBe(1)
    await call(opened, 'consent(false)')
    expect(await traces(opened)).toMatchObject({ text: 'Own', variations: '', kept: 0, cookies: 0 })
  })
})

test.each(['REQUIRED', 'NOT_REQUIRED'] as const)('a page without an origin has svc with %s', async (consent) => {
  const headers = () => ({ 'content-security-policy': 'sandbox allow-scripts' })
  opened = await openPage([headline], { body: '<h1>Own</h1>', settings: { consent }, headers })
  await opened.open()
  await call(opened, 'consent(true)')
  await call(opened, 'track("order")')
  await call(opened, 'consent(false)')
  expect(opened.errors).toEqual([])
})

test('what the service has not confirmed is counted by the next page, whatever else it has answered', async () => {
  const site = await openAsking('APPLY')
  await call(site, 'consent(true)')
  await expect.poll(() => site.beats.length).toBe(1)
  await site.page.evaluate((service) => fetch(service), site.service)
  expect(await site.page.evaluate('sessionStorage.svc_seensdk_page')).toBeUndefined()
})
