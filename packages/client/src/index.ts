import createClient, { type Client } from 'openapi-fetch'
import { ApiError, errorOf, unreachable } from './error.ts'
import type { paths } from './schema.d.ts'

export { ApiError, errorOf, type Issue, unreachable } from './error.ts'
export { nouns } from './nouns.ts'
export type { components, operations } from './schema.d.ts'

export interface ApiClientOptions {
  /** The address of the service, without a trailing slash. */
  baseUrl: string
  /** Called for each request; returns headers such as `authorization` and `svc-org-id`. */
  headers?: () => Record<string, string>
  /** Sends the requests. Default: the global `fetch`. An ApiError that it throws is the error of the call. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Every route of the service. A call returns `data` or throws an `ApiError`; an aborted call throws an AbortError. A 304
 * to a call with `If-None-Match` is an answer without `data`.
 */
export type ApiClient = Client<ApiPaths>

/**
 * @example
 * const api = apiClient({ baseUrl, headers: () => ({ authorization: `Bearer ${token}` }) })
 * const { data } = await api.GET('/api/v1/projects', { params: { query: { limit: 20 } } })
 */
export function apiClient({ baseUrl, headers = () => ({}), fetch }: ApiClientOptions): ApiClient {
  const client = createClient<ApiPaths>({ baseUrl, ...(fetch && { fetch }) })
  client.use({
    onRequest({ request }) {
      for (const [name, value] of Object.entries(headers())) request.headers.set(name, value)
    },
    async onResponse({ response }) {
      if (response.ok || response.status === 304) return
      throw await errorOf(response)
    },
    onError({ error, request }) {
      // An aborted call must throw its abort error.
      if (request.signal.aborted || error instanceof ApiError) return undefined
      return unreachable(error)
    },
  })
  return client
}

/** The printed paths with one error type for all calls. */
export type ApiPaths = {
  [Path in keyof paths]: {
    [Method in keyof paths[Path]]: paths[Path][Method] extends { responses: infer Responses }
      ? Omit<paths[Path][Method], 'responses'> & { responses: Responses & Failures }
      : paths[Path][Method]
  }
}

/** The type of `data` in the response of a call. */
export type Data<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: infer Responses
}
  ? Responses[keyof Responses] extends { content: { 'application/json': { data: infer Held } } }
    ? Held
    : never
  : never

interface Failures {
  default: { headers: Record<string, unknown>; content: { 'application/json': ApiError } }
}
