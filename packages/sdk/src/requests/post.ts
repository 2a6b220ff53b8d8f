import { isForPage } from '@svc/core'
import { readBody } from './body.ts'
import type { Platform } from './platform.ts'
import { refusalOf } from './refusal.ts'
import { uncached } from './uncached.ts'

const answerLimitBytes = 1_000_000

/**
 * Posts a heartbeat or events, and returns the answer as text. With `keepalive`, the request outlives the page.
 * A redirect is not followed: it would turn the request into a GET without a body.
 *
 * @param body JSON
 * @throws what `fetch` throws, and a `Refusal` if the service refuses
 */
export async function post(
  fetch: typeof globalThis.fetch,
  url: string,
  body: string,
  keepalive: boolean,
  signal: AbortSignal,
  platform: Platform,
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    keepalive,
    redirect: 'manual',
    signal,
    ...(!isForPage && uncached),
    // In a browser, JSON would cost a preflight. The default, text/plain, does not.
    ...(!isForPage && platform.sdkType === 'node' && { headers: { 'content-type': 'application/json' } }),
  })
  // A connection can be used again only if the body was read. An answer that cannot be read is an answer all the same.
  const answer = await readBody(response, answerLimitBytes).catch(() => '')
  if (!response.ok) throw refusalOf(response, platform)
  return answer
}
