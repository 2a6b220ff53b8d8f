import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { beforeAll, expect, it } from 'vitest'
import { findInPath } from '../../scripts/in-path.ts'
import { ada } from '../dashboard/people.ts'
import { openSite } from '../dashboard/site.ts'
import { acme, checkout, fillShop, shop } from './shop.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const maxBytes = 60_000
const colors = '64'

const site = openSite(acme)
let page: Page

/** A picture of the window, with so few colors that it loads quickly. */
async function take(name: string, path: string, isThere: () => Promise<unknown>, height = 760): Promise<void> {
  await page.setViewportSize({ width: 1200, height })
  await page.goto(`${shop}${path}`)
  await isThere()
  const whole = join(tmpdir(), `svc-${process.pid}-${name}.png`)
  const picture = join(folder, `${name}.png`)
  await page.screenshot({ path: whole, animations: 'disabled' })
  execFileSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', picture, colors, whole])
  rmSync(whole)
  expect(statSync(picture).size, name).toBeLessThanOrEqual(maxBytes)
}

beforeAll(async () => {
  if (!findInPath('pngquant')) throw new Error('pngquant is not in the PATH: on Debian, run apt-get install pngquant')
  mkdirSync(folder, { recursive: true })
  await fillShop(site.service.url)
  page = (await site.visit(ada)).page
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${shop}/flags`)
  await page.getByRole('region', { name: 'First steps' }).getByRole('button', { name: 'Hide' }).click()
})

it('takes the pictures of the guides', async () => {
  const text = (words: string) => () => page.getByText(words).first().waitFor()
  await take('flags', '/flags', text('One-page checkout'), 560)
  await take('flag', `${checkout}?env=production`, text('Deleted with the next publish'), 820)
  await take('publish', '/environments/production/publish', text('50 %'), 760)
  await take('compare', `${checkout}/compare?env=production&with=development`, text('Share: 50 %'), 700)
  await take('connect', '/connect?env=development', text('npm install'), 760)
  const visitor = encodeURIComponent(JSON.stringify({ targetingKey: 'u-17', country: 'NL', plan: 'pro' }))
  const playground = `/playground?env=production&flag=one-page-checkout&visitor=${visitor}`
  await take('playground', playground, text('Beta users in Benelux'), 940)
})
