import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import type { DataFile } from '@svc/core'
import { readEngines } from '../../packages/server/src/http/files/web-engine.ts'
import type { ServedChange, ServedExperiment, WebDocument } from '../../packages/web/src/index.ts'
import { engineFor, scriptOf } from '../../packages/web/src/index.ts'
import { sharedBrowser } from '../chromium.ts'

const engines = readEngines()

/** An experiment that everybody sees, whose only variation has these changes. */
export const everywhere = (changes: ServedChange[], more: Partial<ServedExperiment> = {}): ServedExperiment => ({
  key: 'x1',
  activation: 'PAGE',
  activationSelector: null,
  applyAt: 'AUTO',
  pages: { all: { all: [] } },
  variations: { other: { css: [], changes, redirect: null, code: null } },
  ...more,
})

/** An experiment whose variation has the code of this number. */
export const coded = (number: number, more: Partial<ServedExperiment> = {}): ServedExperiment =>
  everywhere([{ type: 'TEXT', page: null, selector: 'h1', value: 'From € 9' }], {
    key: `x${number + 1}`,
    variations: {
      other: {
        ...{ css: [], redirect: null, code: number },
        changes: [{ type: 'TEXT', page: null, selector: 'h1', value: 'From € 9' }],
      },
    },
    ...more,
  })

/** A data file in which everybody gets `other` of each experiment, or half of them where `share` says so. */
export const fileOf = (experiments: readonly ServedExperiment[], share: number, rule: object = {}) => ({
  schemaVersion: 1,
  revision: 7,
  environment: { id: 'e', key: 'production' },
  flags: Object.fromEntries(
    experiments.map(({ key }) => [
      key,
      {
        type: 'STRING',
        enabled: true,
        defaultVariation: 'original',
        variations: { original: 'original', other: 'other' },
        rules: [
          {
            id: `rule-${key}`,
            type: 'AB_TEST',
            salt: key,
            split: [
              { variation: 'original', end: 10_000 - share },
              { variation: 'other', end: 10_000 },
            ],
            ...rule,
          },
        ],
      },
    ]),
  ),
})

export interface Site {
  page: Page
  context: BrowserContext
  /** The address of the site. `/bare` has no script. */
  site: string
  service: string
  /** What the page has sent, without the heartbeat. */
  events: Record<string, unknown>[]
  beats: Record<string, unknown>[]
  /** How many batches of events the service has refused. */
  readonly refused: number
  /** What the page has thrown. */
  errors: string[]
  open(path?: string): Promise<void>
  close(): Promise<void>
}

/** What a test can ask of its page. */
export interface PageOptions {
  /** What is in the body. */
  body?: string
  /** What is in the head, before the script. */
  head?: string
  /** Basis points of visitors who get the variation. Default: 10000. */
  share?: number
  /** More fields of the rules. */
  rule?: object
  /** How long the script takes. */
  delayMs?: number
  settings?: Partial<WebDocument['settings']>
  /** How many batches of events the service refuses before it takes one. */
  refuses?: number
  /** Its status then. Default: 503. */
  refusesWith?: number
  /** How long the service takes to answer what the page sends. */
  answerMs?: number
  goals?: WebDocument['goals']
  /** The code of variations, by the numbers that they name. */
  code?: string[]
  /** Whether the page has the script in it, and does not load it. */
  isInline?: boolean
  /** Headers of the page, by the address of the service. */
  headers?: (service: string) => Record<string, string>
  /** Whether the test changes its browser for good, such as its clock, and so needs one that no other test gets. */
  isAlone?: boolean
}

/**
 * Opens a page of a site whose script has these experiments. Site and service are servers of this test on hosts of their
 * own. What the service serves is tested elsewhere.
 */
