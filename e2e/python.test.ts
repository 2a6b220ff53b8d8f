// The Python client with the running service: it follows switches, counts visitors and survives the service.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../packages/sdk/src/client.ts'
import { fileStore } from '../packages/sdk/src/file-store.ts'
import { deliveryOf } from '../packages/sdk/test/delivery.ts'
import { rowsOf } from '../packages/server/testing/full.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { pythonWithPip } from '../scripts/python.ts'
import { makeNewCheckout } from './new-checkout.ts'
import { type Output, output } from './output.ts'
import { cleanEnvironment, end, type OpenService, openService, root } from './service.ts'

const execute = promisify(execFile)
// Reached only if something hangs.
const limitMs = 300_000
const sources = join(root, 'clients/python')
const guide = codeBlocks(readFileSync(join(root, 'docs/python.md'), 'utf8')).filter(
  ({ language }) => language === 'python',
)
const version = /"(.+)"/.exec(readFileSync(join(sources, 'src/svc_sdk/_version.py'), 'utf8').split('\n').at(-2)!)![1]
let folder: string
let service: OpenService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
const programs: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-python-'))
  service = await openService()
  checkout = await makeNewCheckout(service)
})
afterEach(() => Promise.all(programs.splice(0).map(end)))
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const environment = () =>
  cleanEnvironment({ PYTHONPATH: join(sources, 'src'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1', TMPDIR: folder })

/** Starts a program that begins with a client. */
function start(program: string, options = ''): Output {
  const source = `import json, sys, threading
from svc_sdk import Client, FileStore

client = Client("${checkout.sdkKey}", "${service.url}"${options})
tell = lambda *words: print(*words, flush=True)
${program}`
  const child = spawn('python3', ['-c', source], { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] })
  programs.push(child)
  return output(child)
}

/** Runs a program to its end and returns its output. */
async function run(program: string, env: NodeJS.ProcessEnv = environment()): Promise<string> {
  const { stdout, stderr } = await execute('python3', ['-c', program], { env, timeout: limitMs })
  expect(stderr).toBe('')
  return stdout
}

const follow = `
show = lambda _event: tell("revision", client.revision, client.get_boolean("new-checkout", False, {"targetingKey": "u-17"}))
client.on("ready", show)
client.on("change", show)
client.on("status", lambda status: tell("status", status))
threading.Event().wait()`

describe('a program that follows', () => {
  it.each([
    // The interval is longer than this test, so that a change came by the stream.
    ['the stream', ', poll_interval=600'],
    ['its polls', ', stream=False, poll_interval=1'],
  ])('%s sees the flag run and pause', async (_name, options) => {
    const printed = start(follow, options)
    await printed.until('False\n', limitMs)
    const { dataFile } = await service.call('POST', `${checkout.flagUrl}/run`)
    await printed.until(`revision ${dataFile.revision} True\n`, limitMs)
    const paused = await service.call('POST', `${checkout.flagUrl}/pause`)
    await printed.until(`revision ${paused.dataFile.revision} False\n`, limitMs)
  })

  it('is an instance of the environment, and the service knows its revision', async () => {
    await start(follow).until('False\n', limitMs)
    await expect
      .poll(async () => (await service.call('GET', checkout.environmentUrl)).sdks, { timeout: limitMs })
      .toMatchObject(expect.arrayContaining([expect.objectContaining({ type: 'python' })]))
    await expect
      .poll(() => service.call('GET', `${checkout.environmentUrl}/clients?state=UP_TO_DATE`), { timeout: limitMs })
      .toContainEqual(expect.objectContaining({ sdkType: 'python', sdkVersion: version }))
  })
})

describe('an A/B test', () => {
  const visitors = Array.from({ length: 200 }, (_, i) => ({
    targetingKey: `u-${i}`,
    country: i % 3 ? 'NL' : 'BE',
    n: i / 7,
  }))
  let flagUrl: string
  let ruleId: string

  beforeAll(async () => {
    const projectUrl = checkout.environmentUrl.replace(/\/environments\/.*$/, '')
    const environmentId = checkout.environmentUrl.split('/').at(-1)
    const flag = await service.call('POST', `${projectUrl}/flags`, {
      ...{ key: 'copy', name: 'Copy', type: 'STRING', defaultVariationKey: 'pay' },
      variations: ['pay', 'buy', 'order'].map((key) => ({ key, name: key, value: `${key} now` })),
    })
    flagUrl = `${projectUrl}/flags/${flag.id}`
    const rule = await service.call('POST', `${flagUrl}/envs/${environmentId}/rules`, {
      ...{ type: 'AB_TEST', name: 'Words', baselineVariationKey: 'pay' },
      conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'DE'] }] },
      variations: [
        { variationKey: 'pay', weight: 3_400 },
        { variationKey: 'buy', weight: 3_300 },
        { variationKey: 'order', weight: 3_300 },
      ],
    })
    ruleId = rule.id
    await service.call('POST', `${flagUrl}/envs/${environmentId}/run`)
  })

  it('gives each visitor what the JavaScript client gives', async () => {
    const client = createClient({ sdkKey: checkout.sdkKey, baseUrl: service.url, tracking: false })
    await client.waitUntilReady()
    const expected = visitors.map((visitor) => client.getDetails('copy', '', visitor))
    await client.close()
    const printed = await run(`import json
from svc_sdk import Client
with Client("${checkout.sdkKey}", "${service.url}", tracking=False) as client:
    client.wait_until_ready()
    found = [client.get_details("copy", "", visitor) for visitor in json.loads('${JSON.stringify(visitors)}')]
    print(json.dumps([[each.value, each.variation_key, each.rule_id, each.reason] for each in found]))`)
    expect(JSON.parse(printed)).toEqual(
      expected.map(({ value, variationKey, ruleId, reason }) => [value, variationKey, ruleId, reason]),
    )
    expect(new Set(expected.map(({ value }) => value)).size).toBe(3)
  })

  it('counts the visitors who were given a variation, each once', async () => {
    await run(`import json
from svc_sdk import Client
with Client("${checkout.sdkKey}", "${service.url}", dimensions=["country"]) as client:
    client.wait_until_ready()
    for visitor in 2 * json.loads('${JSON.stringify(visitors)}'):
        client.get_string("copy", "", visitor)
        client.track("order_paid", visitor, value=visitor["n"])`)
    const exposed = visitors.filter(({ country }) => country === 'NL').length
    // On a busy machine, a snapshot can take longer than an answer waits: asking again joins it.
    const total = async () => (await service.call('POST', `${flagUrl}/rules/${ruleId}/results/refresh`)).units.total
    await expect.poll(total).toBe(exposed)
  })
})

