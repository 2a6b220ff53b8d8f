import { onTestFinished } from 'vitest'
import { createClient } from '../src/client.ts'
import type { ClientOptions } from '../src/options.ts'
import type { Platform } from '../src/platform.ts'
import { manualPlatform } from './platform.ts'
import type { Answer } from './service.ts'
import { startService } from './service.ts'

/** A service on loopback that ends with the test. */
export async function serviceOfTest(answer: Answer) {
  const service = await startService(answer)
  onTestFinished(() => service.close())
  return service
}

/** A client with time in our hands, closed at the end of the test; what it sends, tells and warns of is noted. */
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
  // The fault itself: the message of the error begins with the address.
  client.on('error', ({ cause }) => told.push((cause as Error).message))
  onTestFinished(() => client.close())
  return { client, time, sent, warnings, told }
}