export async function openPage(experiments: readonly ServedExperiment[], options: PageOptions = {}): Promise<Site> {
  const { body = '', head = '', delayMs = 0, headers, isAlone = false } = options
  const events: Site['events'] = []
  const beats: Site['beats'] = []
  let refused = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.host?.startsWith('shop.')) {
      const whole = options.isInline
        ? `<script>${scriptFor(service, experiments, options)}</script>`
        : `<script src="${service}/sdk/v1/web/sdk_page.js" crossorigin></script>`
      const tag = request.url === '/bare' ? '' : whole
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers?.(service) })
      response.end(
        `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:">${head}${tag}</head><body>${body}</body></html>`,
      )
      return
    }
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (request.method === 'GET') {
      await pause(delayMs)
      response.setHeader('content-type', 'text/javascript; charset=utf-8')
      response.end(scriptFor(service, experiments, options))
      return
    }
    const sent = JSON.parse(await text(request))
    await pause(options.answerMs ?? 0)
    if (sent.events && refused < (options.refuses ?? 0)) {
      refused += 1
      response.writeHead(options.refusesWith ?? 503, { location: '/' }).end()
      return
    }
    if (sent.events) events.push(...sent.events)
    else beats.push(sent)
    response.end('{"accepted":1,"duplicates":0,"rejected":[]}')
  }
  const { server, port } = await listen((request, response) => void answer(request, response))
  const [site, service] = ['shop', 'flags'].map((name) => `http://${name}.localhost:${port}`) as [string, string]

  const tab = (!isAlone && takeTab()) || (await newTab())
  const { page, context } = tab
  const errors: string[] = []
  const note = (error: Error) => void errors.push(error.message)
  page.on('pageerror', note)
  return {
    ...{ page, context, site, service, events, beats, errors },
    get refused() {
      return refused
    },
    open: async (path = '/') => void (await page.goto(`${site}${path}`)),
    async close() {
      page.off('pageerror', note)
      await (isAlone ? context.close() : giveBack(tab))
      server.closeAllConnections()
      server.close()
    },
  }
}

const used = new Set<number>()

/** A server at a port that no earlier page of this worker had, so that nothing is stored for its address. */
async function listen(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (!used.has(port)) {
    used.add(port)
    return { server, port }
  }
  try {
    return await listen(answer)
  } finally {
    server.close()
  }
}

interface Tab {
  context: BrowserContext
  page: Page
}

/**
 * The tab that the tests of a worker use one after another, while none of them does. A new one takes twice the processor
 * time of what most tests do in it.
 */
let free: Tab | undefined

function takeTab(): Tab | undefined {
  const tab = free
  free = undefined
  return tab?.page.isClosed() ? undefined : tab
}

async function newTab(): Promise<Tab> {
  const context = await newVisitor()
  return { context, page: await context.newPage() }
}

/** Leaves nothing of the visitor in the tab. What a page has stored stays at an address that no other page gets. */
async function giveBack(tab: Tab): Promise<void> {
  const { context, page } = tab
  try {
    await Promise.all(context.pages().map((each) => each !== page && each.close()))
    // Otherwise, one that the page has written could come after they are cleared.
    await cookiesOf(tab)
    await page.goto('about:blank')
    await page.evaluate(() => {
      window.name = ''
    })
    await context.clearCookies()
    free = tab
  } catch {
    // The page still goes elsewhere, or its test has closed it.
    await context.close()
  }
}

/** The cookies of a browser, among them those that its page has just handed over to it. */
export async function cookiesOf({ page, context }: Pick<Site, 'page' | 'context'>) {
  // The answer comes after everything that the page has written. A page without an address has no cookies.
  await page.evaluate(() => document.cookie).catch(() => undefined)
  return context.cookies()
}

/** A browser of its own, which no program seems to drive: nobody would be counted in it. */
export async function newVisitor(): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext()
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
  return context
}

/** The script of an environment with these experiments, as the service makes it. */
export function scriptFor(
  baseUrl: string,
  experiments: readonly ServedExperiment[],
  { share = 10_000, rule, settings, goals = [], code = [] }: PageOptions = {},
): string {
  const web: WebDocument = {
    schemaVersion: 1,
    revision: 7,
    settings: {
      consent: 'NOT_REQUIRED',
      pending: 'HOLD',
      privacy: true,
      maxDelayMs: 2000,
      cookieDomain: null,
      ...settings,
    },
    experiments: [...experiments],
    goals,
  }
  const file = fileOf(experiments, share, rule)
  const content = { baseUrl, sdkKey: 'sdk_page', file: JSON.stringify(file), web: JSON.stringify(web) }
  const functions = code.map((js, number) => ({ js, version: `version${number}` }))
  return scriptOf(engineFor(engines, file as unknown as DataFile, web), { ...content, code: functions })
}
