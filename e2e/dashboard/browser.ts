import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page, Response } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'

const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
/** The width that a page must still fit into (WCAG 1.4.10): a window of 1280 px at a zoom of 400 %. */
const reflow = { width: 320, height: 740 }
/** The folder for screenshots of every page, to be looked at; none are taken without it. */
const shots = process.env.DASHBOARD_SHOTS

/** A person with their own browser. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** Errors and warnings in the console, including violations of the Content-Security-Policy. */
  complaints: string[]
}

export async function visitor(browser: Browser, url: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: url, viewport: widths.wide, reducedMotion: 'reduce' })
  context.on('response', (response) => void exchanges.push(note(response)))
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The page shows a refusal itself, but the browser also logs its status.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints }
}

const exchanges: Promise<void>[] = []

/** Resolves when all secrets that visitors sent or saw are noted, for the search in logs and databases. */
export async function everythingNoted(): Promise<void> {
  await Promise.all(exchanges)
  expect(secrets.all()).not.toEqual([])
}

async function note(response: Response): Promise<void> {
  const { pathname, searchParams } = new URL(response.url())
  // Scripts and styles, dozens for a page, are the same for everyone.
  if (pathname.startsWith('/assets/')) return
  for (const name of ['code', 'state', 'nonce', 'code_challenge']) secrets.note(searchParams.get(name) ?? '')
  secrets.noteBodies(json(response.request().postData()))
  // The response of a page that was left can no longer be read.
  const headers = await response.headersArray().catch(() => [])
  for (const { name, value } of headers)
    if (name.toLowerCase() === 'set-cookie') secrets.note(/=([^;]*)/.exec(value)?.[1] ?? '')
  // A page of the docs is large, and a stream of events has no end.
  const isJson = headers.some(({ name, value }) => name === 'content-type' && value.startsWith('application/json'))
  if (isJson) secrets.noteBodies(json(await response.text().catch(() => null)))
}

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Signs in by the form. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Signs in without the form, and opens a page of the service at this address. Default: the first one. */
export async function enter(
  { page, context }: Visitor,
  origin: string,
  { email, password }: { email: string; password: string },
  path = '/',
): Promise<void> {
  const sent = { data: { email, password }, headers: { origin } }
  const answer = await context.request.post('/api/dashboard/sign-in', sent)
  expect(answer.status()).toBe(200)
  for (const { value } of await context.cookies()) secrets.note(value)
  await page.goto(path)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** The file that this button downloads. */
export async function downloaded(page: Page, button: string): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const download = await downloading
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), 'utf8') }
}

/** Opens a page of the same person in which the pointer does nothing. */
export async function pageWithoutPointer({ context }: Visitor): Promise<Page> {
  const page = await context.newPage()
  await withoutPointer(page)
  return page
}

/** The pointer does nothing in this page and its frames from now on. */
export const withoutPointer = (page: Page) =>
  page.addInitScript(() => {
    for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'touchstart'])
      addEventListener(
        type,
        (event) => {
          // Enter on a button is a click too, but without a pointer.
          if (event.type === 'click' && (event as MouseEvent).detail === 0) return
          event.preventDefault()
          event.stopImmediatePropagation()
        },
        { capture: true, passive: false },
      )
  })

/**
 * Whether something in the page was clicked since. The page also reads by itself at any time, so a route that must
 * answer the request of one click in a special way checks this.
 */
export async function noteClicks(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => addEventListener('click', () => Object.assign(window, { wasClicked: true }), true))
  return () => page.evaluate(() => 'wasClicked' in window)
}

const maxTabs = 80

/**
 * Presses Tab until the element has the focus. It is found again only when the page has drawn a new one in its place:
 * to find it by what it says takes longer than a press.
 */
export async function tabTo(locator: Locator): Promise<void> {
  await locator.waitFor()
  let element = await locator.elementHandle()
  for (let presses = 0; presses < maxTabs; presses += 1) {
    const state = await element!.evaluate((each) => each.isConnected && (each.matches(':focus') ? 'focused' : 'there'))
    if (state === 'focused') return
    if (state) await locator.page().keyboard.press('Tab')
    else element = await locator.elementHandle()
  }
  throw new Error(`Tab does not reach ${locator}`)
}

/** Waits until this element has the focus. */
export async function hasFocus(locator: Locator): Promise<void> {
  await locator.and(locator.page().locator(':focus')).waitFor()
}

/** Waits until the browser keeps what was typed, which is a moment after the input. */
export async function keeps(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => Object.values({ ...localStorage }).join())).toContain(text)
}

async function expectOneTitle({ page }: Visitor, name: string): Promise<void> {
  const headings = () => page.getByRole('heading', { level: 1 }).count()
  await expect.poll(headings, { message: `${name}: headings of the first level` }).toBe(1)
}

