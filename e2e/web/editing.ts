import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { callInPage, prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import type { openSite } from '../dashboard/site.ts'

/** The frame of the editor on a page, when it has read the experiment with this name. */
export async function frameOf(page: Page, experiment: string): Promise<Frame> {
  const isFrame = (each: Frame) => each.url().includes('/web/editor/')
  await expect.poll(() => page.frames().some(isFrame)).toBe(true)
  const frame = page.frames().find(isFrame)!
  await frame.getByRole('heading', { name: experiment }).waitFor()
  return frame
}

const name = 'Price in the headline'
const body = `<main><h1 id="title">Our plans</h1>
  <section id="hero"><p class="lead">For everybody</p><a class="cta" href="/sign-up">Sign up</a></section>
  <ul><li data-testid="first">One</li><li data-testid="second">Two</li></ul>
  <form><label>Name <input name="person" value="secret"></label></form></main>`

/** What the page of a person who edits has. */
export interface Opened {
  page: Page
  /** What the page and the frame have complained of. */
  complaints: string[]
  /** The session of the editor. */
  sessionId: string
}

/**
 * A shop whose pages have the strictest policies, and an experiment on it that people edit. Call it at the top of a file,
 * after `openSite`. After each test, its page is closed and the draft is empty.
 */
export function openShop(site: ReturnType<typeof openSite>) {
  let server: Server
  let address: string
  let experiment: string
  let dashboard: string
  let orgId: string
  let sdkKey: string
  let owner: Page
  let opened: Page | undefined
  const send = (method: string, path: string, sent?: object) => prepare(site.service.url, method, path, sent)
  const changes = () => `${experiment}/variations/price/changes`
  const save = (drafted: object[], css: string | null = null) => send('PUT', changes(), { changes: drafted, css })

  beforeAll(async () => {
    owner = (await site.visit(ada)).page
    const { url } = site.service
    server = createServer((request, response) => {
      response.writeHead(200, headersOf(url, request.url ?? ''))
      response.end(
        `<!doctype html><title>Shop</title><link rel="icon" href="data:"><script src="${url}/sdk/v1/web/${sdkKey}.js" crossorigin></script>${body}`,
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://shop.localhost:${(server.address() as AddressInfo).port}`
    const project = await send('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
    const base = `/api/v1/projects/${project.id}`
    await send('PUT', `${base}/web-settings`, { hosts: ['shop.localhost'] })
    const environments = await send('GET', `${base}/environments`)
    sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
    const conditions = { attribute: 'page.path', operator: 'equals', value: '/pricing' }
    const made = await send('POST', `${base}/experiments`, {
      name,
      pages: [{ key: 'pricing', name: 'Pricing', url: `${address}/pricing`, conditions }],
      variations: [
        { key: 'original', name: 'Original', weight: 5000 },
        { key: 'price', name: 'With price', weight: 5000 },
      ],
    })
    experiment = `${base}/experiments/${made.id}`
    dashboard = `/api/dashboard/projects/${project.id}/experiments/${made.id}`
    orgId = project.organizationId ?? (await send('GET', '/api/v1/organization')).id
  })
  afterAll(() => {
    server?.close()
    server?.closeAllConnections()
  })
  afterEach(async () => {
    await opened?.context().close()
    opened = undefined
    await save([])
  })

  return {
    save,
    /** Does something with the experiment as a program, such as to launch it. */
    experiment: (method: string, path: string, sent?: object) => send(method, `${experiment}${path}`, sent),
    /** The address of the page that people edit. */
    address: () => `${address}/pricing`,
    drafted: async () => (await send('GET', changes())).changes,
    /** Calls the service as the person in the dashboard. */
    call: (method: string, path: string, sent?: object) =>
      callInPage(owner, orgId, method, `${dashboard}${path}`, sent),
    /** A person opens the editor on a page of the shop, in a browser that knows nothing of the service. */
    async open(path = '/pricing', prepared: (page: Page) => unknown = () => undefined): Promise<Opened> {
      const answer = await callInPage(owner, orgId, 'POST', `${dashboard}/editor-sessions`, {
        variationKey: 'price',
        url: `${address}${path}`,
      })
      expect(answer.status).toBe(201)
      const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      opened = page
      await prepared(page)
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(answer.body.data.url)
      return { page, complaints, sessionId: answer.body.data.id }
    },
    frameOf: (page: Page) => frameOf(page, name),
  }
}

/** The strictest policies that a page can have. */
const headersOf = (service: string, path: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src data:; script-src ${service}; connect-src ${service}; ${path === '/no-frames' ? '' : `frame-src ${service};`} require-trusted-types-for 'script'; trusted-types 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'x-frame-options': 'DENY',
  ...(path === '/reported-frames' && { 'content-security-policy-report-only': "frame-src 'none'" }),
})
