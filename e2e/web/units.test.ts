import { afterEach, expect, test } from 'vitest'
import { coded, cookiesOf, everywhere, newVisitor, openPage, type PageOptions, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const variationsOf = (site: Site) => site.page.evaluate('svc.variations')
const keptOf = async (site: Site) => (await cookiesOf(site)).filter(({ name }) => name === 'svc_kept')

test('a visitor of a sticky experiment keeps the variation in a cookie, and nothing once consent is refused', async () => {
  const options: PageOptions = { rule: { sticky: true } }
  opened = await openPage([everywhere([])], options)
  await opened.open()
  expect(await variationsOf(opened)).toEqual({ x1: 'other' })
  const [kept] = await keptOf(opened)
  expect(kept!.expires).toBeGreaterThan(Date.now() / 1000 + 360 * 86_400)
  options.share = 0
  await opened.open('/again')
  expect(await variationsOf(opened)).toEqual({ x1: 'other' })
  const other = await newVisitor()
  const page = await other.newPage()
  await page.goto(opened.site)
  expect(await page.evaluate('svc.variations')).toEqual({ x1: 'original' })
  await other.close()
  await opened.page.evaluate('svc.consent(false)')
  expect(await keptOf(opened)).toEqual([])
})

test('a sticky variation is stored once the visitor has agreed, and not before', async () => {
  opened = await openPage([everywhere([])], {
    rule: { sticky: true },
    settings: { consent: 'REQUIRED', pending: 'APPLY' },
  })
  await opened.open()
  expect([await variationsOf(opened), await keptOf(opened)]).toEqual([{ x1: 'other' }, []])
  await opened.page.evaluate('svc.consent(true)')
  expect(await keptOf(opened)).toHaveLength(1)
})

test('an experiment by another attribute waits for it, and counts the visitor and the events by it', async () => {
  opened = await openPage([everywhere([])], { rule: { bucketBy: ['userId'] } })
  await opened.open()
  expect(await variationsOf(opened)).toEqual({})
  await opened.page.evaluate('svc.track("before")')
  await opened.page.evaluate('svc.identify("ada")')
  expect(await variationsOf(opened)).toEqual({ x1: 'other' })
  await opened.page.evaluate('svc.track("paid", { value: 49.9 })')
  const [id] = (await cookiesOf(opened)).filter(({ name }) => name === 'svc_id')
  await opened.page.goto('about:blank')
  const sent = () => opened!.events.map(({ type, eventKey, unit, value }) => [type, eventKey, unit, value])
  await expect.poll(() => sent().length).toBe(4)
  expect(sent()).toEqual([
    ['track', 'before', id!.value, undefined],
    ['exposure', undefined, 'ada', undefined],
    ['track', 'paid', id!.value, 49.9],
    ['track', 'paid', 'ada', 49.9],
  ])
})

test('an error of code names the unit by which its experiment draws, and the code still knows the visitor', async () => {
  opened = await openPage([coded(0)], {
    rule: { bucketBy: ['userId'], sticky: true },
    code: ['globalThis.seen = svc.visitorId\nthrow new Error("at once")'],
  })
  await opened.open()
  await opened.page.evaluate('svc.identify("ada")')
  const errors = () => opened!.events.filter(({ type }) => type === 'error').map(({ unit }) => unit)
  await expect.poll(errors).toEqual(['ada'])
  const [id] = (await cookiesOf(opened)).filter(({ name }) => name === 'svc_id')
  expect(await opened.page.evaluate('globalThis.seen')).toBe(id!.value)
})

test('a refusal deletes what is kept, and no other tab writes it again', async () => {
  opened = await openPage([everywhere([])], {
    rule: { sticky: true },
    settings: { consent: 'REQUIRED' },
    head: '<script>if (!window.name) window.svc = { q: [["consent", true]] }; window.name = "once"</script>',
  })
  await opened.open()
  expect(await keptOf(opened)).toHaveLength(1)
  const tab = await opened.context.newPage()
  await tab.goto(opened.site)
  await opened.page.evaluate('svc.consent(false)')
  await expect.poll(() => tab.evaluate('svc.variations')).toEqual({})
  await tab.evaluate('svc.setAttributes({ plan: "pro" })')
  expect(await keptOf(opened)).toEqual([])
})

test.each(['doNotTrack', 'globalPrivacyControl'])(
  '%s deletes what an ended sticky experiment has kept',
  async (signal) => {
    opened = await openPage([everywhere([])], { isAlone: true })
    const url = opened.site
    await opened.context.addCookies(['svc_id', 'svc_kept'].map((name) => ({ name, value: '1a:other', url })))
    await opened.context.addInitScript(
      (name) => Object.defineProperty(Navigator.prototype, name, { get: () => (name === 'doNotTrack' ? '1' : true) }),
      signal,
    )
    await opened.open()
    expect(await cookiesOf(opened)).toEqual([])
  },
)
