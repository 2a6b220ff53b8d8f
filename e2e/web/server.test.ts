// Runs the server of docs/web-server.md as it is printed there: with a real service, and in every runtime.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { freePort } from '../../packages/server/testing/processes/port.ts'
import { codeBlocks } from '../../scripts/code-blocks.ts'
import { sharedBrowser } from '../chromium.ts'
import { commandOf, places } from '../runtimes.ts'
import { cleanEnvironment, end, type OpenService, openService, root } from '../service.ts'

const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
// Reached only if a program hangs.
const started = { timeout: 90_000 }

let service: OpenService
let sdkKey: string
let experiment: string
let folder: string
const programs: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-web-server-'))
  await mkdir(join(folder, 'node_modules/@svc'), { recursive: true })
  await symlink(join(root, 'packages/sdk'), join(folder, 'node_modules/@svc/sdk'))
  await writeFile(
    join(folder, 'package.json'),
    '{ "type": "module", "private": true, "dependencies": { "@svc/sdk": "*" } }',
  )
  for (const { text } of codeBlocks(await readFile(join(root, 'docs/web-server.md'), 'utf8'))) {
    const name = /^\/\/ (server\.js|worker\.js)\n/.exec(text)?.[1]
    if (name) await writeFile(join(folder, name), text)
  }
  service = await openService()
  const { call } = service
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
  const environments = await call('GET', `/api/v1/projects/${id}/environments`)
  sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
  const made = await call('POST', `/api/v1/projects/${id}/experiments`, {
    name: 'Price in the headline',
    // A newcomer has a cookie of this response, and is still one for the script.
    pages: [
      {
        ...{ key: 'pricing', name: 'Pricing' },
        conditions: {
          all: [
            { attribute: 'page.path', operator: 'equals', value: '/pricing' },
            { attribute: 'visitor', operator: 'equals', value: 'new' },
          ],
        },
      },
    ],
    variations: [
      { key: 'original', weight: 0 },
      { key: 'price', weight: 10_000 },
    ],
  })
  experiment = `/api/v1/projects/${id}/experiments/${made.id}`
  await call('PUT', `${experiment}/variations/price/changes`, {
    changes: [{ id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9', was: 'Our plans' }],
    css: 'h1 { color: rgb(0, 85, 255) }',
  })
  await call('PUT', `${experiment}/variations/price/code`, {
    js: 'document.documentElement.dataset.code = svc.variationKey',
  })
  await call('POST', `${experiment}/launch`)
})
afterAll(async () => {
  await Promise.all(programs.splice(0).map(end))
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the server of the guide. Returns its address when it answers with a page that has the script. */
async function startServer(place: (typeof places)[number], settings: Record<string, string>): Promise<string> {
  const [runtime, ...parameters] = commandOf(place)
  const port = await freePort()
  programs.push(
    spawn(runtime!, [...parameters, 'server.js'], {
      cwd: folder,
      env: cleanEnvironment({ ...settings, PORT: String(port) }),
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  const url = `http://127.0.0.1:${port}`
  const page = () =>
    fetch(url).then(
      (response) => response.text(),
      () => '',
    )
  await expect.poll(page, started).toContain('setAttributes')
  return `http://shop.localhost:${port}`
}

/** The first line of the answer to a request that no browser sends. */
async function answerTo(url: string, path: string, host: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return (await text(socket)).split('\r\n')[0]!
}

/** What a page shows: its headline, each text that a frame has shown, and the color. */
async function shown(page: Page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return page.evaluate(() => {
    const found = document.querySelector('h1')!
    const { seen } = globalThis as unknown as { seen: Set<string> }
    return { text: found.textContent, seen: [...seen], color: getComputedStyle(found).color }
  })
}

test('the page under a strict policy shows no frame of the original, asks for no script, and its visitor is counted', async () => {
  const url = await startServer('Node', { SVC_URL: service.url, SVC_SDK_KEY: sdkKey })
  const context = await (await sharedBrowser()).newContext({ userAgent })
  try {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
      const seen = new Set<string | null>()
      Object.assign(globalThis, { seen })
      const look = () => {
        const found = document.querySelector('h1')
        // A slow parser can show an element before its text.
        if (found?.textContent) seen.add(found.textContent)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    const page = await context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => complaints.push(message.text()))
    const response = await page.goto(`${url}/pricing`)
    expect(await response!.headerValue('content-security-policy')).toContain("default-src 'none'")
    const changed = { text: 'From € 9', seen: ['From € 9'], color: 'rgb(0, 85, 255)' }
    expect(await shown(page)).toEqual(changed)
    expect(await page.getAttribute('html', 'data-code')).toBe('price')
    // As if the person chose a different tab: the page sends what waits.
    const sent = page.waitForResponse('**/api/sdk/v1/events')
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      window.dispatchEvent(new Event('visibilitychange'))
    })
    expect((await sent).status()).toBe(202)
    expect(asked.filter((each) => each.startsWith('GET'))).toEqual(['GET /pricing'])
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ name: 'svc_id', secure: true, httpOnly: false, sameSite: 'Lax' })
    // Known from now on, for the server and for the script.
    await page.reload()
    expect(await shown(page)).toMatchObject({ text: 'Our plans' })
    expect((await context.cookies()).map(({ value }) => value)).toContain(cookie!.value)
    expect(complaints).toEqual([])
    const counted = () =>
      service.call('POST', `${experiment}/results/refresh`).then(
        ({ units }) => units.total,
        () => 0,
      )
    await expect.poll(counted, { timeout: 60_000 }).toBe(1)
  } finally {
    await context.close()
  }
})

describe('a redirect', () => {
  let stub: Server
  let address: string
  const events: { unit: string; variationKey: string; context: Record<string, unknown> }[] = []
  const isPricing = { attribute: 'page.path', operator: 'equals', value: '/pricing' }
  const split = [
    { variation: 'original', end: 5000 },
    { variation: 'other', end: 10_000 },
  ]
  const flag = {
    ...{ id: 'f', type: 'STRING', enabled: true, defaultVariation: 'original' },
    variations: { original: 'original', other: 'other' },
    rules: [{ id: '12', type: 'AB_TEST', salt: 's', split }],
  }
  const environment = { schemaVersion: 1, revision: 1, environment: { id: 'e', key: 'production' }, publishedAt: null }
  const file = { ...environment, audiences: {}, exclusionGroups: {}, events: {}, flags: { x12: flag } }
  const redirect = { url: 'https://shop.example/pricing-b', keepQuery: true }
  const web = {
    ...{ schemaVersion: 1, revision: 1, goals: [] },
    settings: { consent: 'NOT_REQUIRED', pending: 'HOLD', cookieDomain: 'shop.example' },
    experiments: [{ key: 'x12', pages: { pricing: isPricing }, variations: { other: { redirect } } }],
  }

  beforeAll(async () => {
    stub = createServer(async (request, response) => {
      const { url = '' } = request
      if (url.endsWith('/events')) events.push(...JSON.parse(await text(request)).events)
      if (url.endsWith('.html')) response.setHeader('content-type', 'text/html')
      const body = url.endsWith('.js') ? 'run()' : url.includes('/web/') ? web : url.includes('/datafile/') ? file : {}
      response
        .writeHead(url.includes('/stream/') ? 404 : 200)
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(stub, 'listening')
    address = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  })
  afterAll(() => {
    stub?.close()
    stub?.closeAllConnections()
  })

  // `e2e/runtimes` runs the client in each.
  const runtimes = Object.fromEntries(places.map((place) => [place, place]))
  test.each(rowsOf(runtimes, ['Node', 'Deno']))(
    'is a 302 with the cookie in %s, and both arms are counted',
    async (_name, place) => {
      events.length = 0
      const url = (await startServer(place, { SVC_URL: `${address}/svc`, SVC_SDK_KEY: 'sdk_1' })).replace(
        'shop.localhost',
        '127.0.0.1',
      )
      const visit = (id: string, headers: Record<string, string> = {}) =>
        fetch(`${url}/pricing?a=1`, {
          redirect: 'manual',
          headers: { cookie: `svc_id=${id}`, 'user-agent': userAgent, ...headers },
        })
      const statuses: Record<string, number> = {}
      for (let index = 0; index < 20; index += 1) {
        const { status, headers } = await visit(`v-${index}`)
        statuses[`v-${index}`] = status
        expect(headers.get('location')).toBe(status === 302 ? 'https://shop.example/pricing-b?a=1' : null)
        if (status === 200) expect(headers.get('content-security-policy')).toContain(`connect-src ${address};`)
        expect(headers.get('set-cookie')).toBe(
          `svc_id=v-${index}; Path=/; Max-Age=31536000; Secure; SameSite=Lax; Domain=shop.example`,
        )
      }
      expect(await answerTo(url, '//', 'shop.example')).toContain(' 200 ')
      expect(await answerTo(url, '/pricing', 'a b')).toContain(' 400 ')
      const refused = await visit('refused', { 'sec-gpc': '1' })
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([
        200,
        'svc_id=; Path=/; Max-Age=0; Secure; SameSite=Lax; Domain=shop.example',
      ])
      // It sends what waits when it ends.
      await end(programs.at(-1)!)
      const arms = Object.fromEntries(
        events.map(({ unit, variationKey }) => [unit, variationKey === 'other' ? 302 : 200]),
      )
      expect(arms).toEqual(statuses)
      expect(new Set(Object.values(statuses))).toEqual(new Set([200, 302]))
      expect(events[0]!.context).toEqual({ visitor: 'known', userAgent })
    },
  )

  test('of a worker and its pages have the cookie, which no cache keeps; files have none', async () => {
    const file = join(folder, 'worker.js')
    const printed = (await readFile(file, 'utf8')).replace('http://127.0.0.1:4000', address)
    await writeFile(file, `${printed}\nexport { client }`)
    const { default: worker, client } = await import(file)
    try {
      const answers: Record<string, unknown[]> = {}
      for (const path of ['/pricing', '/plans.html', '/logo.png'])
        for (let index = 0; index < 20; index += 1) {
          const request = new Request(address + path, { headers: { cookie: `svc_id=v-${index}` } })
          const { status, headers } = await worker.fetch(request, {}, { waitUntil() {} })
          answers[`${path} ${status}`] = [headers.has('set-cookie'), headers.get('cache-control')]
        }
      expect(answers).toEqual({
        '/pricing 200': [false, null],
        '/pricing 302': [true, 'private, no-store'],
        '/plans.html 200': [true, 'private, no-store'],
        '/logo.png 200': [false, null],
      })
    } finally {
      await client.close()
    }
  })
})
