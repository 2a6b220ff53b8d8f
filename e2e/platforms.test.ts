// Runs the programs of the pages about platforms exactly as they are printed there.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { sharedBrowser } from './chromium.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { commandOf, type places } from './runtimes.ts'
import { cleanEnvironment, end, type OpenService, openService, root } from './service.ts'

const execute = promisify(execFile)
// Reached only if a program hangs. Several start at once.
const started = { timeout: 300_000 }

const servers: { place: (typeof places)[number]; page: string; file: string }[] = [
  { place: 'Node', page: 'node', file: 'server.js' },
  { place: 'Node', page: 'node', file: 'old-server.cjs' },
  { place: 'Node 20', page: 'node', file: 'server.js' },
  { place: 'Node 20', page: 'node', file: 'old-server.cjs' },
  { place: 'Deno', page: 'deno', file: 'server.js' },
  { place: 'Bun', page: 'bun', file: 'server.js' },
]
const pages = ['node', 'deno', 'bun', 'browser', 'workers', 'serverless', 'react-native']

let service: OpenService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
let folder: string
let running: { program: ChildProcess; url: string }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-platforms-'))
  service = await openService()
  checkout = await makeNewCheckout(service)
  for (const page of pages) await writeFiles(page)
  running = await Promise.all(servers.map(start))
})
afterAll(async () => {
  await Promise.all(running.map(({ program }) => end(program)))
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A project with the files of a page, in which the SDK is installed. */
async function writeFiles(page: string): Promise<void> {
  const project = join(folder, page)
  await mkdir(join(project, 'node_modules/@svc'), { recursive: true })
  await symlink(join(root, 'packages/sdk'), join(project, 'node_modules/@svc/sdk'))
  await write(page, 'package.json', '{ "type": "module", "private": true, "dependencies": { "@svc/sdk": "*" } }')
  for (const { text } of codeBlocks(await readFile(join(root, `docs/${page}.md`), 'utf8'))) {
    const name = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (name !== undefined) await write(page, name, ofTest(text))
  }
}

/** The text with the address and the key of the test. */
const ofTest = (text: string): string =>
  text.replaceAll('http://127.0.0.1:4000', service.url).replaceAll('sdk_…', checkout.sdkKey)

async function write(page: string, name: string, text: string): Promise<void> {
  const path = join(folder, page, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const settings = () => cleanEnvironment({ SVC_SDK_KEY: checkout.sdkKey, SVC_URL: service.url })

async function start({ place, page, file }: (typeof servers)[number]) {
  const [runtime, ...parameters] = commandOf(place)
  const port = await freePort()
  const program = spawn(runtime!, [...parameters, file], {
    cwd: join(folder, page),
    env: { ...settings(), PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return { program, url: `http://127.0.0.1:${port}/?user=u-17` }
}

/** What a server answers; undefined if it does not listen yet. */
const answerOf = (index: number): Promise<string | undefined> =>
  fetch(running[index]!.url).then(
    (response) => response.text(),
    () => undefined,
  )

describe.each(servers.map((server, index) => ({ ...server, index })))('$file in $place', ({ index }) => {
  it('begins with the paused flag', () => expect.poll(() => answerOf(index), started).toBe('Checkout'))
})

describe('when the flag runs', () => {
  beforeAll(() => service.call('POST', `${checkout.flagUrl}/run?wait=5s`))

  it.each(servers.map((server, index) => ({ ...server, index })))(
    '$file in $place follows, and ends on a signal',
    async ({ index }) => {
      await expect.poll(() => answerOf(index), started).toBe('Express checkout')
      const { program } = running[index]!
      const ended = once(program, 'exit')
      program.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    },
  )

  // Both wait half a second for the flags, and a process that has just begun can take longer on a busy machine.
  it('a module for workers answers, and sends what waits', async () => {
    const caller = `
      import worker from './worker.js'
      const waiting = []
      const request = new Request('https://shop.example/?user=u-17')
      const response = await worker.fetch(request, {}, { waitUntil: (promise) => waiting.push(promise) })
      await Promise.all(waiting)
      console.log(await response.text(), waiting.length)`
    await expect.poll(() => run('workers', caller), started).toBe('Express checkout 1\n')
  })

  it('a handler of serverless functions answers several calls', async () => {
    const caller = `
      import { handler } from './handler.mjs'
      const answers = [await handler({ user: 'u-17' }), await handler({ user: 'u-18' })]
      console.log(answers.map(({ statusCode, body }) => statusCode + ' ' + body).join(', '))`
    await expect.poll(() => run('serverless', caller), started).toBe('200 Express checkout, 200 Express checkout\n')
  })

  it('a client of React Native reads a fetch without streamed bodies, and keeps the file in the storage', async () => {
    const storage = 'node_modules/@react-native-async-storage/async-storage'
    await write('react-native', `${storage}/package.json`, '{ "type": "module", "exports": "./index.js" }')
    await write(
      'react-native',
      `${storage}/index.js`,
      `export const kept = new Map()
export default { getItem: async (key) => kept.get(key) ?? null, setItem: async (key, text) => void kept.set(key, text) }`,
    )
    const caller = `
      const { fetch } = globalThis
      globalThis.fetch = async (url, init) => {
        const { status, ok, headers, ...response } = await fetch(url, init).then(async (given) => ({
          status: given.status, ok: given.ok, headers: given.headers, body: await given.text(),
        }))
        return { status, ok, headers, text: async () => response.body }
      }
      const { flags } = await import('./flags.js')
      const { kept } = await import('@react-native-async-storage/async-storage')
      const isReady = await flags.waitUntilReady()
      while (kept.size === 0) await new Promise((resolve) => setImmediate(resolve))
      console.log(isReady, flags.getBoolean('new-checkout', false), [...kept.values()][0].includes('new-checkout'))
      await flags.close()`
    expect(await run('react-native', caller)).toBe('true true true\n')
  })

  describe('a page', () => {
    let site: Server
    const files = new Map<string, [type: string, text: string]>()

    beforeAll(async () => {
      const blocks = codeBlocks(await readFile(join(root, 'docs/browser.md'), 'utf8'))
      files.set('/without', ['text/html', ofTest(blocks.find(({ language }) => language === 'html')!.text)])
      const outDir = join(folder, 'browser/dist')
      await build({
        ...{ entry: [join(folder, 'browser/page.js')], outDir, cwd: join(folder, 'browser'), config: false },
        ...{ format: 'esm', platform: 'browser', dts: false, logLevel: 'error', fixedExtension: false },
        deps: { alwaysBundle: [/./] },
      })
      files.set('/page.js', ['text/javascript', await readFile(join(outDir, 'page.js'), 'utf8')])
      const html = '<!doctype html><title>Shop</title><h1>Checkout</h1><script type="module" src="/page.js"></script>'
      files.set('/with', ['text/html', html])
      site = createServer(({ url = '' }, response) => {
        const [type, text] = files.get(url) ?? ['text/plain', '']
        response.setHeader('content-type', `${type}; charset=utf-8`).end(text)
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
    })
    afterAll(() => {
      site?.close()
      site?.closeAllConnections()
    })

    it.each(['without', 'with'])('reads the flag %s a bundler', async (how) => {
      const context = await (await sharedBrowser()).newContext()
      try {
        const page = await context.newPage()
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${how}`)
        await page.getByRole('heading', { name: 'Express checkout' }).waitFor()
      } finally {
        await context.close()
      }
    })
  })
})

/** Runs a program beside the files of a page, to its end. */
async function run(page: string, program: string): Promise<string> {
  await write(page, 'caller.mjs', program)
  const { stdout } = await execute(process.execPath, ['caller.mjs'], { cwd: join(folder, page), env: settings() })
  return stdout
}
