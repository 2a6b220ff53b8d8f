import { afterEach, describe, expect, test } from 'vitest'
import type { ServedChange } from '../../packages/web/src/index.ts'
import { everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const changes: ServedChange[] = [{ type: 'TEXT', page: null, selector: 'h1', value: 'New' }]
const h1Of = ({ page }: Site) => page.textContent('h1')
const exposed = ({ events }: Site) => events.filter(({ type }) => type === 'exposure').map((each) => each.variationKey)
/** The page has sent all that it had before this. */
async function told(site: Site): Promise<void> {
  await site.page.evaluate('svc.track("marker")')
  await site.page.goto('about:blank')
  await expect.poll(() => site.events.some(({ eventKey }) => eventKey === 'marker')).toBe(true)
}

describe.each([
  ['the variation', 10_000, 'other', 'New'],
  ['the original', 0, 'original', 'Own'],
])('a visitor with %s', (_arm, share, variationKey, text) => {
  test('is counted at a call, and gets the changes then', async () => {
    opened = await openPage([everywhere(changes, { activation: 'CALL' })], { body: '<h1>Own</h1>', share })
    await opened.open()
    expect(await h1Of(opened)).toBe('Own')
    expect(await opened.page.evaluate('svc.variations')).toEqual({})
    await opened.page.evaluate('svc.activate("x1")')
    expect(await h1Of(opened)).toBe(text)
    await told(opened)
    expect(exposed(opened)).toEqual([variationKey])
  })

  test('who makes no call is not counted', async () => {
    opened = await openPage([everywhere(changes, { activation: 'CALL' })], { body: '<h1>Own</h1>', share })
    await opened.open()
    await opened.page.evaluate('svc.activate("x2")')
    await told(opened)
    expect(exposed(opened)).toEqual([])
  })

  test.each([
    ['half of the element shows', '<div style="height: 3000px"></div><p style="height: 100px">P</p>'],
    ['half of the screen shows it', '<div style="height: 3000px"></div><p style="height: 9000px">P</p>'],
  ])('is counted when %s, and has the changes before', async (_when, below) => {
    const bySight = everywhere(changes, { activation: 'SEEN', activationSelector: 'p' })
    opened = await openPage([bySight], { body: `<h1>Own</h1>${below}`, share })
    await opened.open()
    expect(await h1Of(opened)).toBe(text)
    await opened.page.evaluate(async () => {
      window.scrollTo(0, document.querySelector('div')!.offsetHeight)
      // Two frames: one for the scroll, one for what follows from it.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    })
    await told(opened)
    expect(exposed(opened)).toEqual([variationKey])
  })

  test('who does not get as far as the element is not counted, also one that comes late', async () => {
    const bySight = everywhere(changes, { activation: 'SEEN', activationSelector: 'p' })
    opened = await openPage([bySight], { body: '<h1>Own</h1><div style="height: 3000px"></div>', share })
    await opened.open()
    await opened.page.evaluate(() => document.body.append(document.createElement('p')))
    await told(opened)
    expect(exposed(opened)).toEqual([])
  })
})

test('a call before the script has run counts', async () => {
  opened = await openPage([everywhere(changes, { activation: 'CALL' })], {
    body: '<h1>Own</h1>',
    head: '<script>window.svc = { q: [["activate", "x1"]] }</script>',
  })
  await opened.open()
  expect(await h1Of(opened)).toBe('New')
})

test('a selector that the browser does not know stops its own experiment alone', async () => {
  const only = (key: string, selector: string, more: object = {}) =>
    everywhere([{ type: 'TEXT', page: null, selector, value: 'New' }], { key, ...more })
  opened = await openPage(
    [
      only('x1', 'h1:unknown'),
      only('x2', 'p'),
      only('x3', 'i', { activation: 'SEEN', activationSelector: 'i:unknown' }),
    ],
    { body: '<h1>Own</h1><p>Own</p><i>Own</i><script>window.early = Object.keys(svc.variations)</script>' },
  )
  await opened.open()
  expect(await opened.page.evaluate('early')).toEqual(['x1', 'x2', 'x3'])
  expect(await opened.page.locator('h1, p, i').allTextContents()).toEqual(['Own', 'New', 'New'])
  await told(opened)
  expect(opened.events.filter(({ type }) => type === 'exposure').map(({ flagKey }) => flagKey)).toEqual(['x1', 'x2'])
})

test('a page whose cookies the browser refuses can call the script all the same', async () => {
  opened = await openPage([everywhere(changes)], {
    body: '<h1>Own</h1>',
    settings: { consent: 'REQUIRED' },
    headers: () => ({ 'content-security-policy': 'sandbox allow-scripts' }),
  })
  await opened.open()
  await opened.page.evaluate('svc.track("paid")')
  expect([await h1Of(opened), opened.errors]).toEqual(['Own', []])
})

/** What an observer of the page sees: the text and whether it is hidden, at each frame until the text is new. */
const watch = `<script>
  window.frames_ = []
  const look = () => {
    const h1 = document.querySelector('h1')
    if (h1) frames_.push(h1.textContent + ' ' + getComputedStyle(h1).visibility)
    requestAnimationFrame(look)
  }
  look()
</script>`
const frames = async ({ page }: Site): Promise<string[]> => [...new Set(await page.evaluate<string[]>('frames_'))]
/** A framework that takes over the page, and renders again whatever is not as its server has sent it. */
const hydrate = `<script>
  window.found = []
  addEventListener('load', () => setTimeout(() => found.push(document.querySelector('h1').textContent), 50))
</script>`

describe('a page whose framework takes over its HTML', () => {
  test.each([
    ['AUTO', '<div id="__next"><h1>Own</h1></div>'],
    ['HYDRATED', '<h1>Own</h1>'],
  ] as const)('gets texts with %s after that, and hides only what will change', async (applyAt, body) => {
    opened = await openPage([everywhere(changes, { applyAt })], { body, head: watch + hydrate })
    await opened.open()
    await expect.poll(() => h1Of(opened!)).toBe('New')
    await opened.page.waitForFunction('frames_.at(-1) === "New visible"')
    expect(await opened.page.evaluate('found')).toEqual(['Own'])
    expect(await frames(opened)).toEqual(['Own hidden', 'New visible'])
  })

  test('for longer than it rests, as on a slow processor, gets texts after that', async () => {
    // In small steps, as React does. Nothing of the page changes meanwhile.
    const slowly = `<script>
      window.found = []
      addEventListener('load', () => {
        const isTakenOverMs = performance.now() + 800
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          for (const stepMs = performance.now() + 5; performance.now() < stepMs; );
          if (performance.now() < isTakenOverMs) port2.postMessage(0)
          else found.push(document.querySelector('h1').textContent)
        }
        port2.postMessage(0)
      })
    </script>`
    opened = await openPage([everywhere(changes)], { body: '<div id="__next"><h1>Own</h1></div>', head: slowly })
    await opened.open()
    await expect.poll(() => h1Of(opened!)).toBe('New')
    expect(await opened.page.evaluate('found')).toEqual(['Own'])
  })

  test('gets texts at once with EARLY, and without a framework with AUTO', async () => {
    for (const [applyAt, body] of [
      ['EARLY', '<div id="__next"><h1>Own</h1></div>'],
      ['AUTO', '<h1>Own</h1>'],
    ] as const) {
      opened = await openPage([everywhere(changes, { applyAt })], { body, head: watch + hydrate })
      await opened.open()
      await opened.page.waitForFunction('frames_.length > 3 && found.length > 0')
      expect(await opened.page.evaluate('found')).toEqual(['New'])
      expect(await frames(opened)).toEqual(['New visible'])
      await opened.close()
    }
  })

  test('that never rests gets them all the same, and shows its own text after a second', async () => {
    const restless = '<script>setInterval(() => document.querySelector("i").replaceChildren("!"), 50)</script>'
    opened = await openPage([everywhere(changes)], {
      body: `<div id="__nuxt"><h1>Own</h1></div><i></i>${restless}`,
      head: watch,
    })
    await opened.open()
    await expect.poll(() => frames(opened!)).toEqual(['Own hidden', 'Own visible', 'New visible'])
  })

  test('hides nothing of a page that the visitor has left, or enters when the framework has long taken over', async () => {
    const pages = { plans: { attribute: 'page.path', operator: 'equals', value: '/plans' } } as const
    const restless = '<script>setInterval(() => document.querySelector("i").replaceChildren("!"), 50)</script>'
    opened = await openPage([everywhere(changes, { pages })], {
      body: `<div id="__next"><h1>Own</h1></div><i></i>${restless}`,
      isAlone: true,
    })
    const { page } = opened
    const at = (path: string) =>
      page.evaluate((path) => {
        history.pushState(null, '', path)
        const h1 = document.querySelector('h1')!
        return `${h1.textContent} ${getComputedStyle(h1).visibility}`
      }, path)
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1_000)
    await opened.open('/plans')
    expect(await at('/plans')).toBe('Own hidden')
    expect(await at('/else')).toBe('Own visible')
    await page.clock.runFor(6_000)
    expect(await at('/plans')).toBe('New visible')
    // A load elsewhere begins the wait too.
    await opened.open('/else')
    await page.clock.runFor(6_000)
    expect(await at('/plans')).toBe('New visible')
  })
})
