// How the frame of the visual editor looks, what it says, and how people use it without a pointer.
import type { Frame, Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { seriousFaults, withoutPointer } from '../dashboard/browser.ts'
import { openSite } from '../dashboard/site.ts'
import { openShop } from './editing.ts'

const site = openSite()
const shop = openShop(site)
let page: Page
let frame: Frame

const select = async (selector: string) => {
  await page.click(selector)
  await frame.getByLabel('Selector', { exact: true }).waitFor()
}
const button = (name: string) => frame.getByRole('button', { name, exact: true })
const status = (text: string | RegExp) => frame.getByRole('status').filter({ hasText: text }).waitFor()

test('a page that allows no frame says which directive to add', async () => {
  ;({ page } = await shop.open('/no-frames'))
  // The shadow root is closed to scripts, but not to the tree of accessibility.
  const inspector = await page.context().newCDPSession(page)
  const words = async () => JSON.stringify(await inspector.send('Accessibility.getFullAXTree'))
  await expect.poll(words).toContain(`frame-src ${site.service.url}`)
})

test('a policy that only reports frames takes no editor away', async () => {
  ;({ page } = await shop.open('/reported-frames'))
  frame = await shop.frameOf(page)
  await select('h1')
  await frame.getByLabel('Text', { exact: true }).fill('From € 9')
  await page.getByRole('heading', { name: 'From € 9' }).waitFor()
})

/** A folder for pictures of the editor, to be looked at; none are taken without it. */
const shots = process.env.DASHBOARD_SHOTS

const looks = { light: 1280, dark: 1440 } as const
test.each(rowsOf(looks, ['light']))(
  'the frame has no serious fault of accessibility in %s at %d px',
  async (scheme, width) => {
    const colorScheme = scheme as keyof typeof looks
    await shop.save([
      { id: 'c1', page: 'pricing', type: 'TEXT', selector: '#title', value: 'From € 9 a month', was: 'Our plans' },
      { id: 'c2', page: 'pricing', type: 'HIDE', selector: '.gone' },
      { id: 'c3', page: null, type: 'INSERT', selector: '#hero', value: '<p>No card needed</p>', position: 'LAST' },
    ])
    ;({ page } = await shop.open())
    frame = await shop.frameOf(page)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    const look = async (name: string) => {
      expect([name, await seriousFaults(frame, true)]).toEqual([name, []])
      expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      if (shots) await page.screenshot({ path: `${shots}/editor-${name}-${colorScheme}-${width}.png` })
    }
    await look('empty')
    await frame.getByText('Preview, width, outline').click()
    await look('more')
    await frame.getByText('Preview, width, outline').click()
    await select('.cta')
    await look('element')
    await frame.getByText('Insert HTML').scrollIntoViewIfNeeded()
    if (shots) await page.screenshot({ path: `${shots}/editor-style-${colorScheme}-${width}.png` })
    await frame.getByRole('tab', { name: 'Changes 3' }).click()
    await frame.getByText('matches 0 here').waitFor()
    await look('changes')
    await frame.getByRole('tab', { name: 'CSS' }).click()
    await look('css')
  },
)

/** Presses Tab, or Shift and Tab, until the element of the frame has the focus. */
async function tabTo(locator: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await locator.waitFor()
  const isFocused = () => locator.evaluate((each) => each.matches(':focus'))
  for (let presses = 0; presses < 60 && !(await isFocused()); presses += 1) await page.keyboard.press(key)
  expect(await isFocused()).toBe(true)
}
const hasFocus = (locator: Locator) => expect.poll(() => locator.evaluate((each) => each.matches(':focus'))).toBe(true)

test('a person without a pointer selects, edits, moves, undoes, removes and saves, and hears each step', async () => {
  ;({ page } = await shop.open('/pricing', withoutPointer))
  frame = await shop.frameOf(page)
  // Enter on a link of the page selects it, and goes on in the frame.
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('cta')
  await page.keyboard.press('Enter')
  await status('Selected: a “Sign up”.')
  expect(new URL(page.url()).pathname).toBe('/pricing')
  await hasFocus(frame.getByRole('tabpanel', { name: 'Element' }))

  await tabTo(button('Previous'))
  await page.keyboard.press('Enter')
  await status('Selected: p “For everybody”.')
  // It stays where it was, although there is no element before this one.
  await hasFocus(button('Previous'))
  expect(await button('Previous').isDisabled()).toBe(true)
  await tabTo(frame.getByLabel('Text', { exact: true }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('For you')
  await page.getByText('For you').waitFor()
  await tabTo(button('Hide'))
  await page.keyboard.press('Space')
  await status('Hide p.lead.')
  await expect.poll(() => page.locator('.lead').isVisible()).toBe(false)
  await page.keyboard.press('Control+z')
  await status('Undone: Hide p.lead.')
  await page.getByText('For you').waitFor()

  await tabTo(frame.getByText('Find a different element'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(frame.getByLabel('Its selector'))
  await page.keyboard.type('[data-testid=second]')
  await page.keyboard.press('Enter')
  await status('Selected: li “Two”.')
  await tabTo(button('Before…'))
  await page.keyboard.press('Enter')
  await status('Select the element before which it goes.')
  await tabTo(frame.getByLabel('Or find that one by a selector'), 'Shift+Tab')
  await page.keyboard.type('[data-testid=first]')
  await page.keyboard.press('Enter')
  await status('Move [data-testid="second"] before [data-testid="first"].')
  await expect.poll(() => page.locator('li').allTextContents()).toEqual(['Two', 'One'])

  await tabTo(frame.getByRole('tab', { name: 'Element' }), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await hasFocus(frame.getByRole('tab', { name: 'Changes 2' }))
  await tabTo(button('Apply earlier').last())
  await page.keyboard.press('Enter')
  await status('The order of the changes.')
  await hasFocus(button('Apply earlier').first())
  await tabTo(button('Remove this change').first())
  await page.keyboard.press('Enter')
  await status('Removed: Move')
  await hasFocus(button('Remove this change'))
  await page.keyboard.press('Control+s')
  await status('Saved as a draft.')
  expect(await shop.drafted()).toMatchObject([{ type: 'TEXT', selector: 'p.lead', value: 'For you' }])

  await tabTo(button('Fold the editor'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await hasFocus(button('Show the editor'))
  await page.keyboard.press('Enter')
  await hasFocus(button('Fold the editor'))
})