it('a running web experiment is evaluated like in JavaScript, and its visitors are counted', async () => {
  const { id } = await service.call('POST', '/api/v1/projects', { name: 'Website', type: 'WEB' })
  const url = `/api/v1/projects/${id}`
  const [{ sdkKey }] = await service.call('GET', `${url}/environments`)
  const pages = [{ key: 'all', name: 'All', conditions: { all: [] } }]
  await service.call('POST', `${url}/experiments`, { name: 'Price in the headline', pages })
  const css = '/* The server shows the price. */'
  await service.call('PUT', `${url}/experiments/1/variations/variation-1/changes`, { changes: [], css })
  await service.call('POST', `${url}/experiments/1/launch`)
  const client = createClient({ sdkKey, baseUrl: service.url, tracking: false })
  await client.waitUntilReady()
  const contexts = Array.from({ length: 20 }, (_none, nth) => ({ targetingKey: `u-${nth}` }))
  const expected = contexts.map((context) => client.getString('x1', 'none', context))
  await client.close()
  const printed = await run(`import json
from svc_sdk import Client
with Client("${sdkKey}", "${service.url}") as client:
    client.wait_until_ready()
    print(json.dumps([client.get_string("x1", "none", each) for each in json.loads('${JSON.stringify(contexts)}')]))`)
  expect(JSON.parse(printed)).toEqual(expected)
  expect([...new Set(expected)].sort()).toEqual(['original', 'variation-1'])
  const total = async () => (await service.call('POST', `${url}/experiments/1/results/refresh`)).units.total
  await expect.poll(total).toBe(contexts.length)
})

it('the files of both SDKs are the same, and a program starts without the service', async () => {
  const path = join(folder, `svc-${checkout.sdkKey}.json`)
  await run(`from svc_sdk import Client, FileStore
with Client("${checkout.sdkKey}", "${service.url}", store=FileStore("${folder}")) as client:
    client.wait_until_ready()
    client.refresh()`)
  const client = createClient({
    sdkKey: checkout.sdkKey,
    baseUrl: service.url,
    offline: true,
    store: fileStore(folder),
  })
  expect(await client.waitUntilReady()).toBe(true)
  const written = await readFile(path, 'utf8')
  expect(client.dataFile).toEqual(JSON.parse(written))
  expect(written).toBe(JSON.stringify(client.dataFile))
  const printed = await run(`import logging
from svc_sdk import Client, FileStore
logging.disable()
client = Client("${checkout.sdkKey}", "http://127.0.0.1:9", store=FileStore("${folder}"))
print(client.status, client.revision, client.get_details("new-checkout", True).reason)`)
  expect(printed).toBe(`stale ${client.revision} DISABLED\n`)
})

