// The visual editor on a page with the strictest policies, with a real service.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { seriousFaults, type Visitor } from '../dashboard/browser.ts'
import { callInPage, prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import { openSite } from '../dashboard/site.ts'
import { frameOf } from './editing.ts'

const site = openSite()
let owner: Visitor
let server: Server
let address: string
let experiment: string
let dashboard: string
let orgId: string
let sdkKey: string
let page: Page
let frame: Frame
let sessionId: string

const shop = `<main><h1 id="title">Our plans</h1>
  <section id="hero"><p class="lead">For everybody</p><a class="cta" href="/sign-up">Sign up</a></section>
  <ul><li data-testid="first">One</li><li data-testid="second">Two</li></ul>
  <form><label>Name <input name="person" value="secret"></label></form></main>`

beforeAll(async () => {
  owner = await site.visit(ada)
  const { url } = site.service
  server = createServer((request, response) => {
    const isOpen = request.url !== '/no-frames'
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${url}; connect-src ${url}; ${isOpen ? `frame-src ${url};` : ''} require-trusted-types-for 'script'; trusted-types 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-frame-options': 'DENY',
    })
    response.end(
      `<!doctype html><title>Shop</title><script src="${url}/sdk/v1/web/${sdkKey}.js" crossorigin></script>${shop}`,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://shop.localhost:${(server.address() as AddressInfo).port}`
  const send = (method: string, path: string, body?: object) => prepare(url, method, path, body)
  const project = await send('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
  const base = `/api/v1/projects/${project.id}`
  await send('PUT', `${base}/web-settings`, { hosts: ['shop.localhost'] })
  const environments = await send('GET', `${base}/environments`)
  sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
  const conditions = { attribute: 'page.path', operator: 'equals', value: '/pricing' }
  const made = await send('POST', `${base}/experiments`, {
    name: 'Price in the headline',
    pages: [{ key: 'pricing', name: 'Pricing', url: `${address}/pricing`, conditions }],
    variations: [
      { key: 'original', name: 'Original', weight: 5000 },
      { key: 'price', name: 'With price', weight: 5000 },
    ],
  })
  experiment = `${base}/experiments/${made.id}`
  dashboard = `/api/dashboard/projects/${project.id}/experiments/${made.id}`
  orgId = project.organizationId ?? (await send('GET', '/api/v1/organization')).id
})
afterAll(() => {
  server?.close()
  server?.closeAllConnections()
})
afterEach(async () => {
  await page?.context().close()
  await save([])
})

const changesPath = () => `${experiment}/variations/price/changes`
const drafted = async () => (await prepare(site.service.url, 'GET', changesPath())).changes
const save = (changes: object[], css: string | null = null) =>
  prepare(site.service.url, 'PUT', changesPath(), { changes, css })

/** A person opens the editor on a page of the site, in a browser that knows nothing of the service. */
async function open(path = '/pricing'): Promise<string[]> {
  const opened = await callInPage(owner.page, orgId, 'POST', `${dashboard}/editor-sessions`, {
    variationKey: 'price',
    url: `${address}${path}`,
  })
  expect(opened.status).toBe(201)
  sessionId = opened.body.data.id
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(opened.body.data.url)
  return complaints
}

async function edit(path?: string): Promise<string[]> {
  const complaints = await open(path)
  await reach()
  return complaints
}

async function reach(): Promise<void> {
  frame = await frameOf(page, 'Price in the headline')
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
  const ended = await callInPage(owner.page, orgId, 'DELETE', `${dashboard}/editor-sessions/${sessionId}`)
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

test('a page that allows no frame says which directive to add', async () => {
  await open('/no-frames')
  // The shadow root is closed to scripts, but not to the tree of accessibility.
  const inspector = await page.context().newCDPSession(page)
  const words = async () => JSON.stringify(await inspector.send('Accessibility.getFullAXTree'))
  await expect.poll(words).toContain(`frame-src ${site.service.url}`)
})

/** A folder for pictures of the editor, to be looked at; none are taken without it. */
const shots = process.env.DASHBOARD_SHOTS

test.each([
  ['light', 1280],
  ['dark', 1440],
] as const)('the frame has no serious fault of accessibility in %s at %d px', async (colorScheme, width) => {
  await save([
    { id: 'c1', page: 'pricing', type: 'TEXT', selector: '#title', value: 'From € 9 a month', was: 'Our plans' },
    { id: 'c2', page: 'pricing', type: 'HIDE', selector: '.gone' },
    { id: 'c3', page: null, type: 'INSERT', selector: '#hero', value: '<p>No card needed</p>', position: 'LAST' },
  ])
  await edit()
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
})
