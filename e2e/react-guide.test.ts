import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'tsdown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { datafileOf, flagOf } from '../packages/sdk/test/datafile.ts'
import { answerStatus, answerWith, startService } from '../packages/sdk/test/service.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { surroundings } from '../packages/server/testing/processes/surroundings.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { sharedBrowser } from './chromium.ts'
import { end, root } from './service.ts'

const { resolve } = createRequire(`${root}packages/dashboard/package.json`)
const soon = { timeout: 120_000, interval: 20 }
const allowOrigin = { 'access-control-allow-origin': '*' }
const flags = { 'new-checkout': flagOf(true), 'button-color': flagOf('green'), 'page-size': flagOf(20) }
let folder: string
let service: Awaited<ReturnType<typeof startService>>
let page: Page
let program: ChildProcess | undefined
const complaints: string[] = []

beforeAll(async () => {
  complaints.length = 0
  service = await startService((request, response) => {
    response.setHeaders(new Map(Object.entries(allowOrigin)))
    answerWith(datafileOf(5, flags))(request, response)
  })
  service.heartbeatAnswer = answerStatus(200, '{"success":true}', allowOrigin)
  // Inside of the repository, where the examples find the SDK.
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true })
  folder = await mkdtemp(join(root, 'node_modules/.cache/svc-react-guide-'))
  const blocks = codeBlocks(await readFile(join(root, 'docs/react.md'), 'utf8')).filter(
    ({ language }) => language === 'tsx',
  )
  for (const { text } of blocks) {
    const [, name = ''] = /^\/\/ (\w+\.tsx)$/m.exec(text) ?? []
    await writeFile(
      join(folder, name),
      text.replace('http://127.0.0.1:4000', service.baseUrl).replace('3000', 'process.env.PORT'),
    )
  }
  const common = {
    ...{ outDir: folder, cwd: root, config: false as const, dts: false, clean: false, format: 'esm' as const },
    ...{ logLevel: 'error' as const, deps: { alwaysBundle: [/./], neverBundle: [/^node:/] } },
    alias: Object.fromEntries(['react', 'react-dom'].map((name) => [name, dirname(resolve(`${name}/package.json`))])),
    define: { 'process.env.NODE_ENV': '"development"' },
    outExtensions: () => ({ js: '.js' }),
  }
  for (const name of ['main', 'product', 'patient', 'page'])
    await build({ ...common, entry: [join(folder, `${name}.tsx`)], platform: 'browser' })
  await build({
    ...common,
    entry: [join(folder, 'server.tsx')],
    platform: 'node',
    outExtensions: () => ({ js: '.mjs' }),
  })
  page = await (await sharedBrowser()).newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (fault) => complaints.push(String(fault)))
})
afterAll(async () => {
  if (program) await end(program)
  await page?.close()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['main', 'The new checkout'],
  ['patient', 'The new checkout'],
  ['product', 'Buy one of 20'],
])('the example %s shows the values of flags', async (name, shown) => {
  const html =
    '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/s.js"></script>'
  const site = createServer(async ({ url }, response) => {
    const isScript = url === '/s.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? await readFile(join(folder, `${name}.js`)) : html)
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await expect.poll(() => page.textContent('#root'), soon).toBe(shown)
  } finally {
    site.close()
    site.closeAllConnections()
  }
})

it('the server of the guide and its page agree', async () => {
  const port = await freePort()
  program = spawn(process.execPath, [join(folder, 'server.mjs')], {
    env: { ...surroundings(), PORT: String(port) },
  })
  const url = `http://127.0.0.1:${port}/`
  const html = () =>
    fetch(url).then(
      (answer) => answer.text(),
      () => '',
    )
  await expect.poll(html, soon).toMatch(/<h1>The new checkout<\/h1>/)
  await page.route('**/favicon.ico', (route) => route.fulfill({ body: '' }))
  await page.goto(url)
  await expect.poll(() => service.heartbeats.map(({ body }) => body.sdkType), soon).toContain('node')
  // React marks the elements that it has taken over.
  const marks = () => page.evaluate(() => Object.keys(document.querySelector('h1') ?? {}).length)
  await expect.poll(marks, soon).toBeGreaterThan(0)
  expect(await page.textContent('h1')).toBe('The new checkout')
  expect(complaints.filter((text) => !text.includes('React DevTools'))).toEqual([])
})
