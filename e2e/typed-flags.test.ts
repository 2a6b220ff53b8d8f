import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../packages/cli/testing/run-svc.ts'
import { type CodeBlock, codeBlocks } from '../scripts/code-blocks.ts'
import { compile } from './compiler.ts'
import { type OpenService, openService, root } from './service.ts'
import { openShell, type Shell, withPrograms } from './shell.ts'

const execute = promisify(execFile)
let service: OpenService
let desk: Desk
let token: string

beforeAll(async () => {
  service = await openService()
  token = service.token
  for (const key of ['guide', 'cleaning', 'web-shop'])
    await service.call('POST', '/api/v1/projects', { name: key, key })
  desk = openDesk({ SVC_URL: service.url, SVC_TOKEN: token, SVC_PROJECT: 'web-shop', SVC_ENV: 'development' })
})
afterAll(async () => {
  desk?.remove()
  await service?.stop()
})

/** A folder with the packages of the repository, as after an installation. */
async function folderOf(name: string): Promise<string> {
  const folder = join(desk.home, name)
  await mkdir(join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const openIn = async (folder: string, project: string): Promise<Shell> => {
  const shell = openShell({
    ...{ SVC_URL: service.url, SVC_TOKEN: token, SVC_PROJECT: project, SVC_ENV: 'development' },
    ...withPrograms,
  })
  await shell.run(`cd "${folder}"`)
  return shell
}

const blocksOf = async (page: string) => codeBlocks(await readFile(join(root, 'docs', page), 'utf8'))
/** The file that a block names in its first line. */
const fileOf = ({ text }: CodeBlock) => /^\/\/ (src\/\S+)\n/.exec(text)?.[1]

it('docs/typed-flags.md leads to a typed flag in a program of its own', async () => {
  const folder = await folderOf('guide')
  const shell = await openIn(folder, 'guide')
  let printed = ''
  let shown = 0
  try {
    for (const block of await blocksOf('typed-flags.md')) {
      const { language, text, line } = block
      const where = `docs/typed-flags.md:${line}`
      const file = fileOf(block)
      if (language === 'sh') {
        // The compiler runs in this process, which has read the packages for the other programs, too.
        if (text.includes('npx tsc\n')) expect(compile(folder), where).toBe('')
        printed += (await shell.run(text.replace('npx tsc\n', ''))).printed()
      } else if (language === 'json')
        await writeFile(join(folder, text.includes('compilerOptions') ? 'tsconfig.json' : 'svc.json'), text)
      else if (file === 'src/typo.ts') {
        await writeFile(join(folder, file), text)
        shown += 1
      } else if (file) await writeFile(join(folder, file), text)
      else if (language === 'ts') {
        expect(await readFile(join(folder, 'src/flags.ts'), 'utf8'), where).toBe(text)
        shown += 1
      } else if (text.includes('error TS')) {
        expect(compile(folder), where).toBe(text)
        await writeFile(join(folder, 'src/typo.ts'), '')
        shown += 1
      }
    }
    expect(printed).toContain('rows 10\n')
    expect(shown).toBe(3)
    // Now with the React file. A bundler's resolution, because that file names no ending.
    const settings = JSON.parse(await readFile(join(folder, 'tsconfig.json'), 'utf8'))
    Object.assign(settings.compilerOptions, { module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' })
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(join(folder, 'src/page.tsx'), page)
    const wrong = "import { useIs } from './flags.react'\nuseIs('page-size', 'short')\n"
    await writeFile(join(folder, 'src/wrong.tsx'), wrong)
    expect(compile(folder).split(/\n(?=\S)/)).toEqual([
      expect.stringMatching(/^src\/wrong\.tsx.* '"short"' is not assignable to parameter/),
    ])
    const render = await rendererIn(folder)
    const { sdkKey } = await service.call('GET', '/api/v1/projects/guide/environments/development')
    expect(await render(service.url)).toBe('<p>Pay now</p><p>10</p><p> <!-- -->ERROR</p><p>long</p>')
    expect(await render(service.url, sdkKey)).toBe(
      '<p>Pay now</p><p>10</p><p>small<!-- --> <!-- -->DEFAULT</p><p>long</p>',
    )
    await shell.run('svc flag set checkout-copy --default short && svc flag set page-size --default large')
    await shell.run('svc publish && svc flag run checkout-copy')
    expect(await render(service.url, sdkKey)).toBe(
      '<p>Buy</p><p>50</p><p>large<!-- --> <!-- -->DEFAULT</p><p>short</p>',
    )
  } finally {
    shell.close()
  }
})

/** A page that reads flags by the generated hooks. */
const page = `import { createClient } from '@svc/sdk'
import { SvcProvider } from '@svc/sdk/react'
import { renderToString } from 'react-dom/server'
import { useFlag, useFlagDetails, useIs } from './flags.react'

function Shop() {
  const { variationKey, reason } = useFlagDetails('page-size')
  return (
    <>
      <p>{useFlag('checkout-copy')}</p>
      <p>{useFlag('page-size')}</p>
      <p>
        {variationKey} {reason}
      </p>
      <p>{useIs('checkout-copy', 'short') ? 'short' : 'long'}</p>
    </>
  )
}

export async function render(baseUrl: string, sdkKey?: string): Promise<string> {
  const client = createClient({ sdkKey: sdkKey ?? 'sdk_1', baseUrl, offline: sdkKey === undefined })
  if (sdkKey !== undefined) await client.waitUntilReady({ timeoutMs: 60_000 })
  const html = renderToString(
    <SvcProvider client={client} context={{ targetingKey: 'u-17' }}>
      <Shop />
    </SvcProvider>,
  )
  await client.close()
  return html
}
`

/** Bundles that page as a program would, with one React. */
async function rendererIn(folder: string): Promise<(baseUrl: string, sdkKey?: string) => Promise<string>> {
  const { resolve } = createRequire(join(root, 'packages/sdk/package.json'))
  const packages = ['react', 'react-dom'].map((name) => [name, dirname(resolve(`${name}/package.json`))])
  await build({
    ...{ entry: ['src/page.tsx'], cwd: folder, outDir: join(folder, 'dist'), config: false, dts: false },
    ...{ format: 'esm', platform: 'node', logLevel: 'error', outExtensions: () => ({ js: '.mjs' }) },
    deps: { alwaysBundle: [/./], neverBundle: [/^node:/] },
    alias: Object.fromEntries(packages),
  })
  return (await import(pathToFileURL(join(folder, 'dist/page.mjs')).href)).render
}

it('docs/stale-flags.md finds what its files name', async () => {
  const folder = await folderOf('cleaning')
  await writeFile(
    join(folder, 'src/shop.ts'),
    ['// shop', "const size = 'theme'", "flags.get('old-banner')", "client.getBoolean('new-chekout', false)", ''].join(
      '\n',
    ),
  )
  const inProject = { env: { SVC_PROJECT: 'cleaning' } }
  for (const key of ['old-banner', 'theme', 'page-size'])
    expect(await desk.svc(['flag', 'create', key], inProject)).toMatchObject({ exitCode: 0 })
  expect(await desk.svc(['flag', 'archive', 'old-banner', '--yes'], inProject)).toMatchObject({ exitCode: 0 })
  const shell = await openIn(folder, 'cleaning')
  try {
    let printed = ''
    let compared = 0
    for (const { language, text } of await blocksOf('stale-flags.md')) {
      if (language === 'sh') printed = (await shell.run(text)).printed()
      if (language !== 'text' || !text.startsWith('Archived')) continue
      expect(printed).toBe(text)
      compared += 1
    }
    expect(compared).toBe(1)
  } finally {
    shell.close()
  }
  const { stdout } = await desk.svc(['flag', 'get', 'page-size', '--json'], inProject)
  expect(JSON.parse(stdout).status).toBe('ARCHIVED')
})

describe('svc generate', () => {
  const svc = (...args: string[]) => desk.svc(args)

  it('prints, writes, compares and leaves archived flags out', async () => {
    for (const key of ['one', 'two']) await svc('flag', 'create', key)
    await svc('flag', 'archive', 'two', '--yes')
    await service.call('POST', '/api/v1/projects/web-shop/flags', {
      ...{ key: 'theme', name: 'Theme', type: 'JSON', defaultVariationKey: 'light' },
      valueSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
      variations: ['light', 'dark'].map((key) => ({ key, name: key, value: `{"color":"${key}"}` })),
    })
    const { stdout } = await svc('generate')
    expect(stdout).toContain("  theme: { value: { readonly color: string }; variation: 'light' | 'dark' }\n")
    expect(stdout).toMatch(/^\/\/ Generated by svc generate from web-shop\. Do not edit\.\n/)
    expect(stdout).toContain("  one: { value: boolean; variation: 'on' | 'off' }\n")
    expect(stdout).not.toContain('two')
    const written = await svc('generate', '--out', 'app/flags.ts', '--react', 'app/hooks/flags.ts', '--json')
    expect(JSON.parse(written.stdout)).toEqual([
      { path: 'app/flags.ts', changed: true },
      { path: 'app/hooks/flags.ts', changed: true },
    ])
    expect(await readFile(join(desk.home, 'app/flags.ts'), 'utf8')).toBe(stdout)
    expect(await readFile(join(desk.home, 'app/hooks/flags.ts'), 'utf8')).toContain("from '../flags'")
    const check = ['generate', '--out', 'app/flags.ts', '--check']
    expect(await svc(...check)).toMatchObject({ exitCode: 0, stderr: 'app/flags.ts is up to date.\n' })
    await svc('flag', 'unarchive', 'two')
    expect(await svc(...check)).toMatchObject({
      exitCode: 1,
      stderr: 'svc: app/flags.ts is not up to date. Run svc generate (different).\n',
    })
    expect(await readFile(join(desk.home, 'app/flags.ts'), 'utf8')).toBe(stdout)
    // Git on Windows may have changed the ends of lines.
    await svc('generate', '--out', 'app/flags.ts')
    await writeFile(
      join(desk.home, 'app/flags.ts'),
      (await readFile(join(desk.home, 'app/flags.ts'), 'utf8')).replaceAll('\n', '\r\n'),
    )
    expect(await svc(...check)).toMatchObject({ exitCode: 0 })
  })

  it('says what is missing', async () => {
    expect(await svc('generate', '--check')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--check requires --out FILE'),
    })
    expect(await svc('generate', '--react', 'x.ts')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await svc('generate', '-p', 'nowhere')).toMatchObject({ exitCode: 4 })
  })

  it('prints the same from a file of svc export, without a service and a token', async () => {
    await svc('flag', 'create', 'page-size', '--type', 'NUMBER', '--variation', 'small=10', '--variation', 'large=50')
    const { stdout: exported } = await svc('export')
    await writeFile(join(desk.home, 'svc.yaml'), exported)
    // Nothing listens there.
    const env = { SVC_URL: 'http://127.0.0.1:1', SVC_TOKEN: '', SVC_PROJECT: '' }
    const offline = (...args: string[]) => desk.svc(['generate', ...args], { env })
    const { stdout: expected } = await svc('generate')
    expect(expected).toContain("'page-size': { value: number; variation: 'small' | 'large' }")
    expect(await offline('--from', 'svc.yaml')).toEqual({ exitCode: 0, stdout: expected, stderr: '' })
    const piped = await desk.svc(['generate', '--from', '-', '--out', 'piped.ts'], { env, input: exported })
    expect(piped).toMatchObject({ exitCode: 0, stderr: 'piped.ts is written.\n' })
    await writeFile(join(desk.home, 'svc.yaml'), exported.replace('page-size:', 'page-length:'))
    expect(await offline('--from', 'svc.yaml', '--out', 'piped.ts', '--check')).toMatchObject({ exitCode: 1 })
    expect(await svc('flag', 'delete', 'page-size', '--yes')).toMatchObject({ exitCode: 0 })
  })

  it.each([
    ['version: 1\nsegments: {}\n', 2, 'flags.yaml has no flags'],
    ['version: 1\nflags: {}\n', 2, 'A project is required. Use --project'],
    ['version: 1\nflags: []\n', 2, 'flags.yaml:2:1 flags must be an object'],
  ])('refuses the file %j', async (content, exitCode, message) => {
    await writeFile(join(desk.home, 'flags.yaml'), content)
    const refused = await desk.svc(['generate', '--from', 'flags.yaml'], { env: { SVC_PROJECT: '' } })
    expect(refused).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(message) })
  })

  it('finds its files from svc.json, from a folder below it', async () => {
    const folder = join(desk.home, 'repository')
    await mkdir(join(folder, '.git'), { recursive: true })
    await mkdir(join(folder, 'deep'))
    await writeFile(join(folder, 'svc.json'), '{ "generate": { "out": "src/flags.ts" } }')
    const { exitCode, stderr } = await desk.svc(['generate'], { cwd: join(folder, 'deep') })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '../src/flags.ts is written.\n' })
    expect(await readFile(join(folder, 'src/flags.ts'), 'utf8')).toContain('createFlags')
  })
})

