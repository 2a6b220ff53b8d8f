import type { Condition } from '@svc/core'
import { afterEach, describe, expect, test } from 'vitest'
import { cookiesOf, everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const body = '<h1>Own</h1><a id="to" href="/next">Next</a>'
const headline = everywhere([{ type: 'TEXT', page: null, selector: 'h1', value: 'New' }])
/** The page sends what waits when it ends. */
const leave = ({ page }: Site) => page.goto('about:blank')
/** As if the person chose a different tab and came back: the page sends what waits, and hears the answer. */
const hideAndShow = ({ page }: Site) =>
  page.evaluate(() => {
    for (const value of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      window.dispatchEvent(new Event('visibilitychange'))
    }
  })
/** The page has sent all that it had before this. */
async function told(site: Site): Promise<void> {
  await site.page.evaluate('svc.track("marker")')
  await leave(site)
  await expect.poll(() => site.events.some(({ eventKey }) => eventKey === 'marker')).toBe(true)
}
const exposures = ({ events }: Site) => events.filter(({ type }) => type === 'exposure')

describe('a visitor', () => {
  test.each([
    ['with the variation', 10_000, 'other'],
    ['with the original', 0, 'original'],
  ])(
    '%s is counted once in a session, also on later pages, with facts that are no addresses',
    async (_name, share, variationKey) => {
      opened = await openPage([headline], { body, share })
      await opened.open('/?utm_source=mail&secret=1')
      await hideAndShow(opened)
      await expect.poll(() => opened!.page.evaluate('sessionStorage.svc_seensdk_page')).toContain(variationKey)
      await opened.page.click('#to')
      await opened.page.waitForURL('**/next')
      await told(opened)
      expect(exposures(opened)).toHaveLength(1)
      const [event] = exposures(opened)
      expect(event).toMatchObject({ flagKey: 'x1', ruleId: 'rule-x1', variationKey, reason: 'SPLIT' })
      expect(event!.context).toEqual({ device: 'desktop', language: 'en-US', visitor: 'new', utm_source: 'mail' })
      expect(event!.unit).toMatch(/^[0-9a-f]{32}$/)
      const [cookie] = await cookiesOf(opened)
      expect(cookie).toMatchObject({
        name: 'svc_id',
        value: event!.unit,
        sameSite: 'Lax',
        domain: '.shop.localhost',
      })
    },
  )

  test('is told of again on the next page if the service has not confirmed it', async () => {
    opened = await openPage([headline], { body, refuses: 1 })
    await opened.open()
    await hideAndShow(opened)
    await expect.poll(() => opened!.refused).toBe(1)
    await opened.open('/next')
    await told(opened)
    expect(exposures(opened).length).toBeGreaterThan(0)
    expect(new Set(exposures(opened).map(({ unit }) => unit)).size).toBe(1)
  })

  test('keeps the id for a year from the last visit, and is known in a later session', async () => {
    opened = await openPage([headline], { body })
    await opened.open()
    const { value: first, expires } = (await cookiesOf(opened))[0]!
    // A tab of its own has a session of its own.
    const later = await opened.context.newPage()
    await leave(opened)
    await later.goto(opened.site)
    await later.goto('about:blank')
    await expect.poll(() => exposures(opened!)).toHaveLength(2)
    expect(exposures(opened)[1]).toMatchObject({ unit: first, context: { visitor: 'known' } })
    const renewed = (await cookiesOf(opened))[0]!
    expect(renewed.value).toBe(first)
    expect(renewed.expires).toBeGreaterThan(expires)
  })

  test('outside of the pages of an experiment is not counted', async () => {
    const pages = { plans: { attribute: 'page.path', operator: 'equals', value: '/plans' } } as const
    opened = await openPage([{ ...headline, pages }], { body })
    await opened.open('/other')
    await opened.page.evaluate(() => history.pushState(null, '', '/plans'))
    await opened.page.evaluate(() => history.pushState(null, '', '/other#x'))
    await told(opened)
    expect(exposures(opened)).toHaveLength(1)
    expect(opened.beats).toHaveLength(1)
    expect(opened.beats[0]).toMatchObject({ sdkType: 'web', instanceId: 'web:shop.localhost', revision: 7 })
  })
})

describe('nobody is counted, and nothing is stored', () => {
  test.each([
    ['for a visitor who sends Global Privacy Control', 'globalPrivacyControl', true],
    ['for a visitor who sends Do Not Track', 'doNotTrack', '1'],
  ])('%s', async (_who, name, value) => {
    opened = await openPage([headline], { body, isAlone: true })
    await opened.context.addInitScript(
      ([name, value]) => Object.defineProperty(Navigator.prototype, name as string, { get: () => value }),
      [name, value],
    )
    // From before the visitor asked for it.
    await opened.context.addCookies([{ name: 'svc_id', value: 'v-1', domain: '.shop.localhost', path: '/' }])
    await opened.open()
    await opened.page.evaluate('svc.track("marker")')
    await expect.poll(() => opened!.beats.length).toBe(1)
    expect(await opened.page.evaluate('Object.keys(sessionStorage)')).toEqual([])
    await leave(opened)
    expect(opened.events).toEqual([])
    expect(await cookiesOf(opened)).toEqual([])
  })
})

describe('the page', () => {
  test('says who the visitor is before anything is decided, and can go on to push calls', async () => {
    const early = '<script>window.svc = { q: [["setAttributes", { plan: "pro" }]] }</script>'
    const pages = { free: { attribute: 'plan', operator: 'notExists' } } as Record<string, Condition>
    opened = await openPage([{ ...headline, pages }], { body, head: early })
    await opened.open()
    expect(await opened.page.textContent('h1')).toBe('Own')
    await opened.page.evaluate('svc.q.push(["track", "pushed"])')
    await told(opened)
    expect(opened.events.map(({ eventKey }) => eventKey)).toEqual(['pushed', 'marker'])
  })

  test('with two tags runs one script', async () => {
    opened = await openPage(
      [everywhere([{ type: 'INSERT', page: null, selector: 'h1', position: 'AFTER', value: ['!'] }])],
      { body },
    )
    await opened.open()
    await opened.page.addScriptTag({ url: `${opened.service}/sdk/v1/web/sdk_page.js` })
    expect(await opened.page.evaluate(() => document.body.innerText)).toBe('Own\n!Next')
  })

  test('calls svc before the script has run, and gets its variations', async () => {
    const early =
      '<script>window.svc = { q: [["track", "seen", { value: 2 }], ["setAttributes", { plan: "pro" }]] }</script>'
    const pages = { pro: { attribute: 'plan', operator: 'equals', value: 'pro' } } as const
    opened = await openPage([{ ...headline, pages }], { body, head: early })
    await opened.open()
    expect(
      await opened.page.evaluate(() => (window as unknown as { svc: { variations: object } }).svc.variations),
    ).toEqual({ x1: 'other' })
    expect(await opened.page.textContent('h1')).toBe('New')
    await leave(opened)
    await expect.poll(() => opened!.events.length).toBe(2)
    expect(opened.events[0]).toMatchObject({ type: 'track', eventKey: 'seen', value: 2 })
  })

  test('has no other new global than svc', async () => {
    opened = await openPage([headline], { body })
    await opened.open()
    const names = () => opened!.page.evaluate(() => Object.getOwnPropertyNames(window).length)
    const withScript = await names()
    await opened.page.goto(`${opened.site}/bare`)
    expect(withScript - (await names())).toBe(1)
  })

  test('shows no frame of the original, although the script takes 300 ms', async () => {
    const watch = `<script>
      window.frames_ = []
      const look = () => { const h1 = document.querySelector('h1'); if (h1) frames_.push(h1.textContent); requestAnimationFrame(look) }
      look()
    </script>`
    opened = await openPage([headline], { body, head: watch, delayMs: 300 })
    await opened.open()
    await opened.page.waitForFunction('frames_.length > 5')
    expect(new Set(await opened.page.evaluate<string[]>('frames_'))).toEqual(new Set(['New']))
  })
})
