import { setTimeout as pause } from 'node:timers/promises'
import { booleanFlag } from '../../packages/server/testing/boolean-flag.ts'
import { secrets as seen } from '../../packages/server/testing/secrets.ts'
import { isTurnedAway } from '../turned-away.ts'

const pollMs = 100
const waitLimitMs = 600_000
const pageSize = 100

/** A delivery as the API returns it. */
export interface DeliveryRecord {
  id: string
  destinationId: string
  deliveryId: string
  sourceEntityId: string | null
  payload: { id: string; event: string }
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'
  attempts: number
  lastAttemptAt: string | null
  nextRetryAt: string | null
  responseStatus: number | null
  responseBody: string | null
  errorMessage: string | null
}

export interface Hook {
  id: string
  host: string
  secret: string
  events: string[]
  path: string
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  body: any
}

/** The public API, as customers call it. */
export interface Api {
  /** Sends a request and returns any answer. `token` selects a caller; by default the callers take turns. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>, token?: number): Promise<Reply>
  /** Returns the data of an answer. Throws if it is not a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  call(method: string, path: string, body?: unknown): Promise<any>
  /** The number of answers with a status of 500 or more. */
  failures(): number
}

export function apiOf(url: string, secrets: readonly string[]): Api {
  let turn = 0
  let failures = 0
  for (const secret of secrets) seen.note(secret)
  const send: Api['send'] = async (method, path, body, headers = {}, token = turn++ % secrets.length) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secrets[token]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const said = await answer.json()
    seen.noteBodies(body, said)
    if (isTurnedAway(answer.status, said) && answer.headers.has('retry-after')) {
      await pause(Number(answer.headers.get('retry-after')) * 1_000)
      return send(method, path, body, headers, token)
    }
    if (answer.status >= 500) failures += 1
    return { status: answer.status, headers: answer.headers, body: said }
  }
  return {
    send,
    async call(method, path, body) {
      const { status, body: said } = await send(method, path, body)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`)
      return said.data
    },
    failures: () => failures,
  }
}

export const projectPath = async (api: Api): Promise<string> =>
  `/api/v1/projects/${(await api.call('GET', '/api/v1/projects'))[0].id}`

export async function newHook(api: Api, project: string, host: string, events: string[], path = '/in'): Promise<Hook> {
  const body = { name: host, url: `https://${host}${path}`, events }
  const { id, secret } = await api.call('POST', `${project}/webhooks`, body)
  return { id, host, secret, events, path: `${project}/webhooks/${id}` }
}

/** Creates a flag. The answer acknowledges `flag.created`. */
export const newFlag = (api: Api, project: string, key: string): Promise<{ id: string }> =>
  api.call('POST', `${project}/flags`, booleanFlag(key))

/** All deliveries of a webhook, newest first. */
export async function recordsOf(api: Api, { path }: Pick<Hook, 'path'>): Promise<DeliveryRecord[]> {
  const all: DeliveryRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=${pageSize}${cursor && `&cursor=${cursor}`}`
    const { status, body } = await api.send('GET', `${path}/deliveries?${query}`)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    all.push(...body.data)
    cursor = body.page.nextCursor
  }
  return all
}

/** Reads a value until it is as wanted, and returns it. Throws after a time limit. */
export async function reaches<Value>(
  what: string,
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
  limitMs = waitLimitMs,
): Promise<Value> {
  const endMs = performance.now() + limitMs
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (performance.now() > endMs) throw new Error(`${what} was not reached: ${JSON.stringify(value).slice(0, 2000)}`)
    await pause(pollMs)
  }
}

export const settled = ({ status }: DeliveryRecord): boolean => status !== 'PENDING'

/** The only delivery of a webhook, once it is as wanted. */
export const theRecord = (api: Api, hook: Hook, holds: (record: DeliveryRecord) => boolean): Promise<DeliveryRecord> =>
  reaches(
    `a record of ${hook.host}`,
    async () => (await recordsOf(api, hook))[0]!,
    (record) => record !== undefined && holds(record),
  )
