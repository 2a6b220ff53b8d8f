import type { ChildProcess } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { type Output, output } from './output.ts'
import { end, type RunningService, root, spawnNode, startService } from './service.ts'

// Reached only if something hangs.
const followLimitMs = 60_000

let service: RunningService
let page: Page
let program: ChildProcess
let printed: Output
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
const complaints: string[] = []
let navigations = 0

beforeAll(async () => {
  complaints.length = 0
  navigations = 0
  service = await startService()
  checkout = await makeNewCheckout(service)
})

afterAll(async () => {
  if (program) await end(program)
  await page?.context().close()
  await service?.stop()
})

describe('an open program and an open page', () => {
  it('start with the value of the paused flag', async () => {
    program = spawnNode(['examples/node/index.js'], { SVC_SDK_KEY: checkout.sdkKey, SVC_BASE_URL: service.url })
    printed = output(program)
    await printed.until('grace  false  variation off  DISABLED', followLimitMs)

    page = await (await sharedBrowser()).newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('framenavigated', () => {
      navigations += 1
    })
    const address = pathToFileURL(`${root}examples/web/index.html`)
    address.search = String(new URLSearchParams({ sdkKey: checkout.sdkKey, baseUrl: service.url }))
    await page.goto(address.href)
    await shows('Checkout', 'false', 'ready')
  })

  it.each([
    { verb: 'run', title: 'Express checkout', value: 'true', line: 'grace  true  variation on  TARGETING_MATCH' },
    { verb: 'pause', title: 'Checkout', value: 'false', line: 'grace  false  variation off  DISABLED' },
    { verb: 'run', title: 'Express checkout', value: 'true', line: 'grace  true  variation on  TARGETING_MATCH' },
  ])('follow a $verb without a restart or reload', async ({ verb, title, value, line }) => {
    const from = printed.text().length
    const { dataFile } = await service.call('POST', `${checkout.flagUrl}/${verb}`)
    await printed.until(`new-checkout, revision ${dataFile.revision}`, followLimitMs, from)
    await printed.until(line, followLimitMs, from)
    await shows(title, value, 'ready')
    await expect.poll(() => page.locator('#revision').textContent()).toBe(String(dataFile.revision))
    expect(program.exitCode).toBeNull()
    expect(navigations).toBe(1)
  })

  it('are both counted as instances of the environment', async () => {
    await expect
      .poll(() => service.call('GET', checkout.environmentUrl))
      .toMatchObject({
        connected: true,
        sdks: [
          { type: 'browser', instances: 1 },
          { type: 'node', instances: 1 },
        ],
      })
  })

  it('keep the last values when the service stops, and the service exits cleanly', async () => {
    expect(complaints).toEqual([])
    expect(await service.stop()).toBe(0)
    await page.locator('#notice').getByText('does not answer').waitFor({ timeout: followLimitMs })
    await shows('Express checkout', 'true', 'stale')
    expect(program.exitCode).toBeNull()
  })
})

it('the page has a language and a title, and every field has a label', async () => {
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await page.title()).toBe('Checkout · Svc example')
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  for (const name of ['SDK key', 'Service', 'Flag key', 'Visitor'])
    expect(await page.getByLabel(name, { exact: true }).count()).toBe(1)
})

async function shows(title: string, value: string, status: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor({ timeout: followLimitMs })
  await page.locator('#value').getByText(value, { exact: true }).waitFor({ timeout: followLimitMs })
  await page.locator('#status').getByText(status, { exact: true }).waitFor({ timeout: followLimitMs })
}
