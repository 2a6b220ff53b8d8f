// The visual editor on a page with the strictest policies, with a real service.
import type { Frame, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { openSite } from '../dashboard/site.ts'
import { openShop } from './editing.ts'

const site = openSite()
const shop = openShop(site)
const { drafted, save } = shop
let page: Page
let frame: Frame
let sessionId: string

async function open(): Promise<string[]> {
  const { complaints, ...opened } = await shop.open()
  ;({ page, sessionId } = opened)
  return complaints
}

async function edit(): Promise<string[]> {
  const complaints = await open()
  await reach()
  return complaints
}

async function reach(): Promise<void> {
  frame = await shop.frameOf(page)
}

const select = async (selector: string) => {
  await page.click(selector)
  await frame.getByLabel('Selector', { exact: true }).waitFor()
}
const button = (name: string) => frame.getByRole('button', { name, exact: true })

test('a person changes, hides, inserts and moves on a strict page, undoes, saves, and the page gets nothing else', async () => {
  const complaints = await edit()
  expect(new URL(page.url()).hash).toBe('')
  await select('h1')
  expect(await frame.getByLabel('Selector', { exact: true }).inputValue()).toBe('#title')
  await frame.getByLabel('Text', { exact: true }).fill('From € 9')
  await page.getByRole('heading', { name: 'From € 9' }).waitFor()

  await page.click('.cta')
  expect(new URL(page.url()).pathname).toBe('/pricing')
  await frame.getByLabel('Background', { exact: true }).fill('#0055ff')
  await expect
    .poll(() => page.locator('.cta').evaluate((a) => getComputedStyle(a).backgroundColor))
    .toBe('rgb(0, 85, 255)')
  await frame.getByLabel('Text size').fill('18')
  await frame.getByLabel('Text size').blur()
  await expect.poll(() => page.locator('.cta').evaluate((a) => getComputedStyle(a).fontSize)).toBe('18px')

  await page.dblclick('.lead')
  await page.keyboard.type('For you')
  await page.keyboard.press('Enter')
  await page.getByText('For you').waitFor()

  await select('.lead')
  await button('Hide').click()
  await expect.poll(() => page.locator('.lead').isVisible()).toBe(false)

  await select('[data-testid=second]')
  await button('Up').click()
  await expect.poll(() => page.locator('li').allTextContents()).toEqual(['Two', 'One'])
  await frame.getByText('Insert HTML').click()
  await frame.getByLabel('HTML to insert').fill('<li class="new">Three</li>')
  await button('Insert').click()
  await expect.poll(() => page.locator('li').allTextContents()).toEqual(['Two', 'Three', 'One'])

  await button('Undo (Ctrl Z)').click()
  await expect.poll(() => page.locator('li').allTextContents()).toEqual(['Two', 'One'])
  await button('Redo (Ctrl Shift Z)').click()
  await expect.poll(() => page.locator('li').count()).toBe(3)

  await page.keyboard.press('Control+s')
  await button('Saved').waitFor()
  expect(await drafted()).toMatchObject([
    { type: 'TEXT', page: 'pricing', selector: '#title', value: 'From € 9', was: 'Our plans' },
    { type: 'STYLE', value: { 'background-color': '#0055ff', 'font-size': '18px' } },
    { type: 'TEXT', value: 'For you', was: 'For everybody' },
    { type: 'HIDE' },
    { type: 'MOVE', selector: '[data-testid="second"]', to: '[data-testid="first"]', position: 'BEFORE' },
    { type: 'INSERT', value: '<li class="new">Three</li>' },
  ])

  await frame.getByLabel('Variation', { exact: true }).selectOption('original')
  await page.getByRole('heading', { name: 'Our plans' }).waitFor()
  expect(await page.locator('li').allTextContents()).toEqual(['One', 'Two'])
  expect(complaints).toEqual([])
})

test('the list counts the elements that a change holds, also where it sets what its selector reads', async () => {
  const common = { page: null, was: null }
  await save([
    { ...common, id: 'c1', type: 'ATTRIBUTE', selector: 'a[href="/sign-up"]', name: 'href', value: '/start' },
    { ...common, id: 'c2', type: 'CLASS', selector: '.lead', add: [], remove: ['lead'] },
    { ...common, id: 'c3', type: 'HTML', selector: '#hero', value: '<b>Other</b>' },
    { ...common, id: 'c4', type: 'INSERT', selector: 'li', value: '<li>New</li>', position: 'AFTER' },
    { ...common, id: 'c5', type: 'TEXT', selector: '.gone', value: 'Nowhere' },
  ])
  await edit()
  await frame.getByRole('tab', { name: 'Changes 5' }).click()
  const counts = () => frame.locator('.changes .facts').allTextContents()
  const matches = ['matches 1', 'matches 1', 'matches 1', 'matches 2', 'matches 0 here']
  await expect.poll(counts).toEqual(matches.map((each) => `Every page · ${each}`))

  await button('Select a[href="/sign-up"]').click()
  await frame.getByLabel('Selector', { exact: true }).fill('a[href="/sign-up"]')
  await frame.getByText('It finds this element alone.').waitFor()
  expect(await frame.getByText('finds nothing on this page').count()).toBe(0)
})

test('a field of a form has no text to change', async () => {
  await edit()
  await select('input')
  await frame.getByText('Classes', { exact: true }).waitFor()
  expect(await frame.getByLabel('Text', { exact: true }).count()).toBe(0)
  await page.dblclick('input')
  await button('Up').waitFor()
  expect(await page.locator('svc-editor').count()).toBe(1)
  expect(await button('Saved').isVisible()).toBe(true)
})

test('what two people did is joined by change, and they choose where both did the same', async () => {
  const text = (id: string, selector: string, value: string) => ({ id, page: null, type: 'TEXT', selector, value })
  await save([text('c1', '#title', 'First'), text('c2', '.lead', 'First')])
  await edit()
  await select('h1')
  await frame.getByLabel('New changes act on').selectOption('')
  await frame.getByLabel('Text', { exact: true }).fill('Mine')
  await save([text('c1', '#title', 'First'), text('c2', '.lead', 'Theirs')])
  await button('Save').click()
  await button('Saved').waitFor()
  expect((await drafted()).map(({ value }: { value: string }) => value)).toEqual(['Mine', 'Theirs'])

  await frame.getByLabel('Text', { exact: true }).fill('Mine again')
  await save([text('c1', '#title', 'Theirs'), text('c2', '.lead', 'Theirs')])
  await button('Save').click()
  await frame.getByRole('heading', { name: 'Two people changed the same' }).waitFor()
  await frame.getByText('Theirs Change the text of #title').click()
  await button('Keep these and save').click()
  await button('Saved').waitFor()
  expect((await drafted())[0].value).toBe('Theirs')
})

test('the editor comes along to the next page, and its link works once', async () => {
  await edit()
  const first = page.url()
  await button('Use page').click()
  await page.click('.cta')
  await page.waitForURL('**/sign-up')
  await reach()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  expect(first).not.toContain('svc-editor')
})

inFull('experiments/editor/routes')(
  'a link that is opened twice opens no editor, and the page is what visitors get',
  async () => {
    await open()
    const session = { variationKey: 'price', url: shop.address() }
    const { url } = (await shop.call('POST', '/editor-sessions', session)).body.data
    const isStarted = () => page.evaluate(() => 'svc' in globalThis)
    // A page of its own: with another hash alone, a browser stays on the page.
    await page.goto('about:blank')
    await page.goto(url)
    await reach()
    expect(await isStarted()).toBe(false)
    await page.goto('about:blank')
    await page.goto(url)
    await expect.poll(isStarted).toBe(true)
    const stopped = page.frames().find((each) => each.url().includes('/web/editor/'))!
    await stopped.getByRole('heading', { name: 'The editor cannot be opened' }).waitFor()
  },
)

test('the outline of the page has its texts and selectors, and nothing that was typed', async () => {
  await edit()
  await page.fill('input', 'secret of a visitor')
  await frame.getByText('Preview, width, outline').click()
  await button('Copy page outline').click()
  const outline = await frame.getByLabel('Outline of the page').inputValue()
  expect(outline).toContain('h1 "Our plans" → #title (1 match)')
  expect(outline).toContain('input "person" → input[name="person"] (1 match)')
  expect(outline).not.toContain('secret')
})

test('a session that somebody ended says so, and lets a person copy what is not saved', async () => {
  await edit()
  await select('h1')
  const ended = await shop.call('DELETE', `/editor-sessions/${sessionId}`)
  expect(ended.status).toBe(200)
  await frame.getByLabel('Text', { exact: true }).fill('Not saved')
  await frame.getByText('This session has ended').waitFor()
  await button('Copy the changes as JSON').waitFor()
  expect(await button('Save').isDisabled()).toBe(true)
})

test('a page that speaks for the frame or the service gets no port and no answer', async () => {
  await open()
  await page.evaluate(() => {
    const heard: unknown[] = []
    addEventListener('message', ({ data, source }) => {
      heard.push(data?.type ?? data)
      if (data === 'svc-editor-frame' && source !== window) Object.assign(globalThis, { framed: source })
    })
    Object.assign(globalThis, { heard })
    postMessage('svc-editor-frame', location.origin)
  })
  await reach()
  // The frame stands in a closed shadow root, so that the page knows it by its announcement alone.
  await page.evaluate(() => {
    const { framed } = globalThis as unknown as { framed?: Window }
    const { port1 } = new MessageChannel()
    framed?.postMessage({ type: 'svc-editor-page', code: 'x' }, '*', [port1])
  })
  await select('h1')
  await frame.getByLabel('Text', { exact: true }).waitFor()
  const { heard, frames } = await page.evaluate(() => ({
    heard: (globalThis as unknown as { heard: unknown[] }).heard,
    frames: window.frames.length,
  }))
  expect(heard.filter((each) => each !== 'svc-editor-frame')).toEqual([])
  expect(frames).toBe(0)
})
