import { request as requestSecure } from 'node:https'
import type { Socket } from 'node:net'
import { request as requestPlain } from '../node-http.ts'
import type { End } from './abort.ts'
import type { Tunnel } from './connect.ts'
import type { Destination } from './destination.ts'
import { notTheirs, type OutboundError } from './failure.ts'

/**
 * Says what is wrong with a value of `SVC_WEBHOOK_PROXY_URL`, worded to follow its name and without the value;
 * undefined if it is valid.
 */
export function proxyUrlProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text)) return 'must be an address such as http://host:port or https://host:port.'
  if (url.pathname !== '/' || url.search || url.hash) return 'must not have a path, a query or a fragment.'
  if ([url.username, url.password].some((part) => decoded(part) === undefined))
    return 'must have its username and password percent-encoded.'
  return undefined
}

/**
 * Opens a connection through the proxy. CONNECT names a checked address and never the host: the proxy would resolve a
 * name again, and the owner of the name could answer differently. Failures before the tunnel is open are the proxy's.
 */
export async function connectThrough(proxy: URL, to: Destination, end: End): Promise<Tunnel> {
  let failure = notTheirs('The proxy did not open a connection')
  for (const { address } of to.addresses) {
    try {
      const path = `${address.includes(':') ? `[${address}]` : address}:${to.port}`
      return { socket: await openTunnel(proxy, path, end), address }
    } catch (error) {
      if (end.aborted) throw error
      failure = error as typeof failure
    }
  }
  throw failure
}

function openTunnel(proxy: URL, path: string, end: End): Promise<Socket> {
  const request = (proxy.protocol === 'https:' ? requestSecure : requestPlain)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || undefined,
    method: 'CONNECT',
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false,
  })
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      end.offAbort(abort)
      act()
    }
    const refuse = (error: Error) => {
      settle(() => reject(error))
      request.destroy()
    }
    const abort = () => {
      const reason = end.reason as OutboundError
      refuse(reason.charged ? notTheirs('The proxy did not answer in time') : reason)
    }
    request.on('error', () => settle(() => reject(notTheirs('The proxy cannot be reached'))))
    request.on('response', ({ statusCode }) => refuse(notTheirs(`The proxy answered ${statusCode}`)))
    request.on('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode <= 299) return settle(() => resolve(socket))
      socket.destroy()
      refuse(notTheirs(`The proxy answered ${statusCode}`))
    })
    end.onAbort(abort)
    if (end.aborted) abort()
    else request.end()
  })
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { 'proxy-authorization': `Basic ${credentials}` }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
