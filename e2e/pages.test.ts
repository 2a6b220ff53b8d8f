import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { type RunningService, root, startService } from './service.ts'

// Longer than any test, so that a change came by the stream.
const pollIntervalMs = 600_000
// Reached only if something hangs.
const limitMs = 300_000
let service: RunningService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
let site: Server
let siteUrl: string
let context: BrowserContext
let page: Page
let worker: Page
const complaints: string[] = []
/** The status codes that the service answered to events. */
const eventAnswers: number[] = []

beforeAll(async () => {
  complaints.length = 0
  eventAnswers.length = 0
  service = await startService()
  checkout = await makeNewCheckout(service)
  site = await startSite()
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  context = await (await sharedBrowser()).newContext()
  context.on('response', (response) => {
    if (response.url().endsWith('/api/sdk/v1/events')) eventAnswers.push(response.status())
  })
  page = await openPage('page.html')
  worker = await openPage('in-worker.html')
})
afterAll(async () => {
  await context?.close()
  site?.close()
  site?.closeAllConnections()
  await service?.stop()
})

/** A client that passes its state to `handOn`; `more` are options of this place. */
const program = (handOn: string, more: string) => `
  import { createClient, localStorageStore, stream } from '/svc-live.min.js'
  const settings = ${JSON.stringify({ sdkKey: checkout.sdkKey, baseUrl: service.url, pollIntervalMs })}
  const client = createClient({ ...settings, stream, ${more} })
  const show = () => ${handOn}([client.revision, client.getBoolean('new-checkout', false), client.status].join(' '))
  for (const event of ['ready', 'change', 'status']) client.on(event, show)`

/** A data file with a flag for new versions, which needs the second file. */
const versions = {
  schemaVersion: 1,
  revision: 1,
  flags: {
    checkout: {
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules: [
        {
          id: '1',
          type: 'TARGETED_DELIVERY',
          salt: 's',
          variation: 'on',
          when: { attribute: 'version', operator: 'semverGreaterThan', value: '2.9' },
        },
      ],
    },
  },
}
const secondFile = `
  import { createClient } from '/svc-live.min.js'
  const options = { sdkKey: 'sdk_1', baseUrl: location.origin, offline: true }
  const client = createClient({ ...options, bootstrap: ${JSON.stringify(versions)} })
  await client.waitUntilReady()
  document.title = client.getBoolean('checkout', false, { version: '2.10' })`
const showText = 'function showText(text) { document.title = text }'
const report = `
  client.track('seen', { context: { targetingKey: 'u-1' } })
  client.flush()`
const html = (script: string) => `<!doctype html><title>none</title><script type="module">${script}</script>`

const files: Record<string, { type: string; content(): string | Promise<string> }> = {
  '/svc-live.min.js': {
    type: 'text/javascript',
    content: () => readFile(`${root}packages/sdk/dist/svc-live.min.js`, 'utf8'),
  },
  '/svc-rare.js': {
    type: 'text/javascript',
    content: () => readFile(`${root}packages/sdk/dist/svc-rare.js`, 'utf8'),
  },
  '/second-file.html': { type: 'text/html', content: () => html(secondFile) },
  '/page.html': {
    type: 'text/html',
    content: () => html(`${showText};${program('showText', 'store: localStorageStore()')};${report}`),
  },
  '/worker.js': { type: 'text/javascript', content: () => program('postMessage', '') },
  '/in-worker.html': {
    type: 'text/html',
    content: () =>
      html(`const worker = new Worker('/worker.js', { type: 'module' })
        worker.onmessage = ({ data }) => showText(data);${showText}`),
  },
}

/** The shop's own site, whose origin differs from the service's. */
async function startSite(): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const file = files[url.replace(/\?.*/, '')]
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
    response.end(await file?.content())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function openPage(name: string): Promise<Page> {
  const opened = await context.newPage()
  opened.on('pageerror', (error) => complaints.push(String(error)))
  await opened.goto(`${siteUrl}/${name}`)
  return opened
}

const shows = (where: Page, title: string) =>
  where.waitForFunction((wanted) => document.title === wanted, title, { timeout: limitMs })

describe('a page with a store, and a worker', () => {
  it('start with the value of the paused flag', async () => {
    const { dataFile } = await service.call('GET', checkout.environmentUrl)
    await shows(page, `${dataFile.revision} false ready`)
    await shows(worker, `${dataFile.revision} false ready`)
  })

  it('sends events, which the service takes', async () => {
    await expect.poll(() => eventAnswers, { timeout: limitMs }).toContain(202)
  })

  it('loads the second file for versions', async () => {
    const opened = await openPage('second-file.html')
    await shows(opened, 'true')
    await opened.close()
  })

  it('get the change from the stream when it runs', async () => {
    const { dataFile } = await service.call('POST', `${checkout.flagUrl}/run`)
    await shows(page, `${dataFile.revision} true ready`)
    await shows(worker, `${dataFile.revision} true ready`)
  })

  it('restart without the service: the page with the stored file, the worker without one', async () => {
    await service.stop()
    await Promise.all([page.reload(), worker.reload()])
    await page.waitForFunction(() => / true stale$/.test(document.title), undefined, { timeout: limitMs })
    expect(await worker.title()).toBe('none')
    expect(complaints).toEqual([])
  })
})
