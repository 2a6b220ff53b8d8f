import { afterEach, expect, test } from 'vitest'
import type { Goal } from '../../packages/web/src/index.ts'
import { everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const goal = (eventKey: string, on: Goal['on'], selector: string | null = null): Goal => ({
  ...{ eventKey, on, selector, when: null },
})
/** The keys of the events that the page has told before this, in their order. */
async function told(site: Site): Promise<unknown[]> {
  await site.page.evaluate('svc.track("marker")')
  await site.page.goto('about:blank')
  const keys = () => site.events.filter(({ type }) => type === 'track').map(({ eventKey }) => eventKey)
  await expect.poll(() => keys().includes('marker')).toBe(true)
  return keys().slice(0, -1)
}

test('clicks inside of an element, forms and elements that are seen are told, each where it happens', async () => {
  // Of other selectors than the browser knows, nothing is told, and the goals after them go on.
  const unknown = [goal('lost', 'CLICK', 'b:unknown'), goal('unseen', 'SEEN', '.low:unknown')]
  opened = await openPage([everywhere([])], {
    body: '<a class="cta"><b>Buy</b></a><i>no</i><form onsubmit="return false"><button>Go</button></form><p class="low">P</p>',
    goals: [
      ...unknown,
      goal('clicked', 'CLICK', '.cta'),
      goal('sent', 'FORM_SUBMIT', 'form'),
      goal('seen', 'SEEN', '.low'),
    ],
  })
  await opened.open()
  await opened.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  for (const selector of ['b', 'i', 'button']) await opened.page.click(selector)
  expect(await told(opened)).toEqual(['seen', 'clicked', 'sent'])
  expect(opened.errors).toEqual([])
})

test('views are told once for each address where they count, after the visitor is counted', async () => {
  const when = { attribute: 'page.path', operator: 'equals', value: '/thanks' } as const
  opened = await openPage([everywhere([])], { goals: [{ ...goal('thanked', 'PAGE_VIEW'), when }] })
  await opened.open('/thanks')
  await opened.page.evaluate(() => {
    history.pushState(null, '', '/other')
    history.pushState(null, '', '/thanks?again')
  })
  await opened.page.evaluate('svc.setAttributes({ plan: "pro" })')
  expect(await told(opened)).toEqual(['thanked', 'thanked'])
  expect(opened.events[0]!.type).toBe('exposure')
})
