// The built script of pages, with and without the file beside it.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Rule } from '@svc/core'
import { expect, it, onTestFinished } from 'vitest'
import { serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerWith } from '../test/service.ts'
import type { createClient } from './client.ts'
import type { ClientOptions } from './client-options.ts'

const built = fileURLToPath(new URL('../dist/', import.meta.url))
const plain = datafileOf(5, { checkout: flagOf(true) })
const versions = datafileOf(6, { checkout: whereNew() })
const visitor = { targetingKey: 'u-1', version: '2.10' }

/** A flag that is true for versions from 2.9 on. */
function whereNew() {
  const when = { attribute: 'version', operator: 'semverGreaterThan' as const, value: '2.9' }
  const rule = { id: 'r1', type: 'TARGETED_DELIVERY' as const, salt: 's', variation: 'on', when }
  return { ...flagOf(false), variations: { on: 'true', off: 'false' }, rules: [rule], defaultVariation: 'off' }
}

/** A client of a copy of the script, so that the second file is not loaded yet. */
async function clientOf(names: string[], options: Partial<ClientOptions>) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-second-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of names) await copyFile(join(built, name), join(folder, name))
  const script: { createClient: typeof createClient } = await import(pathToFileURL(join(folder, 'svc.min.js')).href)
  const warnings: string[] = []
  const logger = { warn: (message: string) => warnings.push(message) }
  const client = script.createClient({ sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', logger, ...options })
  onTestFinished(() => client.close())
  return { client, warnings }
}
const both = ['svc.min.js', 'svc-rare.js']

it('is not needed for common flags: a bootstrap is there at once', async () => {
  const { client, warnings } = await clientOf(['svc.min.js'], { bootstrap: plain, offline: true })
  expect([client.revision, client.getBoolean('checkout', false)]).toEqual([5, true])
  expect(warnings).toEqual([])
})

it.each([
  [{ userId: 'u', country: 'NL' }, 'found: userId,country'],
  [{ targetingKey: '' }, 'found: targetingKey'],
  [undefined, 'found: undefined'],
  ['u-1', 'found: string'],
])('warns once of a context without a targetingKey, with what it found: %j', async (context, found) => {
  const rule: Rule = { id: 'r1', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on', traffic: 9_999 }
  const bootstrap = datafileOf(5, { draw: flagOf(false, { rules: [rule] }) })
  const told: unknown[] = []
  const logger = { warn: (...given: unknown[]) => told.push(given) }
  const { client } = await clientOf(['svc.min.js'], { bootstrap, offline: true, logger })
  for (let i = 0; i < 3; i++) client.getBoolean('draw', false, context as object)
  expect(told).toEqual([['Svc: the context needs a targetingKey, a text or a number', found]])
})

it('is loaded before the client is ready', async () => {
  const { baseUrl } = await serviceOfTest(answerWith(versions))
  const { client } = await clientOf(both, { baseUrl })
  expect(await client.waitUntilReady()).toBe(true)
  expect(client.getBoolean('checkout', false, visitor)).toBe(true)
})

it('is loaded for a bootstrap too, also offline', async () => {
  const { client, warnings } = await clientOf(both, { bootstrap: versions, offline: true })
  expect(await client.waitUntilReady()).toBe(true)
  expect([client.getBoolean('checkout', false, visitor), warnings]).toEqual([true, []])
})

it('leaves the last file in use where it is missing, and the client says so', async () => {
  const service = await serviceOfTest(answerWith(plain))
  const { client, warnings } = await clientOf(['svc.min.js'], { baseUrl: service.baseUrl })
  await client.refresh()
  service.answer = answerWith(versions)
  await client.refresh()
  expect([client.status, client.revision, client.getBoolean('checkout', false)]).toEqual(['stale', 5, true])
  expect(warnings).toEqual([expect.stringMatching(/no new data file, trying again.*svc-rare\.js/)])
})
