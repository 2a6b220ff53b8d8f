import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/service.ts'

let service: TestService
let script: string

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = html) => service.app.inject({ method: 'GET', url, headers })

beforeAll(async () => {
  service = await startTestService()
  const page = (await get('/')).body
  script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
})
afterAll(() => service.close())

test.each(['/', '/sign-in', '/sign-in?returnTo=%2Faccount', '/projects/x/flags', '/sdk', '/apis', '/assets/gone'])(
  'a browser gets the dashboard at %s and must revalidate it each time',
  async (url) => {
    const { statusCode, headers, body } = await get(url)
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect(body).toContain('<div id="root">')
  },
)

test('the page can run only scripts and styles of its own origin and cannot be framed', async () => {
  const { headers } = await get('/sign-in')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  )
  expect(policy.join()).not.toMatch(/unsafe|\*|data:|https?:/)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'x-frame-options': 'DENY',
  })
})

test('the page contains nothing inline', async () => {
  const { body } = await get('/')
  expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
})

test.each([
  ['br', 'gzip, deflate, br, zstd'],
  ['gzip', 'gzip'],
  [undefined, 'identity'],
])('a hashed file is sent as %s for %s and can be cached forever', async (encoding, accepted) => {
  const { statusCode, headers } = await get(script, { 'accept-encoding': accepted })
  expect(statusCode).toBe(200)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-type']).toBe('application/javascript; charset=utf-8')
  expect(headers.vary).toContain('accept-encoding')
})

test.each([
  ['an unknown address of the API', '/api/v1/nothing', html],
  ['an unknown address of the dashboard’s API', '/api/dashboard/nothing', html],
  ['the API’s root', '/api', html],
  ['an unknown address, requested by a program', '/nothing', { accept: '*/*' }],
  ['an unknown address, requested without Accept', '/nothing', {}],
  ['a missing file', '/assets/index-00000000.js', { accept: '*/*' }],
  ['a file outside the folder', '/assets/..%2f..%2fpackage.json', { accept: '*/*' }],
])('%s answers 404 with the error object', async (_what, url, headers) => {
  const { statusCode, json } = await get(url, headers)
  expect([statusCode, json().error.code]).toEqual([404, 'not_found'])
})

test.each(['POST', 'PUT', 'DELETE'] as const)('%s finds no page', async (method) => {
  const { statusCode, json } = await service.app.inject({ method, url: '/sign-in', headers: html })
  expect([statusCode, json().error.code]).toEqual([404, 'not_found'])
})

test('the API keeps its addresses', async () => {
  expect((await get('/api/v1/me')).json().error.code).toBe('unauthorized')
})
