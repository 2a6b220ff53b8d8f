import { createClient } from '@svc/sdk'
import { cookies } from 'next/headers'
import { settings } from './settings'

/** One client for all requests of this server. */
const client = createClient({ ...settings(), pollIntervalMs: 5_000 })

/** The client, as soon as it has a data file, and the visitor of this request. Pages that call it are dynamic. */
export async function readFlags() {
  const visitor = (await cookies()).get('visitor')?.value
  await client.waitUntilReady({ timeoutMs: 2_000 })
  return { client, context: visitor === undefined ? {} : { targetingKey: visitor } }
}
