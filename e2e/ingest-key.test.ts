// Both SDKs with a running service that counts events only with an ingest key.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../packages/sdk/src/client.ts'
import { cleanEnvironment, type OpenService, openService, root } from './service.ts'

const execute = promisify(execFile)
const path = '/api/v1/projects/shop/environments/production'
let service: OpenService
let sdkKey: string

beforeAll(async () => {
  service = await openService()
  await service.call('POST', '/api/v1/projects', { name: 'Shop', key: 'shop' })
  sdkKey = (await service.call('GET', path)).sdkKey
})
afterAll(() => service?.stop())

/** Sends an order. Returns how many events will not be counted, and what was warned of. */
type Send = (ingestKey?: string) => Promise<{ dropped: number; warned: string }>

const sendWithNode: Send = async (ingestKey) => {
  const warnings: string[] = []
  const logger = { warn: (message: string) => void warnings.push(message) }
  const client = createClient({ sdkKey, baseUrl: service.url, ingestKey, logger })
  await client.waitUntilReady()
  client.track('order_paid', { context: { targetingKey: 'u-17' } })
  await client.flush()
  const dropped = client.droppedEvents
  client.setTracking(false)
  await client.close()
  return { dropped, warned: warnings.join('\n') }
}

const program = `import os
from svc_sdk import Client

client = Client(os.environ["SDK_KEY"], os.environ["URL"], ingest_key=os.environ.get("INGEST_KEY"))
client.wait_until_ready()
client.track("order_paid", {"targetingKey": "u-17"})
client.flush()
print(client.dropped_events)
client.set_tracking(False)
client.close()`

const sendWithPython: Send = async (ingestKey) => {
  const env = cleanEnvironment({
    ...{
      SDK_KEY: sdkKey,
      URL: service.url,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    ...(ingestKey !== undefined && { INGEST_KEY: ingestKey }),
  })
  const { stdout, stderr } = await execute('python3', ['-c', program], { env })
  return { dropped: Number(stdout), warned: stderr }
}

it.each([
  ['Node', sendWithNode, 'node'],
  ['Python', sendWithPython, 'svc-sdk-python/'],
])('events of the SDK for %s count with a key, and none is lost silently without one', async (_name, send, program) => {
  const { id, secret } = await service.call('POST', `${path}/ingest-keys`)
  await service.call('PATCH', path, { ingestKeyRequiredFor: 'TRACKED_EVENTS' })
  const lastUse = async () => {
    const keys: { id: string; lastUsedUserAgent: string | null }[] = await service.call('GET', `${path}/ingest-keys`)
    return keys.find((key) => key.id === id)?.lastUsedUserAgent
  }

  const without = await send()
  expect(without.dropped).toBe(1)
  expect(without.warned).toContain('with ingest_key_required')
  expect(await lastUse()).toBe(null)

  expect(await send(secret)).toEqual({ dropped: 0, warned: '' })
  expect(await lastUse()).toContain(program)

  await service.call('PATCH', path, { ingestKeyRequiredFor: 'NONE' })
  await service.call('DELETE', `${path}/ingest-keys/${id}`)
  const revoked = await send(secret)
  expect(revoked.dropped).toBe(0)
  expect(revoked.warned).toContain('the service refuses the ingest key or the SDK key: events are kept and sent again')
  expect(revoked.warned).not.toContain(secret.slice(8))
})
