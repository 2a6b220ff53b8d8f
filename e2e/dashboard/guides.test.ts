import { globSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { type Combination, expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'

const built = new URL('../../packages/docs/dist/', import.meta.url).pathname
/** All decisions have the same layout, so only one is tested. */
const pages = globSync('**/*.html', { cwd: built })
  // `404.html` is tested at an address without a page.
  .filter((file) => file !== '404.html' && !/^decisions\/(?!0001)/.test(file))
  .map((file) => (file === 'index.html' ? '/docs' : `/docs/${file.replace(/\.html$/, '')}`))
  .sort()

const site = openSite()
let reader: Visitor
let page: Page

beforeAll(async () => {
  reader = await site.visit()
  page = reader.page
})

const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const search = () => page.getByRole('combobox', { name: 'Search the documentation' })
const options = () => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const status = () => page.getByRole('status')

it('the docs have pages', () => expect(pages.length).toBeGreaterThan(30))

/**
 * Together these have every kind of element of the docs, so the other pages add only text: axe takes seconds for a long
 * page. Half of them are audited in light, the others in dark.
 */
const samples: Record<string, Combination> = {
  '/docs': 'light wide',
  '/docs/api-reference/names': 'dark narrow',
  '/docs/webhooks': 'dark narrow',
  '/docs/api-reference': 'light wide',
  '/docs/decisions': 'light wide',
}
const others = pages.filter((path) => !(path in samples))

/** The elements that these pages have, each once, by their names and classes. */
function kindsIn(pages: string[]): string[] {
  const tags = pages.flatMap((path) => {
    const file = path === '/docs' ? 'index' : path.slice('/docs/'.length)
    return readFileSync(`${built}${file}.html`, 'utf8').match(/<[a-z][^>]*>/g) ?? []
  })
  const kinds = tags.map((tag) => `${/^<[a-z0-9]+/.exec(tag)} ${/ class="([^"]*)"/.exec(tag)?.[1] ?? ''}`)
  return [...new Set(kinds)].sort()
}

it('the pages that are audited have every kind of element', () => {
  expect(kindsIn(Object.keys(samples))).toEqual(kindsIn(pages))
})

it.each(Object.entries(samples))('%s passes all page checks', async (path, look) => {
  await page.goto(path)
  await expectGoodPage(reader, path.slice(1).replaceAll('/', '_'), isFull ? undefined : [look])
})

if (isFull)
  it.each(others)('%s fits wide and narrow, and passes axe', async (path) => {
    await page.goto(path)
    // The colors of all kinds of elements are checked above, and take most of the time of axe.
    await expectGoodPage(reader, path.slice(1).replaceAll('/', '_'), ['light wide'], { contrast: false })
  })

/** Those of the pages without exactly one heading of the first level, wider than the window, or with inline styles. */
async function badOf(pages: string[]): Promise<string[]> {
  await page.goto('/docs')
  // All pages have the same head, so their bodies are shown in one document: a load takes ten times as long.
  return page.evaluate(async (paths) => {
    const { documentElement } = document
    const bad: string[] = []
    for (const path of paths) {
      const read = await new Promise<Document>((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.responseType = 'document'
        request.onload = () =>
          request.status === 200 ? resolve(request.responseXML!) : reject(new Error(`${path}: ${request.status}`))
        request.onerror = reject
        request.open('GET', path)
        request.send()
      })
      document.body.replaceChildren(...read.body.childNodes)
      const beyond = documentElement.scrollWidth - documentElement.clientWidth
      const count = (selector: string) => document.querySelectorAll(selector).length
      if (beyond > 0 || count('h1') !== 1 || count('style') > 0)
        bad.push(`${path}: ${beyond} px too wide, ${count('h1')} headings, ${count('style')} styles`)
    }
    return bad
  }, pages)
}

const wide = [
  '',
  '/quickstart',
  '/api-reference/flag',
  '/api-reference/webhook-deliveries',
  '/api-reference/headers',
  '/configuration',
]

it('every page fits into the narrowest window, with one heading of the first level', async () => {
  await page.setViewportSize({ width: 320, height: 740 })
  expect(await badOf(pages)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
})

inFull('dashboard/guides')('pages with wide parts fit at a zoom of 200 %', async () => {
  // Half of 1280 by 1024 pixels, like that zoom.
  await page.setViewportSize({ width: 640, height: 512 })
  expect(await badOf(wide.map((path) => `/docs${path}`))).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
})

describe('the search', () => {
  /** Opens the search with the keyboard, once the page listens to it. */
  async function openSearch(): Promise<void> {
    await page.waitForLoadState()
    await page.keyboard.press('/')
    await hasFocus(search())
  }

  it('can be opened, used and left with the keyboard', async () => {
    await page.goto('/docs')
    await page.keyboard.press('/')
    await hasFocus(search())
    await page.keyboard.type('stale')
    await options().first().waitFor()
    await expect.poll(() => search().getAttribute('aria-expanded')).toBe('true')
    const chosen = () => page.locator('[role=option][aria-selected=true]').getAttribute('id')
    const first = await chosen()
    expect(await search().getAttribute('aria-activedescendant')).toBe(first)
    await page.keyboard.press('ArrowDown')
    await expect.poll(chosen).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(chosen).toBe(first)
    await page.keyboard.press('Escape')
    await options().first().waitFor({ state: 'hidden' })
    await hasFocus(search())
    await page.keyboard.press('Escape')
    await search().and(page.locator(':focus')).waitFor({ state: 'detached' })
  })

  it('opens the selected result with Enter', async () => {
    await openSearch()
    await page.keyboard.type('stale flags')
    await options().first().getByText('Find and remove stale flags').waitFor()
    await page.keyboard.press('Enter')
    await title('Find and remove stale flags').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/docs/stale-flags')
  })

  inFull('docs/src/search-index')('opens a section of a page', async () => {
    await openSearch()
    await page.keyboard.type('stale flags')
    const section = options().filter({ hasText: 'Publishing' }).filter({ hasText: 'Stale flags' })
    await section.first().click()
    await title('Publishing').waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#stale-flags')
  })

  inFull('docs/src/search-index')('finds API calls', async () => {
    await search().fill('createFlag')
    await options().first().getByText('Create a flag').waitFor()
    await options().first().click()
    await title('Flag').waitFor()
  })

  it('announces the number of results, and that there are none', async () => {
    await search().fill('webhook')
    await status()
      .filter({ hasText: /^\d+ results/ })
      .waitFor()
    await search().fill('zzqx')
    await status().filter({ hasText: 'Nothing found for “zzqx”.' }).waitFor()
    await expect.poll(() => options().count()).toBe(0)
  })

  it('passes all page checks while it shows results', async () => {
    // A short page.
    await page.goto('/docs/no-such-guide')
    await search().fill('webhook')
    await options().first().waitFor()
    await expectGoodPage(reader, 'docs_results')
  })

  it('shows an error when its index cannot be loaded, and retries on the next input', async () => {
    await page.goto('/docs')
    await page.route('**/search.json', (route) => route.fulfill({ status: 404 }))
    await search().fill('flag')
    await status().filter({ hasText: 'The search cannot be loaded.' }).waitFor()
    await page.unroute('**/search.json')
    await search().fill('flags')
    await options().first().waitFor()
  })
})

describe('a docs page', () => {
  it('has a link to its content as the first stop of the keyboard', async () => {
    await page.goto('/docs/quickstart')
    await page.keyboard.press('Tab')
    await hasFocus(page.getByRole('link', { name: 'Skip to the content' }))
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('main'))
  })

  it('copies code to the clipboard', async () => {
    await reader.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/quickstart')
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await status().filter({ hasText: 'Copied.' }).waitFor()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('npm ci && npm start')
  })

  it('marks the current section in its table of contents', async () => {
    await page.goto('/docs/publishing#stale-flags')
    const contents = page.getByRole('navigation', { name: 'On this page' })
    await contents.locator('[aria-current]').waitFor()
    expect(await contents.locator('[aria-current]').count()).toBe(1)
  })

  it('hides the navigation behind a button in a narrow window', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/docs/quickstart')
    const navigation = page.getByRole('navigation', { name: 'Guides' })
    await navigation.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Navigation' }).press('Enter')
    await navigation.getByRole('link', { name: 'Targeting' }).click()
    await title('Targeting').waitFor()
    await navigation.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('that does not exist offers links to others', async () => {
    await page.goto('/docs/no-such-guide')
    await title('There is no such page').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Quickstart' }).click()
    await title('Quickstart').waitFor()
  })
})

describe('the color scheme', () => {
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const button = () => page.getByRole('button', { name: 'Dark color scheme' })
  const shown = async () => [await scheme(), await button().getAttribute('aria-pressed')]

  it('follows the system until the user chooses one, and shares the choice with the dashboard', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/docs')
    await expect.poll(shown).toEqual(['dark', 'true'])
    await button().click()
    await expect.poll(shown).toEqual(['light', 'false'])
    await page.goto('/docs/quickstart')
    await expect.poll(scheme).toBe('light')
    await page.goto('/sign-in')
    await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
    await page.goto('/docs')
    await button().click()
    await expect.poll(scheme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
  })
})

describe('examples', () => {
  it('carry the key and the address of the project that the person has chosen, until the person signs out', async () => {
    const owner = await site.visit(ada)
    const { sdkKey } = await prepare(site.service.url, 'GET', '/api/v1/projects/1/environments/development')
    await owner.page.goto('/1-acme/1-web-shop/connect?env=development')
    await owner.page.getByText(`sdkKey: '${sdkKey}'`).first().waitFor()
    const example = owner.page.locator('pre').filter({ hasText: 'createClient(' }).first()
    await owner.page.goto('/docs/browser')
    await expect.poll(() => example.innerText()).toContain(`sdkKey: '${sdkKey}', baseUrl: '${site.service.url}'`)
    await owner.page.getByText('With the SDK key of Web shop, Development.').first().waitFor()
    if (isFull) await expectGoodPage(owner, 'docs_browser_own-key', ['light wide'])
    await owner.page.goto('/')
    await owner.page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await owner.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await owner.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await owner.page.goto('/docs/browser')
    await expect.poll(() => example.innerText()).toContain("sdkKey: 'sdk_…'")
    await owner.context.close()
  })
})

describe('a page without scripts', () => {
  it('shows everything except the search', async () => {
    const context = await site.browser.newContext({
      baseURL: site.service.url,
      javaScriptEnabled: false,
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    })
    const still = await context.newPage()
    await still.goto('/docs/quickstart')
    expect(await still.getByRole('combobox').count()).toBe(0)
    await still.locator('summary').filter({ hasText: 'On this page' }).click()
    const second = still.locator('details').getByRole('link').nth(1)
    await second.click()
    const section = await second.getAttribute('href')
    await expect.poll(() => new URL(still.url()).hash).toBe(section)
    await still.getByRole('button', { name: 'Navigation' }).click()
    await still.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Targeting' }).click()
    await still.getByRole('heading', { level: 1, name: 'Targeting' }).waitFor()
    await context.close()
  })
})
