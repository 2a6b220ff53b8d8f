import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSnippets } from '../packages/dashboard/src/wings/flags/connect/snippets.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { output } from './output.ts'
import { commandOf } from './runtimes.ts'
import { cleanEnvironment, end, type RunningService, root, startService } from './service.ts'

const execute = promisify(execFile)
// Installing and building take a minute of their own on a busy machine.
const buildLimitMs = 600_000
const soon = { timeout: 20_000, interval: 50 }
const example = join(root, 'examples/next')

it('docs/nextjs.md shows the files of the example', async () => {
  const blocks = codeBlocks(await readFile(join(root, 'docs/nextjs.md'), 'utf8')).filter(({ language }) =>
    /^tsx?$/.test(language),
  )
  expect(blocks.length).toBeGreaterThan(5)
  for (const { text } of blocks) {
    const [, name = '', content] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
    expect(content, name).toBe(await readFile(join(example, name), 'utf8'))
  }
})

/** What the guide says about the oldest version that it names: other packages, and another name of the proxy. */
const oldest = {
  ...{ next: '14.2.35', react: '18.3.1', 'react-dom': '18.3.1' },
  ...{ '@types/react': '18.3.32', '@types/react-dom': '18.3.7', typescript: '5.9.3' },
}

async function asInOldest(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  const { dependencies, devDependencies, ...rest } = JSON.parse(await readFile(file, 'utf8'))
  const ofOldest = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries({ ...names, ...oldest }).filter(([name]) => name in names))
  const packages = { dependencies: ofOldest(dependencies), devDependencies: ofOldest(devDependencies) }
  await writeFile(file, JSON.stringify({ ...rest, ...packages }))
  const proxy = await readFile(join(folder, 'proxy.ts'), 'utf8')
  await writeFile(join(folder, 'middleware.ts'), proxy.replace('function proxy(', 'function middleware('))
  await rm(join(folder, 'proxy.ts'))
}

describe.each([
  { version: '16', prepare: async () => undefined },
  { version: '14', prepare: asInOldest },
])('the example in Next.js $version', ({ prepare }) => {
  let service: RunningService
  let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
  let folder: string
  let program: ChildProcess
  let url: string
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    complaints.length = 0
    service = await startService()
    checkout = await makeNewCheckout(service)
    // Outside of the repository: Next.js takes 370 MB, which nobody else should have to install.
    folder = await mkdtemp(join(tmpdir(), 'svc-next-'))
    await cp(example, folder, { recursive: true, filter: (path) => !/\/(?:node_modules|\.next)$/.test(path) })
    await prepare(folder)
    const env = {
      ...cleanEnvironment({ SVC_URL: service.url, SVC_SDK_KEY: checkout.sdkKey, NEXT_TELEMETRY_DISABLED: '1' }),
      // As an operator runs it, and not as a test.
      NODE_ENV: 'production',
    }
    await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
      cwd: join(root, 'packages/sdk'),
    })
    const packed = (await readdir(folder)).find((name) => /^svc-sdk-.*\.tgz$/.test(name))!
    await rename(join(folder, packed), join(folder, 'svc-sdk.tgz'))
    // The page that the dashboard offers, beside those of the example.
    await mkdir(join(folder, 'app/hello'))
    const connection = { baseUrl: service.url, sdkKey: checkout.sdkKey, flagKey: 'new-checkout' }
    const { code } = connectSnippets(connection).find(({ language }) => language === 'Next.js')!
    await writeFile(join(folder, 'app/hello/page.jsx'), code)
    await execute('npm', ['install', '--include=dev', '--no-audit', '--no-fund'], { cwd: folder, env })
    // The oldest Node that the SDK supports.
    const [node] = commandOf('Node 20')
    await execute(node!, ['node_modules/next/dist/bin/next', 'build'], { cwd: folder, env })
    program = spawn(node!, ['node_modules/next/dist/bin/next', 'start', '--port', '0'], {
      ...{ cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
    })
    const seen = output(program)
    await seen.until('Ready in', 60_000)
    url = /http:\/\/localhost:\d+/.exec(seen.text())![0]
    page = await (await (await sharedBrowser()).newContext()).newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (fault) => complaints.push(String(fault)))
    await page.route('**/favicon.ico', (route) => route.fulfill({ body: '' }))
  }, buildLimitMs)
  afterAll(async () => {
    await page?.context().close()
    if (program) await end(program)
    await service?.stop()
    if (folder) await rm(folder, { recursive: true })
  })

  it('gives a visitor an id, and renders both parts on the server', async () => {
    const response = await page.goto(url)
    const html = await response!.text()
    expect(html).toContain('<h1>The shop</h1>')
    expect(html).toMatch(/<button[^>]*>To the checkout<\/button>/)
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: 'visitor', httpOnly: true, sameSite: 'Lax' })
    await page.reload()
    expect((await page.context().cookies())[0]?.value).toBe(cookie?.value)
  })

  it('shows the flag on the page that the dashboard offers, before and after a switch', async () => {
    const shown = async () => (await fetch(`${url}/hello`)).text()
    expect(await shown()).toMatch(/new-checkout: (?:<!-- -->)?false/)
    await service.call('POST', `${checkout.flagUrl}/run`)
    await expect.poll(shown, soon).toMatch(/new-checkout: (?:<!-- -->)?true/)
    await service.call('POST', `${checkout.flagUrl}/pause`)
  })

  it('follows a change in the page by the stream, and on the server with the next request', async () => {
    await service.call('POST', `${checkout.flagUrl}/run`)
    await expect.poll(() => page.textContent('button'), soon).toBe('Buy now')
    const heading = async () => /<h1>([^<]*)<\/h1>/.exec(await (await fetch(url)).text())?.[1]
    await expect.poll(heading, { timeout: 60_000, interval: 500 }).toBe('The new shop')
    await page.reload()
    expect(await page.textContent('h1')).toBe('The new shop')
    expect(await page.textContent('button')).toBe('Buy now')
    expect(complaints).toEqual([])
  })
})
