import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { type Client, OpenFeature } from '@openfeature/server-sdk'
import type { Page } from '@playwright/test'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import type { OfrepPage } from './ofrep/page.ts'
import { type OpenService, openService, root } from './service.ts'
import { openShell } from './shell.ts'
import { shown } from './shown.ts'

let service: OpenService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>

beforeAll(async () => {
  service = await openService()
  checkout = await makeNewCheckout(service)
  const projectUrl = checkout.environmentUrl.replace(/\/environments\/.*$/, '')
  const add = (key: string, type: string, value: string, other: string) =>
    service.call('POST', `${projectUrl}/flags`, {
      ...{ key, name: key, type, defaultVariationKey: 'first' },
      variations: [
        { name: 'First', key: 'first', value },
        { name: 'Other', key: 'other', value: other },
      ],
    })
  await add('copy', 'STRING', 'Pay now', 'Buy')
  await add('page-size', 'NUMBER', '10', '0.5')
  await add('theme', 'JSON', '{"primary":"#0055ff","sizes":[1,2]}', '{}')
  await service.call('POST', `${checkout.environmentUrl}/publish`)
})
afterAll(async () => {
  await OpenFeature.close()
  await service?.stop()
})

describe('the official provider for servers', () => {
  let client: Client
  beforeAll(async () => {
    const headers: [string, string][] = [['Authorization', `Bearer ${checkout.sdkKey}`]]
    await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: service.url, headers }))
    client = OpenFeature.getClient()
  })

  it('reads values of every type, with variation, reason and metadata', async () => {
    const visitor = { targetingKey: 'u-17' }
    expect(await client.getBooleanDetails('new-checkout', true, visitor)).toMatchObject({
      ...{ value: false, variant: 'off', reason: 'DISABLED' },
      flagMetadata: { flagSetId: expect.stringMatching(/^[0-9a-f-]{36}$/), version: expect.stringMatching(/^\d+$/) },
    })
    expect(await client.getStringDetails('copy', '', visitor)).toMatchObject({ value: 'Pay now', variant: 'first' })
    expect(await client.getNumberValue('page-size', 0, visitor)).toBe(10)
    expect(await client.getObjectValue('theme', {}, visitor)).toEqual({ primary: '#0055ff', sizes: [1, 2] })
  })

  it('serves the default of the code for an unknown flag and for a different type, and says why', async () => {
    expect(await client.getBooleanDetails('none', true)).toMatchObject({
      ...{ value: true, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' },
    })
    expect(await client.getNumberDetails('copy', 7)).toMatchObject({
      ...{ value: 7, reason: 'ERROR', errorCode: 'TYPE_MISMATCH' },
    })
  })

  it('serves the default of the code with a wrong key', async () => {
    const wrong = new OFREPProvider({ baseUrl: service.url, headers: [['X-API-Key', 'sdk_none']] })
    await OpenFeature.setProviderAndWait('wrong', wrong)
    expect(await OpenFeature.getClient('wrong').getStringDetails('copy', 'mine')).toMatchObject({
      ...{ value: 'mine', reason: 'ERROR', errorCode: 'GENERAL' },
    })
  })
})

describe('the guide', () => {
  it('shows what its calls answer', async () => {
    await service.call('POST', `${checkout.flagUrl}/run`)
    const shell = openShell({
      ...{ SVC_URL: service.url, SVC_SDK_KEY: checkout.sdkKey, SVC_TOKEN: service.token },
      SVC_PROJECT: checkout.environmentUrl.split('/')[4]!,
    })
    try {
      let printed = ''
      const answers: unknown[] = []
      for (const { language, text, line } of codeBlocks(await readFile(`${root}docs/openfeature.md`, 'utf8'))) {
        if (language === 'sh') printed = (await shell.run(text)).printed()
        if (language !== 'json') continue
        const { flags, ...answer } = JSON.parse(printed)
        const { flags: shownFlags, ...wanted } = JSON.parse(text)
        expect(answer, `docs/openfeature.md:${line}`).toEqual(shown(wanted))
        // The guide leaves out the other flags of this test.
        for (const flag of shownFlags ?? []) expect(flags).toContainEqual(shown(flag))
        answers.push(answer)
      }
      expect(answers).toHaveLength(3)
    } finally {
      shell.close()
      await service.call('POST', `${checkout.flagUrl}/pause`)
    }
  })
})

describe('the official provider for pages', () => {
  let folder: string
  let site: Server
  let page: Page
  const complaints: string[] = []
  const statuses: number[] = []

  beforeAll(async () => {
    complaints.length = 0
    statuses.length = 0
    folder = await mkdtemp(join(tmpdir(), 'svc-ofrep-'))
    await build({
      ...{ entry: ['e2e/ofrep/page.ts'], outDir: folder, cwd: root, config: false, dts: false, clean: false },
      ...{ platform: 'browser', format: 'esm', logLevel: 'error', fixedExtension: false },
      deps: { alwaysBundle: [/./] },
    })
    site = createServer(async ({ url }, response) => {
      const isScript = url === '/page.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(
        isScript ? await readFile(join(folder, 'page.js')) : html({ baseUrl: service.url, sdkKey: checkout.sdkKey }),
      )
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    page = await (await sharedBrowser()).newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('response', (response) => {
      if (response.url().includes('/ofrep/')) statuses.push(response.status())
    })
    page.on('requestfailed', (request) => complaints.push(request.url()))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    await page?.context().close()
    site?.close()
    site?.closeAllConnections()
    await rm(folder, { recursive: true })
  })

  it('reads every flag at once, and nothing twice when the stream announces what it has', async () => {
    await expect.poll(() => page.title()).toBe('false Pay now 10 #0055ff')
    await expect.poll(() => statuses).toEqual([200, 304])
  })

  it('shows a change within seconds by the stream that the service names', async () => {
    await service.call('POST', `${checkout.flagUrl}/run`)
    await expect.poll(() => page.title()).toBe('true Pay now 10 #0055ff')
  })

  it('reads again for a changed context', async () => {
    const known = statuses.length
    await page.evaluate(() => (globalThis as unknown as OfrepPage).setPlan('pro'))
    await expect.poll(() => statuses.slice(known)).toEqual([200])
    expect(complaints).toEqual([])
  })
})

const html = (settings: OfrepPage['settings']) => `<!doctype html>
  <title>none</title>
  <script>settings = ${JSON.stringify(settings)}</script>
  <script type="module" src="/page.js"></script>`