async function expectReflow({ page, complaints }: Visitor, name: string): Promise<void> {
  await page.setViewportSize(reflow)
  await expect.poll(() => page.evaluate(overflow), { message: `${name} at 320 px` }).toBeLessThanOrEqual(0)
  expect(await page.locator('style').count(), `${name}: <style> elements`).toBe(0)
  expect(complaints, name).toEqual([])
  await page.setViewportSize(widths.wide)
}

/**
 * Checks that a page has one heading of the first level, nothing inline, and fits into the narrowest window, and that axe
 * finds nothing serious in the `audited` combinations. By default this is one: half of the pages are audited in light and
 * wide, the others in dark and narrow, because the gallery shows each component in both. A dialog is in light and wide,
 * without the contrast of its colors, which takes most of the time of axe: it consists of components of the gallery. A
 * full run audits everything in both, and pictures are taken of all four.
 */
export async function expectGoodPage(
  visitor: Visitor,
  name: string,
  wanted?: readonly Combination[],
  { contrast }: { contrast?: boolean } = {},
): Promise<void> {
  const { page } = visitor
  await expectOneTitle(visitor, name)
  const isDialog = (await page.getByRole('dialog').count()) > 0
  const hasContrast = contrast ?? (isFull || !isDialog)
  const audited = wanted ?? (isFull ? bothLooks : [bothLooks[isDialog ? 0 : name.length % 2]!])
  for (const combination of everyLook.filter((each) => shots || isLookedAt(each, audited))) {
    const which = `${name} ${combination}`
    const [colorScheme, width] = partsOf(combination)
    await page.setViewportSize(widths[width])
    // The layout does not depend on the colors.
    if (shots || audited.includes(combination)) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
    }
    // Tables become cards a moment after the width has changed.
    await expect.poll(() => page.evaluate(overflow), { message: which }).toBeLessThanOrEqual(0)
    if (shots) await takePicture(page, join(shots, `${which.replaceAll(' ', '-')}.png`))
    if (audited.includes(combination)) expect(await seriousFaults(page, hasContrast), which).toEqual([])
  }
  if (!new URL(page.url()).pathname.startsWith('/docs')) {
    expect(await page.evaluate(machineWords), `${name}: words of machines`).toEqual([])
    expect(await page.evaluate(skippedLevels), `${name}: levels of headings`).toEqual([])
  }
  await expectReflow(visitor, name)
}

/** Ids and enums that a person would have to read. Code, and what people have typed, may have them. */
function machineWords(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text
    if (!parentElement?.checkVisibility() || parentElement.closest('pre, code, textarea, script, [translate=no]'))
      continue
    found.push(...(data.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g) ?? []))
  }
  return found
}

/** Headings whose level is more than one below that of the heading before them. */
function skippedLevels(): string[] {
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((each) => each.checkVisibility())
  const levelOf = (heading: Element | undefined) => Number(heading?.tagName.slice(1) ?? 0)
  return headings.flatMap((heading, at) =>
    levelOf(heading) > levelOf(headings[at - 1]) + 1 ? [`${heading.tagName} ${heading.textContent}`] : [],
  )
}

/** Both color schemes at both widths. */
const everyLook = ['light wide', 'light narrow', 'dark wide', 'dark narrow'] as const

export type Combination = (typeof everyLook)[number]

/** Each color scheme and each width once: colors do not depend on the width, nor the layout on the colors. */
export const bothLooks = ['light wide', 'dark narrow'] as const satisfies readonly Combination[]

const partsOf = (combination: Combination) => combination.split(' ') as ['light' | 'dark', keyof typeof widths]

/**
 * What axe audits, and the wide window once. A page that fits into the narrowest window also fits into the narrow one.
 */
function isLookedAt(combination: Combination, audited: readonly Combination[]): boolean {
  const isWideAudited = audited.some((each) => partsOf(each)[1] === 'wide')
  return audited.includes(combination) || (combination === 'light wide' && !isWideAudited)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** With its list of rules, which is an internal: the public one does not have their impact. */
type AxeInPage = typeof axe & { _audit: { rules: { id: string; impact: string }[] } }

/**
 * Runs axe in the page. It is loaded once into each document, and passed checks stay in the page: this takes a third of
 * the time of @axe-core/playwright.
 */
export async function seriousFaults(page: Pick<Page, 'evaluate'>, contrast: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (contrast) => {
    const { axe: inPage } = window as unknown as { axe: AxeInPage }
    // A finding has the impact of its rule, so the rules left out here find nothing serious. They are a third of the
    // work.
    const lesser = inPage._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    const unused = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]))
    const rules = { ...unused, 'color-contrast': { enabled: contrast } }
    const { violations } = await inPage.run({ resultTypes: ['violations'], rules })
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, contrast)
}

/** A picture of the whole page, or only of the window if a dialog is open. */
async function takePicture(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, fullPage: (await page.getByRole('dialog').count()) === 0 })
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
