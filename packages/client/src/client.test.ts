import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiClient, ApiError, apiClient } from './index.ts'

let server: Server
let url: string
const seen: Record<string, unknown>[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ method: request.method, url: request.url, ...request.headers })
    if (request.headers['if-none-match'] === '"known"') return void response.writeHead(304).end()
    const isKnown = request.url?.startsWith('/api/v1/projects?')
    const body = isKnown
      ? { data: [], page: { nextCursor: null, hasMore: false } }
      : { error: { code: 'not_found', message: 'Resource not found.', requestId: 'r-1' } }
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const client = (headers?: () => Record<string, string>): ApiClient =>
  apiClient({ baseUrl: url, ...(headers && { headers }) })

it('each call sends the current headers', async () => {
  let organization = '1'
  const api = client(() => ({ authorization: 'Bearer svc_pat_x', 'svc-org-id': organization }))
  const { data } = await api.GET('/api/v1/projects', { params: { query: { limit: 5 } } })
  organization = '2'
  await api.GET('/api/v1/projects', { params: { query: { limit: 5 } } })
  expect(data?.data).toEqual([])
  expect(seen.slice(-2)).toMatchObject([
    { url: '/api/v1/projects?limit=5', authorization: 'Bearer svc_pat_x', 'svc-org-id': '1' },
    { url: '/api/v1/projects?limit=5', 'svc-org-id': '2' },
  ])
})

it('a call throws the error that the service answers', async () => {
  const call = client().GET('/api/v1/projects/{projectId}', { params: { path: { projectId: 'p' } } })
  const error = await call.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'not_found', status: 404, requestId: 'r-1' })
})

it('a call throws an unreachable error when no answer comes', async () => {
  const call = apiClient({ baseUrl: 'http://127.0.0.1:1' }).GET('/api/v1/me')
  await expect(call).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable', status: 0, requestId: null })
})

it('an aborted call throws the abort error', async () => {
  const call = client().GET('/api/v1/me', { signal: AbortSignal.abort() })
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

it('a 304 is an answer without data', async () => {
  const params = { path: { projectId: 'p' }, header: { 'if-none-match': '"known"' } }
  const { data, response } = await client().GET('/api/v1/projects/{projectId}/index', { params })
  expect({ status: response.status, data }).toEqual({ status: 304, data: undefined })
})

it('a call uses the given fetch, and throws the ApiError of that fetch', async () => {
  const requests: string[] = []
  const refusal = new ApiError('No.', { code: 'offline', status: 0, requestId: null })
  const api = apiClient({
    baseUrl: url,
    fetch(request) {
      requests.push(request.url)
      return requests.length === 1 ? fetch(request) : Promise.reject(refusal)
    },
  })
  await api.GET('/api/v1/projects', { params: { query: { limit: 1 } } })
  await expect(api.GET('/api/v1/me')).rejects.toBe(refusal)
  expect(requests).toEqual([`${url}/api/v1/projects?limit=1`, `${url}/api/v1/me`])
})
