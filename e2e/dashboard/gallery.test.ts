import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageHeaders } from '../../packages/server/src/http/headers.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { sharedBrowser } from '../chromium.ts'
import { bothLooks, expectGoodPage, hasFocus, keeps, type Visitor, visitor } from './browser.ts'

const gallery = join(import.meta.dirname, '../../packages/dashboard/gallery')
const configFile = join(gallery, 'vite.config.ts')
const outDir = join(gallery, `../node_modules/.gallery-${process.pid}`)
const names = globSync('*.tsx', { cwd: gallery })
  .map((file) => basename(file, '.tsx'))
  .filter((name) => !['main', 'gallery'].includes(name))
  .sort()

let server: PreviewServer
let person: Visitor

beforeAll(async () => {
  await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  server = await preview({
    configFile,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 0, headers: { ...pageHeaders } },
  })
  person = await visitor(await sharedBrowser(), server.resolvedUrls!.local[0]!)
})
afterAll(async () => {
  await person?.context.close()
  await server?.close()
  await rm(outDir, { recursive: true, force: true })
})

async function open(name: string): Promise<void> {
  await person.page.goto(`/${name}`)
  await person.page.locator('main section').first().waitFor()
}

it('the test finds the pages of the gallery', () => {
  expect(names).toContain('tokens')
})

it.each(names)('%s is good in light and dark, wide and narrow, under the policy of the service', async (name) => {
  await open(name)
  await expectGoodPage(person, `gallery ${name}`, bothLooks)
})

describe('a table of 5,000 rows', () => {
  const row = (key: string) => person.page.getByRole('row').filter({ has: person.page.getByText(key, { exact: true }) })

  it('has few rows in the page, one stop for the keyboard, and keeps the focus while it scrolls', async () => {
    const { page } = person
    await page.goto('/virtual-table?rows=5000')
    await row('flag-1').waitFor()
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2501')
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60)
    await row('flag-1').focus()
    await page.keyboard.press('j')
    await hasFocus(row('flag-2 · 2 unpublished'))
    await page.keyboard.press('End')
    await hasFocus(row('flag-4998'))
    await page.keyboard.press('Home')
    await hasFocus(row('flag-1'))
    await page.keyboard.press('Tab')
    await expect.poll(() => page.locator('[role=grid] :focus').count()).toBe(0)
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

describe('a side panel', () => {
  it('takes the focus, leaves the page usable, and gives the focus back on Escape', async () => {
    const { page } = person
    await open('forms')
    await page.getByRole('button', { name: 'Edit in a panel' }).press('Enter')
    await hasFocus(page.getByRole('dialog').getByRole('heading'))
    await page.getByLabel('Kept name').fill('Beta')
    await page.getByRole('dialog').getByLabel('Field 1', { exact: true }).press('Escape')
    await hasFocus(page.getByRole('button', { name: 'Edit in a panel' }))
  })

  it('fills a narrow window and keeps the focus inside', async () => {
    const { page } = person
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Edit in a panel' }).press('Enter')
    await hasFocus(page.getByRole('dialog').getByRole('heading'))
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => page.getByRole('dialog').locator(':focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

it('what was typed survives a reload, secrets do not, and it can be discarded', async () => {
  const { page } = person
  await open('forms')
  await page.getByLabel('Kept name').fill('Beta users')
  await page.getByLabel('Secret, never kept').fill('hush')
  await keeps(page, 'Beta users')
  await page.reload()
  await page.getByText('These are your unsaved changes from before.').waitFor()
  expect(await page.getByLabel('Kept name').inputValue()).toBe('Beta users')
  expect(await page.getByLabel('Secret, never kept').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('Kept name').inputValue()).toBe('')
})

it('a split is moved by keyboard, by fields and evenly, and always sums to 100', async () => {
  const { page } = person
  await open('shares')
  const two = page.getByRole('region', { name: 'Split of two' })
  const shares = async () => [
    await two.getByLabel('Share of control').inputValue(),
    await two.getByLabel('Share of short').inputValue(),
  ]
  await two.getByRole('slider').press('ArrowLeft')
  await expect.poll(shares).toEqual(['79', '21'])
  await two.getByRole('slider').press('Shift+ArrowRight')
  await expect.poll(shares).toEqual(['89', '11'])
  await two.getByLabel('Share of short').fill('33.33')
  await expect.poll(shares).toEqual(['66.67', '33.33'])
  await two.getByRole('button', { name: 'Even' }).click()
  await expect.poll(shares).toEqual(['50', '50'])
})

inFull('dashboard/audiences')('conditions are built by keyboard and pasting, and read as a sentence', async () => {
  const { page } = person
  await open('conditions')
  const builder = page.getByRole('region', { name: 'Builder', exact: true })
  await builder.getByRole('button', { name: 'Condition', exact: true }).press('Enter')
  await builder.getByLabel('Attribute').last().fill('plan')
  await builder.getByLabel('Values', { exact: true }).last().fill('beta')
  await builder.getByLabel('Values', { exact: true }).last().press('Enter')
  await builder.getByText('in Beta users and country is NL, BE or LU and plan is beta').waitFor()
  await builder.getByLabel('Operator').last().selectOption('is none of')
  await builder.getByText('and plan is not beta').waitFor()
  await builder.getByRole('button', { name: 'Remove the condition on country' }).click()
  await builder.getByText('Reads: in Beta users and plan is not beta').waitFor()
})
