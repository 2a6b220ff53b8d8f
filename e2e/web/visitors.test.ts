import { afterEach, describe, expect, test } from 'vitest'
import { everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const body = '<h1>Own</h1><a id="to" href="/next">Next</a>'
const headline = everywhere([{ type: 'TEXT', page: null, selector: 'h1', value: 'New' }])
/** The page sends what waits when it ends. */
const leave = ({ page }: Site) => page.goto('about:blank')
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
      await opened.page.click('#to')
      await opened.page.waitForURL('**/next')
      await leave(opened)
      await expect.poll(() => exposures(opened!)).toHaveLength(1)
      const [event] = exposures(opened)
      expect(event).toMatchObject({ flagKey: 'x1', ruleId: 'rule-x1', variationKey, reason: 'SPLIT' })
      expect(event!.context).toEqual({ device: 'desktop', language: 'en-US', visitor: 'new', utm_source: 'mail' })
      expect(event!.unit).toMatch(/^[0-9a-f]{32}$/)
      const [cookie] = await opened.context.cookies()
      expect(cookie).toMatchObject({
        name: 'svc_id',
        value: event!.unit,
        sameSite: 'Lax',
        domain: '.shop.localhost',
      })
    },
  )

  test('keeps the id in a later session, and is known then', async () => {
    opened = await openPage([headline], { body })
    await opened.open()
    const first = (await opened.context.cookies())[0]!.value
    // A tab of its own has a session of its own.
    const later = await opened.context.newPage()
    await leave(opened)
    await later.goto(opened.site)
    await later.goto('about:blank')
    await expect.poll(() => exposures(opened!)).toHaveLength(2)
    expect(exposures(opened)[1]).toMatchObject({ unit: first, context: { visitor: 'known' } })
  })

  test('outside of the pages of an experiment is not counted', async () => {
    const pages = { plans: { attribute: 'page.path', operator: 'equals', value: '/plans' } } as const
    opened = await openPage([{ ...headline, pages }], { body })
    await opened.open('/other')
    await opened.page.evaluate(() => history.pushState(null, '', '/plans'))
    await opened.page.evaluate(() => history.pushState(null, '', '/other#x'))
    await leave(opened)
    await expect.poll(() => exposures(opened!)).toHaveLength(1)
    expect(opened.beats).toHaveLength(1)
    expect(opened.beats[0]).toMatchObject({ sdkType: 'web', instanceId: 'web:shop.localhost', revision: 7 })
  })
})

describe('the page', () => {
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
