import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

const answerLimitMs = 5_000

/** Asks the service at the address that it listens on by these settings. */
export async function readiness(config: Config): Promise<{ isReady: boolean; isRunning: boolean; text: string }> {
  const url = `${localUrl(config)}/readyz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerLimitMs) })
    const body = (await response.json()) as { status?: string; error?: { message?: string } }
    if (response.ok && body.status === 'ready') return { isReady: true, isRunning: true, text: 'ready' }
    const reason = body.error?.message ?? `${url} answers with status ${response.status}.`
    return { isReady: false, isRunning: true, text: `not ready: ${reason}` }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const text = isLate ? `${url} does not answer within ${answerLimitMs} ms.` : `nothing answers at ${url}.`
    return { isReady: false, isRunning: isLate, text }
  }
}

/** A service that listens on every address listens on the loopback interface too. */
export function localUrl({ SVC_HOST: host, SVC_PORT: port }: Config): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
