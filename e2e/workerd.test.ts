// Runs the module of docs/workers.md in workerd, the runtime of Cloudflare Workers.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'tsdown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { type RunningService, root, startService } from './service.ts'

const execute = promisify(execFile)
/** It names the versions of all that it needs, workerd included. */
const miniflare = 'miniflare@4.20260730.0'
const installLimitMs = 300_000

interface Miniflare {
  dispatchFetch(url: string): Promise<{ text(): Promise<string> }>
  dispose(): Promise<void>
}

let service: RunningService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
let folder: string
let worker: Miniflare

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-workerd-'))
  service = await startService()
  checkout = await makeNewCheckout(service)
  await mkdir(join(folder, 'node_modules/@svc'), { recursive: true })
  // Outside of the repository: it takes 150 MB, which nobody else should have to install.
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  await execute('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', miniflare], { cwd: folder })
  await symlink(join(root, 'packages/sdk'), join(folder, 'node_modules/@svc/sdk'))
  const [block] = codeBlocks(await readFile(join(root, 'docs/workers.md'), 'utf8'))
  const module = block!.text.replaceAll('http://127.0.0.1:4000', service.url).replaceAll('sdk_…', checkout.sdkKey)
  await writeFile(join(folder, 'worker.js'), module)
  await build({
    ...{ entry: [join(folder, 'worker.js')], outDir: join(folder, 'dist'), cwd: folder, config: false },
    ...{ format: 'esm', platform: 'neutral', dts: false, logLevel: 'error', fixedExtension: false },
    deps: { alwaysBundle: [/./] },
  })
  const { Miniflare: Worker } = await import(
    pathToFileURL(join(folder, 'node_modules/miniflare/dist/src/index.js')).href
  )
  const contents = await readFile(join(folder, 'dist/worker.js'), 'utf8')
  worker = new Worker({
    modules: [{ type: 'ESModule', path: 'worker.js', contents }],
    compatibilityDate: '2026-07-01',
  })
}, installLimitMs)
afterAll(async () => {
  await service?.stop()
  await worker?.dispose()
  await rm(folder, { recursive: true, force: true })
})

const answer = async (user: string) => (await worker.dispatchFetch(`https://shop.example/?user=${user}`)).text()

it('the module reads the flag with its first request, follows a switch, and its visitors are counted', async () => {
  expect(await answer('u-1')).toBe('Checkout')
  const projectUrl = checkout.flagUrl.replace(/\/flags\/.*/, '')
  const results = await measure(projectUrl)
  await expect.poll(() => answer('u-1'), { timeout: 60_000, interval: 500 }).toBe('Express checkout')
  for (const user of ['u-2', 'u-3']) expect(await answer(user)).toBe('Express checkout')
  await expect.poll(async () => (await service.call('POST', `${results}/refresh`)).units.total).toBe(3)
})

/** Runs the flag with exposures for everybody. */
async function measure(projectUrl: string): Promise<string> {
  const rules = `${checkout.flagUrl}/rules`
  const { id } = await service.call('POST', rules, {
    ...{ type: 'TARGETED_DELIVERY', name: 'Counted', variationKey: 'on', exposures: true, position: 0 },
  })
  await service.call('POST', `${checkout.flagUrl}/run?wait=5s`)
  const [, flagId] = /\/flags\/([^/]+)/.exec(checkout.flagUrl)!
  return `${projectUrl}/flags/${flagId}/rules/${id}/results`
}
