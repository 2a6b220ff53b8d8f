import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abTest } from '../packages/server/testing/flags.ts'
import { codeBlocks, sectionOf } from '../scripts/code-blocks.ts'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { cleanEnvironment, type OpenService, openService, root } from './service.ts'

const execute = promisify(execFile)
/** Reached only if a program hangs. */
const programLimitMs = 90_000
const guide = readFileSync(join(root, 'docs/openfeature.md'), 'utf8')
const blocksOf = (section: string) => codeBlocks(sectionOf(guide, section))
let service: OpenService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>

beforeAll(async () => {
  service = await openService()
  checkout = await makeNewCheckout(service)
  await service.call('POST', `${checkout.flagUrl}/run`)
})
afterAll(() => service?.stop())

/** A block with the address and a key of this service. */
const filled = (text: string, sdkKey: string) =>
  text.replaceAll('http://127.0.0.1:4000', service.url).replaceAll('sdk_…', sdkKey)

describe('the guide for servers', () => {
  const blocks = blocksOf('On the server')
  const programs = blocks.flatMap(({ language, text, line }, at) => {
    const next = blocks[at + 1]
    return language === 'js' ? [{ text, line, printed: next?.language === 'text' ? next.text : '' }] : []
  })

  it.each(programs)('has a program at line $line that prints the output below it', async ({ text, printed }) => {
    const { stdout, stderr } = await execute(
      process.execPath,
      ['--input-type=module', '--eval', filled(text, checkout.sdkKey)],
      { cwd: root, env: cleanEnvironment({}), timeout: programLimitMs },
    )
    expect(stdout).toBe(printed)
    // The program of the details asks for a flag that does not exist.
    expect(stderr.replace('Svc: the data file has no flag no-such-flag\n', '')).toBe('')
  })
})

describe('the guide for pages', () => {
  const [withProvider, withOfrep] = blocksOf('In a page').filter(({ language }) => language === 'js')
  let page: Page
  let site: Server
  let script = ''
  const complaints: string[] = []

  beforeAll(async () => {
    complaints.length = 0
    site = createServer(({ url }, response) => {
      const isScript = url === '/page.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(
        isScript ? script : '<!doctype html><title>none</title><script type="module" src="/page.js"></script>',
      )
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await page?.context().close()
    site?.close()
    site?.closeAllConnections()
  })

  /** Shows a page with this program. */
  async function show(program: string, prepare: (page: Page) => void = () => {}) {
    const entry = join(root, 'e2e/openfeature-block.js')
    const built = await build({
      ...{ root, configFile: false, logLevel: 'error' },
      plugins: [
        {
          name: 'block',
          enforce: 'pre',
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? program : null),
        },
      ],
      build: { write: false, target: 'esnext', rolldownOptions: { input: entry } },
    })
    const [output] = [built].flat()
    if (!output || !('output' in output)) throw new Error('nothing was built')
    script = output.output[0].code
    page = await (await sharedBrowser()).newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    prepare(page)
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  }

  it('has a program with our provider, which follows the switch', async () => {
    await show(filled(withProvider!.text, checkout.sdkKey))
    await expect.poll(() => page.title()).toBe('The new checkout')
    await service.call('POST', `${checkout.flagUrl}/pause`)
    await expect.poll(() => page.title()).toBe('The old checkout')
    await service.call('POST', `${checkout.flagUrl}/run`)
    await expect.poll(() => page.title()).toBe('The new checkout')
    await page.close()
    expect(complaints).toEqual([])
  })

  it('has a program with OFREP, which counts the visitor of a test', async () => {
    const environments = await service.call('GET', checkout.environmentUrl.replace(/\/[^/]+$/, ''))
    const { id, sdkKey } = environments.find(({ key }: { key: string }) => key === 'development')
    const flagUrl = checkout.flagUrl.replace(/[^/]+$/, id)
    await service.call('POST', `${flagUrl}/rules`, abTest('Half'))
    await service.call('POST', `${flagUrl}/run`)
    const sent: (string | null)[] = []
    const answered: number[] = []
    await show(filled(withOfrep!.text, sdkKey), (opened) => {
      opened.on('request', (request) => request.url().endsWith('/v1/events') && sent.push(request.postData()))
      opened.on('response', (response) => response.url().endsWith('/v1/events') && answered.push(response.status()))
    })
    await expect.poll(() => page.title()).toMatch(/^The (new|old) checkout$/)
    await expect.poll(() => answered).toEqual([202])
    const isNew = (await page.title()) === 'The new checkout'
    expect(JSON.parse(sent[0]!)).toMatchObject({
      sdkKey,
      events: [{ type: 'exposure', unit: 'u-17', flagKey: 'new-checkout', variationKey: isNew ? 'on' : 'off' }],
    })
    expect(complaints).toEqual([])
  })
})
