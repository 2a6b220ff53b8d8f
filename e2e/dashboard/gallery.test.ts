import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Browser } from '@playwright/test'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageHeaders } from '../../packages/server/src/http/headers.ts'
import { openBrowser } from '../chromium.ts'
import { expectGoodPage, type Visitor, visitor } from './browser.ts'

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