describe('svc references', () => {
  it('searches the files that Git tracks or would add, reads svc.json, and fails when asked to', async () => {
    const folder = join(desk.home, 'code')
    const put = async (path: string, text: string | Buffer) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await put('.gitignore', 'ignored.ts\n')
    await put('ignored.ts', "getBoolean('nobody')")
    await put('src/a.ts', "isOn('one')")
    await put('src/b.snap', "getBoolean('in-a-snapshot')")
    await put('other/c.ts', "getBoolean('elsewhere')")
    await put('src/flags.ts', "// Generated by svc generate from web-shop. Do not edit.\nget('generated')")
    await put('src/picture.bin', Buffer.from("\0 getBoolean('binary')"))
    await put('src/large.txt', `${' '.repeat(1024 * 1024)} getBoolean('large')`)
    const settings = { references: { include: ['src'], exclude: ['**/*.snap'], calls: ['isOn($key)'] } }
    await put('svc.json', JSON.stringify(settings))
    await execute('git', ['init', '--quiet'], { cwd: folder })
    const svc = (...args: string[]) => desk.svc(['references', ...args], { cwd: folder })
    const { stdout } = await svc('--json')
    const found = JSON.parse(stdout)
    expect(found.unknown).toEqual([])
    expect(found.flags.find(({ key }: { key: string }) => key === 'one')).toEqual({
      ...{ key: 'one', status: 'DRAFT', stale: false },
      references: [{ path: 'src/a.ts', line: 1, column: 7 }],
    })
    expect(await svc('--check')).toMatchObject({ exitCode: 0 })
    expect(await svc('--fail-on', 'unreferenced')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Flags and code differ: 2 unreferenced (different).'),
    })
    await put('src/a.ts', "isOn('onne')")
    const failed = await svc('--check')
    expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('1 unknown') })
    expect(failed.stdout).toContain('Unknown: no flag has this key\n  onne  src/a.ts:1\n')
  })

  it.each([
    [['--fail-on', 'archived'], '--fail-on must be stale, unreferenced or both (got archived)'],
    [['no-such-folder'], 'no-such-folder is not a folder'],
  ])('refuses %j', async (args, message) => {
    expect(await desk.svc(['references', ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    })
  })

  it('refuses a call that it cannot read', async () => {
    const folder = join(desk.home, 'malformed')
    await mkdir(folder)
    await writeFile(join(folder, 'svc.json'), '{ "references": { "calls": ["isOn"] } }')
    expect(await desk.svc(['references'], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('references.calls must be like isOn($key) (got isOn)'),
    })
  })
})
