// The visual editor in Firefox, whose frame is of a different site than the page, and so in a process of its own.
import { expect, test } from 'vitest'
import { openSite } from '../dashboard/site.ts'
import { openShop } from '../web/editing.ts'
import { handsIn } from './hands.ts'

const site = openSite()
const shop = openShop(site)

test('a person picks, edits, types in place, moves, undoes and saves in Firefox, and visitors get what is published', async () => {
  await shop.experiment('PATCH', '', {
    variations: [
      { key: 'original', name: 'Original', weight: 0 },
      { key: 'price', name: 'With price', weight: 10_000 },
    ],
  })
  await shop.experiment('PUT', '/variations/price/changes', { changes: [], css: '/* Begun in the editor. */' })
  await shop.experiment('POST', '/launch')
  const { page, complaints } = await shop.open()
  const frame = await shop.frameOf(page)
  const hands = handsIn(site.browser, frame)
  const button = (name: string) => frame.getByRole('button', { name, exact: true })
  const selector = () => frame.getByLabel('Selector', { exact: true }).inputValue()
  const hasFocus = () => frame.evaluate(() => document.hasFocus())
  const list = () => page.locator('li').allTextContents()

  await page.click('h1')
  await expect.poll(selector).toBe('#title')
  await hands.write(frame.getByLabel('Text', { exact: true }), 'From € 9')
  await page.getByRole('heading', { name: 'From € 9' }).waitFor()

  // Playwright clicks twice so slowly on a busy machine that Firefox hears no double click.
  const onPage = handsIn(site.browser, page.mainFrame())
  await onPage.click(page.locator('.lead'), 2)
  await onPage.press('Control+a')
  await onPage.type('For you')
  await onPage.press('Enter')
  await page.getByText('For you').waitFor()
  // Whoever ends with a key, or selects with one, goes on in the editor.
  await expect.poll(hasFocus).toBe(true)
  await page.locator('.cta').focus()
  await expect.poll(hasFocus).toBe(false)
  await onPage.press('Enter')
  await expect.poll(selector).toBe('a.cta')
  await expect.poll(hasFocus).toBe(true)

  await page.click('[data-testid=second]')
  await expect.poll(selector).toBe('[data-testid="second"]')
  await hands.click(button('Up'))
  await expect.poll(list).toEqual(['Two', 'One'])
  await hands.press('Control+z')
  await expect.poll(list).toEqual(['One', 'Two'])
  await hands.press('Control+Shift+z')
  await expect.poll(list).toEqual(['Two', 'One'])
  await hands.click(button('Undo (Ctrl Z)'))
  await expect.poll(list).toEqual(['One', 'Two'])

  await hands.click(button('Save'))
  await button('Saved').waitFor()
  expect(await shop.drafted()).toMatchObject([
    { type: 'TEXT', page: 'pricing', selector: '#title', value: 'From € 9', was: 'Our plans' },
    { type: 'TEXT', selector: 'p.lead', value: 'For you', was: 'For everybody' },
  ])
  expect(new URL(page.url()).pathname).toBe('/pricing')
  expect(complaints).toEqual([])

  await shop.experiment('POST', '/publish')
  const visitor = await (await site.browser.newContext()).newPage()
  await visitor.goto(shop.address())
  await visitor.getByRole('heading', { name: 'From € 9' }).waitFor()
  await visitor.getByText('For you').waitFor()
})
