import { afterEach, describe, expect, test } from 'vitest'
import type { ServedExperiment } from '../../packages/web/src/index.ts'
import { coded, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const pages: ServedExperiment['pages'] = {
  plans: { attribute: 'page.path', operator: 'startsWith', value: '/plans' },
}
const goTo = ({ page }: Site, path: string) => page.evaluate((to) => history.pushState(null, '', to), path)
const logOf = ({ page }: Site) => page.evaluate('globalThis.log')
const errorsIn = ({ events }: Site) => events.filter(({ type }) => type === 'error')

describe('the code of a variation', () => {
  test('runs after the changes, once in a page view, and undoes in reverse order what it leaves', async () => {
    const code = `const log = (globalThis.log ??= [])
log.push(svc.variationKey, svc.visitorId.length, document.querySelector('h1')?.textContent ?? 'no h1')
svc.onLeave(() => log.push('first'))
svc.onLeave(() => log.push('second'))`
    opened = await openPage([coded(0, { pages })], { body: '<h1>Our plans</h1>', code: [code] })
    await opened.open('/other')
    expect(await logOf(opened)).toBeUndefined()
    await goTo(opened, '/plans')
    const once = ['other', 32, 'From € 9']
    expect(await logOf(opened)).toEqual(once)
    await opened.page.evaluate('svc.setAttributes({ plan: "pro" })')
    expect(await logOf(opened)).toEqual(once)
    await goTo(opened, '/plans?yearly')
    const twice = [...once, 'second', 'first', ...once]
    expect(await logOf(opened)).toEqual(twice)
    await opened.page.evaluate('svc.consent(false)')
    expect(await logOf(opened)).toEqual([...twice, 'second', 'first'])
    expect(opened.errors).toEqual([])
  })

  test('waits for elements, tracks, and works under a strict policy', async () => {
    const code = `svc.waitFor('.late').then((element) => { element.textContent = 'found'; svc.track('seen') })
svc.waitFor('.never').then(() => svc.track('never'))`
    opened = await openPage([coded(0)], {
      body: '<h1>Our plans</h1>',
      code: [code],
      headers: (service) => ({
        'content-security-policy': `default-src 'none'; script-src ${service}; connect-src ${service}; require-trusted-types-for 'script'; trusted-types 'none'`,
      }),
    })
    await opened.open()
    await opened.page.evaluate(() => {
      const late = document.body.appendChild(document.createElement('p'))
      // It matches only later.
      setTimeout(() => {
        late.className = 'late'
      })
    })
    await opened.page.waitForFunction(() => document.querySelector('.late')?.textContent === 'found')
    await opened.page.goto('about:blank')
    await expect.poll(() => opened!.events.map(({ eventKey }) => eventKey)).toContain('seen')
    expect(opened.events.map(({ eventKey }) => eventKey)).not.toContain('never')
    expect(opened.errors).toEqual([])
  })

  test('waits with the changes of its variation for a framework', async () => {
    const code = 'globalThis.log = [document.querySelector("h1")?.textContent ?? "too early"]'
    opened = await openPage([coded(0)], { body: '<div id="__next"><h1>Our plans</h1></div>', code: [code] })
    await opened.open()
    await expect.poll(() => logOf(opened!)).not.toBeUndefined()
    expect(await logOf(opened)).toEqual(['From € 9'])
  })
})

describe('an error of the code', () => {
  const second = `// The second experiment.

setTimeout(() => {
  throw new TypeError('later')
})
Promise.resolve().then(() => undefined.rejected)
document.addEventListener('click', () => { null.clicked })
throw new Error('at once')`

  test.each([false, true])(
    'is told with its variation and its line, thrown at once, later or in a promise; inline: %s',
    async (isInline) => {
      const code = ['globalThis.first = 1\r\n\r\n', second]
      opened = await openPage([coded(0), coded(1)], { code, isInline, head: '\n<meta name="a">\n' })
      await opened.open()
      await opened.page.evaluate(() => document.body.click())
      await expect.poll(() => errorsIn(opened!).length).toBe(4)
      const told = errorsIn(opened).map(({ message, line }) => [String(message).replace(/ \(.*/, ''), line])
      expect(told.sort(([, one], [, other]) => Number(one) - Number(other))).toEqual([
        ['TypeError: later', 4],
        ['TypeError: Cannot read properties of undefined', 6],
        ['TypeError: Cannot read properties of null', 7],
        ['Error: at once', 8],
      ])
      const [exposure] = opened.events.filter(({ ruleId }) => ruleId === 'rule-x2')
      for (const error of errorsIn(opened))
        expect(error).toMatchObject({
          ruleId: 'rule-x2',
          variationKey: 'other',
          codeVersion: 'version1',
          unit: exposure!.unit,
        })
      // The other experiment goes on, and so does the visitor in this one.
      expect(await opened.page.evaluate('[globalThis.first, svc.variations]')).toEqual([
        1,
        { x1: 'other', x2: 'other' },
      ])
    },
  )

  test('is told five times in a page view at most, and errors of the page never', async () => {
    opened = await openPage([coded(0)], {
      code: ['for (let each = 0; each < 9; each++) setTimeout(() => { throw each })'],
      body: '<h1>Our plans</h1>',
    })
    await opened.open()
    await opened.page.evaluate(() => setTimeout(() => Promise.reject(new Error('of the page'))))
    await expect.poll(() => errorsIn(opened!).length).toBe(5)
    await goTo(opened, '/other')
    await expect.poll(() => errorsIn(opened!).length).toBe(10)
    expect(new Set(errorsIn(opened).map(({ line }) => line))).toEqual(new Set([1]))
  })

  test.each([
    ['has replaced fetch', 'fetch = () => { throw new Error("no") }; throw new Error("at once")', 'Error: at once'],
    ['has taken fetch away', 'fetch = () => {}; throw new Error("at once")', 'Error: at once'],
    ['has thrown what has no text', 'throw Object.create(null)', undefined],
  ])('of an experiment that %s leaves other experiments alone', async (_what, js, message) => {
    opened = await openPage([coded(0), coded(1)], { code: [js, 'throw new Error("other")'] })
    await opened.open()
    await expect.poll(() => errorsIn(opened!).map((error) => error.message)).toContain('Error: other')
    if (message) expect(errorsIn(opened).map((error) => error.message)).toContain(message)
    await opened.page.goto('about:blank')
    await expect
      .poll(() => new Set(opened!.events.flatMap(({ type, ruleId }) => (type === 'exposure' ? [ruleId] : []))))
      .toEqual(new Set(['rule-x1', 'rule-x2']))
  })

  test('waits for the answer of the visitor, and is dropped with a refusal', async () => {
    for (const [isGiven, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      opened = await openPage([coded(0)], {
        code: ['throw new Error("at once")'],
        settings: { consent: 'REQUIRED', pending: 'APPLY' },
      })
      await opened.open()
      expect(errorsIn(opened)).toEqual([])
      await opened.page.evaluate(
        (given) => (globalThis as unknown as { svc: { consent(given: boolean): void } }).svc.consent(given),
        isGiven,
      )
      await opened.page.evaluate('fetch("/bare")')
      await expect.poll(() => errorsIn(opened!).length).toBe(count)
      await opened.close()
    }
  })
})
