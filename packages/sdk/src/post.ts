import { isForPage } from '@svc/core'
import { readBody } from './body.ts'
import type { Platform } from './platform.ts'
import { refusalOf } from './refusal.ts'

const answerLimitBytes = 10_000

/**
 * Posts a heartbeat or events. With `keepalive`, the request outlives the page.
 *
 * @throws what `fetch` throws, and a `Refusal` if the service refuses
 */
export async function post(
  fetch: typeof globalThis.fetch,
  url: string,
  body: object,
  keepalive: boolean,
  signal: AbortSignal,
  platform: Platform,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    keepalive,
    signal,
    // In a browser, JSON would cost a preflight. The default, text/plain, does not.
    ...(!isForPage && platform.sdkType === 'node' && { headers: { 'content-type': 'application/json' } }),
  })
  // A connection can be used again only if the body was read.
  if (!isForPage) await readBody(response, answerLimitBytes)
  if (!response.ok) throw refusalOf(response, platform)
}
