import { onTestFinished } from 'vitest'
import { createClient } from '../src/client.ts'
import type { ClientOptions } from '../src/client-options.ts'
import type { Platform } from '../src/requests/platform.ts'
import { manualPlatform } from './platform.ts'
import type { Answer } from './service.ts'
import { startService } from './service.ts'

/** Starts a service on loopback that ends with the test. */
export async function serviceOfTest(answer: Answer) {
  const service = await startService(answer)
  onTestFinished(() => service.close())
  return service
}

/** Makes a client with a manual clock that closes with the test. Records its requests, events and warnings. */
export function clientOfTest(
  options: Partial<ClientOptions>,
  given: Partial<Pick<Platform, 'sdkType' | 'random'>> = {},
) {
  const time = manualPlatform(given)
  const sent: string[] = []
  const warnings: string[] = []
  const told: unknown[] = []
  const client = createClient(
    {
      sdkKey: 'sdk_1',
      baseUrl: 'http://127.0.0.1:9',
      fetch: (url, init) => {
        sent.push(new URL(String(url)).pathname)
        return fetch(url, init)
      },
      logger: { warn: (message) => warnings.push(message) },
      ...options,
    },
    time.platform,
  )
  client.on('ready', ({ revision }) => told.push(`ready ${revision}`))
  client.on('change', ({ revision, changedFlags }) => told.push(`change ${revision} ${changedFlags}`))
  client.on('status', (status) => told.push(status))
  // The cause, because the message of the error begins with the address.
  client.on('error', ({ cause }) => told.push((cause as Error).message))
  onTestFinished(() => client.close())
  return { client, time, sent, warnings, told }
}
