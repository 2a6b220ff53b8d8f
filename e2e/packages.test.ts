import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compile } from './compiler.ts'
import { commandOf } from './runtimes.ts'
import { cleanEnvironment, type OpenService, openService, root } from './service.ts'

const execute = promisify(execFile)
let service: OpenService
let folder: string
/** A project outside this repository. */
let project: string
let env: Record<string, string | undefined>

const run = (command: string, args: string[]) => execute(command, args, { cwd: project, env })

beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'svc-packages-'))
  project = join(folder, 'shop')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  env = {
    ...cleanEnvironment({
      SVC_URL: service.url,
      SVC_TOKEN: service.token,
      SVC_PROJECT: 'shop',
      XDG_CONFIG_HOME: folder,
    }),
    npm_config_cache: join(folder, 'cache'),
    // Nothing listens there: the service alone must be enough.
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_fetch_retries: '0',
  }
  const addresses = ['sdk', 'cli'].map((name) => `${service.url}/packages/svc-${name}.tgz`)
  await run('npm', ['install', '--no-audit', '--no-fund', ...addresses])
})
afterAll(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true })
})

it('npm installs the command line, which is of the same version and manages the service', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8'))
  expect((await run('npx', ['--no-install', 'svc', '--version'])).stdout).toContain(version)
  await service.call('POST', '/api/v1/projects', { name: 'Shop', key: 'shop' })
  await run('npx', ['--no-install', 'svc', 'flag', 'create', 'checkout'])
})

it('svc is one packed file that runs elsewhere, on Node 20 too', async () => {
  const installed = join(project, 'node_modules/@svc/cli')
  expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'svc.js'])
  expect(await readdir(join(installed, 'dist'))).toEqual(['svc.js'])
  expect(await readdir(join(project, 'node_modules'))).not.toContain('openapi-fetch')
  for (const place of ['Node', 'Node 20'] as const) {
    const [node, ...args] = commandOf(place)
    const { stdout, stderr } = await run(node!, [...args, join(installed, 'svc.js'), 'flag', 'list', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ key: 'checkout', type: 'BOOLEAN' }])
    expect(stderr).toBe('')
  }
})

it('npm installs the SDK, with which a TypeScript program compiles and runs, on Node 20 too', async () => {
  const [environment] = await service.call('GET', '/api/v1/projects/shop/environments')
  const shop = `import { createClient, type Details } from '@svc/sdk'

const client = createClient({ sdkKey: '${environment.sdkKey}', baseUrl: '${service.url}' })
await client.waitUntilReady({ timeoutMs: 30_000 })
const details: Details<boolean> = client.getDetails('checkout', true, { targetingKey: 'u-17' })
console.log(JSON.stringify([details.value, details.reason]))
await client.close()
`
  await writeFile(join(project, 'shop.ts'), shop)
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
  expect(compile(project)).toBe('')
  for (const place of ['Node', 'Node 20'] as const) {
    const [node, ...args] = commandOf(place)
    expect(JSON.parse((await run(node!, [...args, 'shop.js'])).stdout)).toEqual([false, 'DISABLED'])
  }
})
