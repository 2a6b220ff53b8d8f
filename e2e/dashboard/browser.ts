import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page, Response } from '@playwright/test'
import axe from 'axe-core'
import { expect } from 'vitest'
import { secrets } from '../../packages/server/testing/secrets.ts'

const stepLimitMs = 15_000
const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
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
  page.setDefaultTimeout(stepLimitMs)
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
  const { searchParams } = new URL(response.url())
  for (const name of ['code', 'state', 'nonce', 'code_challenge']) secrets.note(searchParams.get(name) ?? '')
  secrets.noteBodies(json(response.request().postData()))
  // The response of a page that was left can no longer be read.
  const headers = await response.headersArray().catch(() => [])
  for (const { name, value } of headers)
    if (name.toLowerCase() === 'set-cookie') secrets.note(/=([^;]*)/.exec(value)?.[1] ?? '')
  // Scripts and styles are large, and a page loads dozens of them. A stream of events has no end.
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

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Waits until this element has the focus. */
export async function hasFocus(locator: Locator): Promise<void> {
  await locator.and(locator.page().locator(':focus')).waitFor()
}

/**
 * Checks a page in light and dark, wide and narrow: no overflow, nothing inline, and no serious axe finding in the
 * `audited` combinations. By default these are each color scheme and each width once: colors do not depend on the width.
 */
export async function expectGoodPage(
  { page, complaints }: Visitor,
  name: string,
  audited: readonly Combination[] = ['light wide', 'dark narrow'],
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, viewport] of Object.entries(widths)) {
      const which = `${name} ${colorScheme} ${width}`
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      // Tables become cards a moment after the width has changed.
      await expect.poll(() => page.evaluate(overflow), { message: which }).toBeLessThanOrEqual(0)
      if (shots) await takePicture(page, join(shots, `${which.replaceAll(' ', '-')}.png`))
      if (audited.includes(`${colorScheme} ${width}` as Combination))
        expect(await seriousFaults(page), which).toEqual([])
    }
  expect(await page.locator('style').count(), `${name}: <style> elements`).toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).count(), `${name}: headings of the first level`).toBe(1)
  expect(complaints, name).toEqual([])
  await page.setViewportSize(widths.wide)
}

export type Combination = `${'light' | 'dark'} ${'wide' | 'narrow'}`

/**
 * Runs axe in the page. It is loaded once into each document, and passed checks stay in the page: this takes a third of
 * the time of @axe-core/playwright.
 */
async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    const { violations } = await inPage.run({ resultTypes: ['violations'] })
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

/** A picture of the whole page, or only of the window if a dialog is open. */
async function takePicture(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, fullPage: (await page.getByRole('dialog').count()) === 0 })
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
