import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Browser } from '@playwright/test'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageHeaders } from '../../packages/server/src/http/headers.ts'
import { openBrowser } from '../chromium.ts'
import { expectGoodPage, hasFocus, type Visitor, visitor } from './browser.ts'

const gallery = join(import.meta.dirname, '../../packages/dashboard/gallery')
const configFile = join(gallery, 'vite.config.ts')
const outDir = join(gallery, `../node_modules/.gallery-${process.pid}`)
const names = globSync('*.tsx', { cwd: gallery })
  .map((file) => basename(file, '.tsx'))
  .filter((name) => !['main', 'gallery'].includes(name))
  .sort()

let server: PreviewServer
let browser: Browser
let person: Visitor

beforeAll(async () => {
  await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  server = await preview({
    configFile,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 0, headers: { ...pageHeaders } },
  })
  browser = await openBrowser()
  person = await visitor(browser, server.resolvedUrls!.local[0]!)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await rm(outDir, { recursive: true, force: true })
})

async function open(name: string): Promise<void> {
  await person.page.goto(`/${name}`)
  await person.page.locator('main section').first().waitFor()
}

it('finds the pages of the gallery', () => {
  expect(names).toContain('tokens')
})

it.each(names)('%s is good in light and dark, wide and narrow, under the policy of the service', async (name) => {
  await open(name)
  await expectGoodPage(person, `gallery ${name}`)
})

describe('a table of 5,000 rows', () => {
  const row = (key: string) => person.page.getByRole('row').filter({ has: person.page.getByText(key, { exact: true }) })

  it('has few rows in the page, one stop for the keyboard, and keeps the focus while it scrolls', async () => {
    const { page } = person
    await page.goto('/virtual-table?rows=5000')
    await row('flag-1').waitFor()
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2501')
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await row('flag-1').focus()
    await page.keyboard.press('j')
    await hasFocus(row('flag-2 · 2 unpublished'))
    await page.keyboard.press('End')
    await hasFocus(row('flag-4998'))
    await page.keyboard.press('Home')
    await hasFocus(row('flag-1'))
    await page.keyboard.press('Tab')
    expect(await page.locator('[role=grid] :focus').count()).toBe(0)
  })

  it('selects with X and Shift, goes into the controls of a row and back, and opens with Enter', async () => {
    const { page } = person
    await row('flag-5').focus()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+ArrowDown')
    // One row is selected from the start.
    await page.getByText('3 selected').waitFor()
    await hasFocus(row('flag-6'))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await hasFocus(row('flag-6').getByRole('switch'))
    await page.keyboard.press('Escape')
    await hasFocus(row('flag-6'))
    await page.keyboard.press('Enter')
    await page.getByText('Opened flag-6').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('3 selected').waitFor({ state: 'hidden' })
  })
})
