import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNewCheckout } from './new-checkout.ts'
import { type Output, output } from './output.ts'
import { commandOf, places } from './runtimes.ts'
import { cleanEnvironment, end, type OpenService, openService, root } from './service.ts'

// Shorter than the poll interval, so that a change within it came by the stream.
const limitMs = 15_000
// Reached only if a program hangs. Four of them start at once.
const startLimitMs = 90_000
const shops = new Map<string, Shop>()
let service: OpenService
let checkout: Awaited<ReturnType<typeof makeNewCheckout>>
let folder: string

/** The example that renders pages. It streams, stores the data file in a folder and passes it to the page. */
interface Shop {
  program: ChildProcess
  printed: Output
  heading(): Promise<string | undefined>
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-runtimes-'))
  service = await openService()
  checkout = await makeNewCheckout(service)
  await Promise.all(places.map(open))
})
afterAll(async () => {
  await Promise.all([...shops.values()].map(({ program }) => end(program)))
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function open(place: (typeof places)[number]): Promise<void> {
  const [runtime, ...parameters] = commandOf(place)
  const settings = { SVC_SDK_KEY: checkout.sdkKey, SVC_BASE_URL: service.url, PORT: '0', TMPDIR: join(folder, place) }
  const program = spawn(runtime!, [...parameters, 'examples/node/page.js'], {
    cwd: root,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = output(program)
  shops.set(place, { program, printed, heading })
  const at = await printed.until('listening on ', startLimitMs)
  await printed.until('\n', startLimitMs, at)
  const url = /\S+/.exec(printed.text().slice(at))![0]

  async function heading() {
    const page = await (await fetch(url)).text()
    return /<h1>(.*)<\/h1>/.exec(page)?.[1]
  }
}

const shopIn = (place: string): Shop => shops.get(place)!

it.each(places)('%s starts with the value of the paused flag', async (place) => {
  await shopIn(place).printed.until('status ready', startLimitMs)
  expect(await shopIn(place).heading()).toBe('Checkout')
})

describe('when the flag runs', () => {
  let revision: number

  beforeAll(async () => {
    const { dataFile } = await service.call('POST', `${checkout.flagUrl}/run?wait=5s`)
    revision = dataFile.revision
  })

  it.each(places)('%s gets the change from the stream', async (place) => {
    await shopIn(place).printed.until(`revision ${revision}: new-checkout`, limitMs)
    expect(await shopIn(place).heading()).toBe('Express checkout')
  })

  it('the environment counts an instance for each of them', async () => {
    await expect
      .poll(() => service.call('GET', checkout.environmentUrl))
      .toMatchObject({ sdks: [{ type: 'node', instances: places.length }] })
  })
})

describe('when the service is down', () => {
  beforeAll(async () => {
    await service.stop()
  })

  it.each(places)('%s keeps the last value', async (place) => {
    expect(await shopIn(place).heading()).toBe('Express checkout')
  })

  it.each(places)('%s ends on a signal and restarts with the stored file', async (place) => {
    const { program } = shopIn(place)
    const ended = new Promise((resolve) => program.once('exit', resolve))
    program.kill('SIGINT')
    expect(await ended).toBe(0)
    await open(place)
    await shopIn(place).printed.until('status stale', startLimitMs)
    expect(await shopIn(place).heading()).toBe('Express checkout')
  })
})