it('the client verifies a delivery as the service signs it', async () => {
  const body = '{"event":"flag.published","project":{"name":"Café ☕"}}'
  const headers = deliveryOf(body, { timestamp: new Date().toISOString() })
  const printed = await run(`from svc_sdk.webhooks import verify_webhook
found = verify_webhook(${JSON.stringify(body)}, ${JSON.stringify(headers)}, "${'0123456789abcdef'.repeat(4)}")
print(found.id, found.event, found.payload["project"]["name"])`)
  expect(printed).toBe('dlv_01 flag.published Café ☕\n')
})

it('each example of docs/python.md runs to its end', async () => {
  const examples = guide.map(({ text, line }) => {
    const source = text.replaceAll('http://127.0.0.1:4000', service.url).replaceAll('sdk_…', checkout.sdkKey)
    return [`docs/python.md:${line}`, source.replaceAll('/tmp/svc-example', join(folder, 'example'))]
  })
  // One process for all, because it takes longer to start than an example takes.
  const printed = await run(`import json
for name, source in json.loads(${JSON.stringify(JSON.stringify(examples))}):
    exec(compile(source, name, "exec"), {"__name__": "__main__"})
    print(name, "has ended")`)
  expect(printed).not.toContain('Error')
  for (const [name] of examples) expect(printed).toContain(`${name} has ended\n`)
})

describe('the package', () => {
  const wheel = `svc_sdk-${version}-py3-none-any.whl`
  let built: string
  const pip = (...parameters: string[]) => {
    const command = ['-m', 'pip', '--disable-pip-version-check', '--quiet', ...parameters]
    const ran = spawnSync(pythonWithPip()!, command, { cwd: built, env: cleanEnvironment({}), encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0 })
  }
  // The build has no network, so it must use only what is on the machine.
  const offline = ['--no-index', '--no-deps', '--no-build-isolation']

  beforeAll(async () => {
    built = join(folder, 'built')
    // A copy, because setuptools writes beside the sources.
    await cp(sources, join(built, 'sources'), {
      recursive: true,
      filter: (path) => !/\.egg-info|__pycache__/.test(path),
    })
    pip('wheel', ...offline, '--wheel-dir', '.', './sources')
    await writeFile(
      join(built, 'sdist.py'),
      'import os\nfrom setuptools import build_meta\nos.chdir("sources")\nprint(build_meta.build_sdist(".."))\n',
    )
    const { status } = spawnSync(pythonWithPip()!, ['sdist.py'], { cwd: built, env: cleanEnvironment({}) })
    expect(status).toBe(0)
  })

  const sourcesFile = async () => (await readdir(built)).find((name) => /^svc[-_]sdk-.*\.tar\.gz$/.test(name))!

  it('is a wheel and a source distribution of the same modules, with what pip needs to build one from it', async () => {
    const packed = (await readdir(built)).filter((name) => /^svc[-_]sdk-/.test(name))
    expect(packed).toEqual([await sourcesFile(), wheel].sort())
    const listed = await run(`import json, tarfile, zipfile
with tarfile.open("${join(built, await sourcesFile())}") as sources, zipfile.ZipFile("${join(built, wheel)}") as wheel:
    print(json.dumps([[name.split("/", 1)[1] for name in sources.getnames() if "/" in name], wheel.namelist()]))`)
    const [sources, modules] = JSON.parse(listed) as [string[], string[]]
    const inWheel = modules.filter((name) => name.startsWith('svc_sdk/'))
    expect(inWheel).toEqual(expect.arrayContaining(['svc_sdk/py.typed', 'svc_sdk/aio.py', 'svc_sdk/webhooks.py']))
    expect(sources).toEqual(expect.arrayContaining(['pyproject.toml', ...inWheel.map((name) => `src/${name}`)]))
  })

  // A source distribution with the same modules gives the same wheel; a full run installs it.
  const kinds = rowsOf({ wheel: async () => wheel, 'source distribution': sourcesFile }, ['wheel'])
  it.each(kinds)('the %s can be installed and runs, with its types', async (kind, file) => {
    const name = await file()
    const site = join(built, kind.replace(' ', '-'))
    pip('install', ...offline, '--target', site, `./${name}`)
    expect(await readdir(join(site, 'svc_sdk'))).toEqual(expect.arrayContaining(['py.typed', 'aio.py', 'webhooks.py']))
    const env = { ...environment(), PYTHONPATH: site }
    expect(await run('import svc_sdk, svc_sdk.aio, svc_sdk.webhooks; print(svc_sdk.__file__)', env)).toContain(site)
  })
})
