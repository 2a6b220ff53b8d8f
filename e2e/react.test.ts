import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'tsdown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { datafileOf, flagOf } from '../packages/sdk/test/datafile.ts'
import { answerWith, startService } from '../packages/sdk/test/service.ts'
import { inFull } from '../packages/server/testing/in-full.ts'
import { sharedBrowser } from './chromium.ts'
import type { ShopPage } from './react/page.tsx'
import type * as Rendering from './react/server.tsx'
import { root } from './service.ts'

const page18 = createRequire(`${root}packages/sdk/package.json`)
const page19 = createRequire(`${root}packages/dashboard/package.json`)
const soon = { timeout: 120_000, interval: 10 }

const test = { id: '3', type: 'AB_TEST' as const, salt: 's', split: [{ variation: 'control', end: 10_000 }] }
const copyOf = (value: string, rules = [test]) =>
  flagOf('', { variations: { control: value, short: 'Buy' }, defaultVariation: 'control', rules })
const flags = {
  'new-checkout': flagOf(true),
  copy: copyOf('Pay </script>'),
  theme: flagOf({ color: 'red' }),
  'page-size': flagOf(20),
}
const first = datafileOf(5, flags)

describe.each([
  { react: '18', resolve: page18.resolve },
  { react: '19', resolve: page19.resolve },
])('React $react', ({ react, resolve }) => {
  // Of the older version, `npm test` has each way of rendering once.
  const inNewest = react === '19' ? it : inFull('e2e/react')
  let folder: string
  let service: Awaited<ReturnType<typeof startService>>
  let rendering: typeof Rendering
  let context: BrowserContext
  let page: Page
  let complaints: string[]
  /** What the page at `/` contains before its script. */
  let html: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-react-'))
    const packages = ['react', 'react-dom'].map((name) => [name, dirname(resolve(`${name}/package.json`))])
    const common = {
      ...{ outDir: folder, cwd: root, config: false as const, dts: false, clean: false, format: 'esm' as const },
      ...{ logLevel: 'error' as const, fixedExtension: false, deps: { alwaysBundle: [/./], neverBundle: [/^node:/] } },
      alias: Object.fromEntries(packages),
      define: { 'process.env.NODE_ENV': '"development"' },
    }
    await build({ ...common, entry: ['e2e/react/page.tsx'], platform: 'browser' })
    await build({ ...common, entry: ['e2e/react/server.tsx'], platform: 'node', outExtensions: () => ({ js: '.mjs' }) })
    rendering = await import(pathToFileURL(join(folder, 'server.mjs')).href)
    context = await (await sharedBrowser()).newContext()
  })
  afterAll(async () => {
    await context?.close()
    await rm(folder, { recursive: true })
  })

  beforeEach(async () => {
    html = ''
    complaints = []
    service = await startService(serve(answerWith(first)))
    page = await context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (fault) => complaints.push(String(fault)))
  })
  afterEach(async () => {
    expect(complaints.filter((text) => !text.includes('React DevTools'))).toEqual([])
    await page.close()
    await service.close()
  })

  const serve =
    (answer: typeof service.answer): typeof service.answer =>
    async (request, response) => {
      const { pathname } = new URL(request.url!, 'http://127.0.0.1')
      if (pathname === '/') return send(response, 'text/html', `${top}<div id="shop">${html}</div>${bottom}`)
      if (pathname === '/page.js') return send(response, 'text/javascript', await readFile(join(folder, 'page.js')))
      answer(request, response)
    }
  /** The service answers with the first data file when the returned function is called. */
  const holdAnswer = (): (() => void) => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    service.answer = serve(async (request, response) => {
      await held
      answerWith(first)(request, response)
    })
    return letGo
  }
  const open = (query: string) => page.goto(`${service.baseUrl}/?${query}`)
  const texts = () =>
    page.$$eval('#shop p', (all) => Object.fromEntries(all.map(({ id, textContent }) => [id, textContent])))
  const inPage = <Answer>(ask: (shopPage: ShopPage) => Answer) =>
    page.evaluate(`(${ask})(globalThis.shopPage)`) as Promise<Awaited<Answer>>
  const counts = () => inPage((shopPage) => ({ ...shopPage.counts }))
  /** Serves the next data file and waits until the page has it. */
  const publish = async (file = first) => {
    service.answer = serve(answerWith(file))
    // A request that is already under way brings the file of before.
    const refreshed = () =>
      inPage(async ({ client }) => {
        await client.refresh()
        return client.revision
      })
    await expect.poll(refreshed, soon).toBe(file.revision)
  }
  const exposures = async () => {
    await inPage((shopPage) => shopPage.client.flush())
    return service.events.flatMap(({ events }) => events).map(({ unit, flagKey, type }) => `${type} ${flagKey} ${unit}`)
  }
  const served = {
    checkout: 'true',
    copy: 'Pay </script> control SPLIT',
    theme: 'red',
    several: '21 true',
    late: 'Pay </script>',
  }
  const defaults = {
    checkout: 'false',
    copy: 'Pay now null ERROR',
    theme: 'blue',
    several: '11 false',
    late: 'Pay now',
  }

  it('is the version of this test', async () => {
    expect(rendering.version.split('.')[0]).toBe(react)
    await open('')
    await expect.poll(() => inPage((shopPage) => shopPage?.version), soon).toBe(rendering.version)
    await expect.poll(texts, soon).toEqual(served)
  })

  inNewest('renders the defaults at once and the values once more', async () => {
    const letGo = holdAnswer()
    await open('')
    await expect.poll(texts, soon).toEqual(defaults)
    expect(await counts()).toEqual({ checkout: 1, copy: 1, theme: 1, several: 1, themes: 1 })
    letGo()
    await expect.poll(texts, soon).toEqual(served)
    expect(await counts()).toEqual({ checkout: 2, copy: 2, theme: 2, several: 2, themes: 2 })
  })

  inNewest('renders a component again only when its value changes', async () => {
    await open('')
    await expect.poll(texts, soon).toEqual(served)
    const before = await counts()
    await publish(datafileOf(6, { ...flags, theme: flagOf({ color: 'red' }), other: flagOf(true) }))
    await publish(datafileOf(7, { ...flags, theme: flagOf({ color: 'red' }, { id: 'f-2' }), 'page-size': flagOf(50) }))
    await expect.poll(texts, soon).toMatchObject({ several: '51 true' })
    expect(await counts()).toEqual({ ...before, several: before.several! + 1 })
    await publish(datafileOf(8, { ...flags, 'page-size': flagOf(50), theme: flagOf({ color: 'green' }) }))
    await expect.poll(texts, soon).toMatchObject({ theme: 'green' })
    expect(await counts()).toEqual({
      ...before,
      several: before.several! + 1,
      theme: before.theme! + 1,
      themes: before.themes! + 1,
    })
  })

  inNewest(
    'renders the details again when the rule changes and the value does not, and counts from then on',
    async () => {
      await publishFirst(datafileOf(5, { ...flags, copy: copyOf('Pay', []) }))
      await expect.poll(texts, soon).toMatchObject({ copy: 'Pay control DEFAULT', late: 'Pay' })
      expect(await exposures()).toEqual([])
      const before = await counts()
      await publish(datafileOf(6, { ...flags, copy: copyOf('Pay') }))
      await expect.poll(texts, soon).toMatchObject({ copy: 'Pay control SPLIT', late: 'Pay' })
      expect(await counts()).toEqual({ ...before, copy: before.copy! + 1 })
      expect(await exposures()).toEqual(['exposure copy u-17'])
    },
  )

  inNewest('asks again for a different visitor, and not for an equal one', async () => {
    await open('')
    await expect.poll(texts, soon).toEqual(served)
    expect(await exposures()).toEqual(['exposure copy u-17'])
    const before = await counts()
    await inPage((shopPage) => shopPage.render('u-18'))
    await expect.poll(exposures, soon).toEqual(['exposure copy u-17', 'exposure copy u-18'])
    expect(await counts()).toMatchObject({ checkout: before.checkout! + 1, themes: before.themes! })
    await page.click('text=Buy')
    await expect.poll(exposures, soon).toContain('track undefined u-18')
  })

  it('works in strict mode', async () => {
    await open('strict')
    await expect.poll(texts, soon).toEqual(served)
    expect(await exposures()).toEqual(['exposure copy u-17'])
  })

  inNewest('does not count visitors for a part that was never shown', async () => {
    const onlyLate = { ...flags, copy: flagOf('Pay') }
    await publishFirst(datafileOf(5, onlyLate), 'late')
    await expect.poll(texts, soon).toMatchObject({ copy: 'Pay a DEFAULT', late: 'waiting' })
    expect(await exposures()).toEqual([])
  })

  it('waits for the first data file with suspense', async () => {
    const letGo = holdAnswer()
    await open('suspense=60000')
    await expect.poll(texts, soon).toEqual({ waiting: 'waiting', late: 'waiting' })
    letGo()
    await expect.poll(texts, soon).toEqual(served)
    expect(await inPage((shopPage) => shopPage.mutations)).not.toContain('Pay now')
  })

  inNewest('shows the defaults when suspense has waited for long enough', async () => {
    service.answer = serve(() => {})
    await open('suspense=1')
    await expect.poll(texts, soon).toEqual(defaults)
  })

  it('renders on a server and takes over in the page without a change', async () => {
    const client = rendering.createClient({
      ...{ sdkKey: 'sdk_1', baseUrl: service.baseUrl, offline: true, bootstrap: first },
    })
    html = await rendering.renderShop(client)
    await open('hydrate')
    await expect.poll(() => inPage((shopPage) => shopPage?.counts.themes), soon).toBe(1)
    expect(await texts()).toEqual(served)
    expect(await inPage(({ mutations, faults, counts }) => ({ mutations, faults, counts }))).toEqual({
      ...{ mutations: [], faults: [] },
      counts: { checkout: 1, copy: 1, theme: 1, several: 1, themes: 1 },
    })
    expect(await exposures()).toEqual(['exposure copy u-17'])
    await publish(datafileOf(6, { ...flags, 'new-checkout': flagOf(false) }))
    await expect.poll(texts, soon).toMatchObject({ checkout: 'false', several: '21 false' })
  })

  inNewest('takes over late parts by the file of the server, and then shows what is new', async () => {
    const client = rendering.createClient({
      ...{ sdkKey: 'sdk_1', baseUrl: service.baseUrl, offline: true, bootstrap: first },
    })
    html = await rendering.renderShop(client)
    await open('hydrate&late')
    await expect.poll(() => inPage((shopPage) => shopPage?.counts.themes), soon).toBe(1)
    await publish(datafileOf(6, { ...flags, copy: copyOf('Order') }))
    await expect.poll(texts, soon).toMatchObject({ copy: 'Order control SPLIT', late: 'Pay </script>' })
    await inPage((shopPage) => shopPage.openGate())
    await expect.poll(texts, soon).toMatchObject({ late: 'Order' })
    expect(await inPage((shopPage) => shopPage.faults)).toEqual([])
  })

  inNewest('renders a page from one data file, also if a newer one comes meanwhile', async () => {
    const client = rendering.createClient({ sdkKey: 'sdk_1', baseUrl: service.baseUrl, pollIntervalMs: 600_000 })
    await client.waitUntilReady()
    html = await rendering.renderShop(client, {
      async afterShell() {
        service.answer = serve(answerWith(datafileOf(6, { ...flags, copy: copyOf('Order') })))
        await client.refresh()
      },
    })
    await client.close()
    expect(client.revision).toBe(6)
    await open('hydrate')
    await expect.poll(() => inPage((shopPage) => shopPage?.counts.themes), soon).toBe(1)
    expect(html).not.toContain('Order')
    await expect.poll(texts, soon).toMatchObject({ late: 'Order' })
    expect(await inPage((shopPage) => shopPage.faults)).toEqual([])
  })

  it('waits on the server with suspense, for as long as it may', async () => {
    const options = { sdkKey: 'sdk_1', baseUrl: service.baseUrl, pollIntervalMs: 600_000 }
    const client = rendering.createClient(options)
    expect(await rendering.renderShop(client, { suspense: true })).toContain('<p id="checkout">true</p>')
    await client.close()
    service.answer = serve(() => {})
    const late = rendering.createClient({ ...options, requestTimeoutMs: 50, logger: { warn: () => {} } })
    expect(await rendering.renderShop(late, { suspense: true, readyTimeoutMs: 1 })).toContain(
      '<p id="checkout">false</p>',
    )
    await late.close()
  })

  it('says that the provider is missing', () => {
    expect(() => rendering.renderAlone()).toThrow('Svc: SvcProvider is missing')
  })

  async function publishFirst(file: typeof first, query = '') {
    service.answer = serve(answerWith(file))
    await open(query)
  }
})

const top = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'
const bottom = '<script type="module" src="/page.js"></script>'

function send(response: ServerResponse, type: string, content: string | Buffer): void {
  response.writeHead(200, { 'content-type': type })
  response.end(content)
}
