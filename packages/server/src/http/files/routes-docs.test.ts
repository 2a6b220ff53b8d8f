import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFull } from '../../../testing/full.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

let service: TestService

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = html) => service.app.inject({ method: 'GET', url, headers })

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const pages = [
  '/docs',
  '/docs/quickstart',
  '/docs/errors',
  '/docs/api-reference',
  '/docs/api-reference/flag',
  '/docs/none',
]

test.each(pages)('%s is a page in English without inline scripts, and cannot be framed', async (url) => {
  const { statusCode, headers, body } = await get(url)
  expect(statusCode).toBe(url === '/docs/none' ? 404 : 200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  })
  const policy = String(headers['content-security-policy'])
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  )
  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/)
  expect(body).toContain('<html lang="en">')
  expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
})

test.each([
  ['/docs/assets/site.css', 'text/css; charset=utf-8'],
  ['/docs/assets/site.js', 'application/javascript; charset=utf-8'],
  ['/docs/assets/color-scheme.js', 'application/javascript; charset=utf-8'],
  ['/docs/assets/mark.svg', 'image/svg+xml'],
  ['/docs/assets/search.json', 'application/json; charset=utf-8'],
  ['/docs/provisioning.schema.json', 'application/json; charset=utf-8'],
  ['/docs/svc.schema.json', 'application/json; charset=utf-8'],
  ['/docs/config.schema.json', 'application/json; charset=utf-8'],
  ['/docs/web-changes.schema.json', 'application/json; charset=utf-8'],
])('%s is sent as %s to any program', async (url, type) => {
  const { statusCode, headers } = await get(url, { accept: '*/*' })
  expect([statusCode, headers['content-type']]).toEqual([200, type])
})

test('a page is compressed and sent only when it has changed', async () => {
  const first = await get('/docs/quickstart', { ...html, 'accept-encoding': 'gzip, deflate, br' })
  expect(first.headers['content-encoding']).toBe('gzip')
  const again = await get('/docs/quickstart', {
    ...html,
    'if-none-match': String((await get('/docs/quickstart')).headers.etag),
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test.each([
  ['/docs/', '/docs'],
  ['/docs/quickstart/', '/docs/quickstart'],
  ['/docs/quickstart.md', '/docs/quickstart'],
  ['/docs/quickstart.html', '/docs/quickstart'],
  ['/docs/api-reference/flag/', '/docs/api-reference/flag'],
  ['/docs/webhooks-receiving', '/docs/webhooks#write-a-receiver'],
  ['/docs/ofrep.md', '/docs/openfeature#ofrep'],
])('%s redirects to %s', async (url, location) => {
  const { statusCode, headers } = await get(url)
  expect([statusCode, headers.location]).toEqual([301, location])
})

test.each([
  '/docs/none',
  '/docs/404',
  '/docs/404.html',
  '/docs/assets',
  '/docs/assets/site.css.gz',
  '/docs/..%2f..%2fpackage.json',
  '/docs/quickstart.html.gz',
])('%s answers 404 with a helpful page for browsers and an error for programs', async (url) => {
  const page = await get(url)
  expect(page.statusCode).toBe(404)
  expect(page.body).toContain('There is no such page')
  const { statusCode, json } = await get(url, { accept: '*/*' })
  expect([statusCode, json().error.code]).toEqual([404, 'not_found'])
})

test('every file is served as npm run docs:build wrote it', async () => {
  const built = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))
  const names = (await readdir(built, { recursive: true })).filter((name) =>
    /\.(?:html|css|js|json|svg|png)$/.test(name),
  )
  const always = ['index.html', 'sdk-reference.html', 'pictures/flag.png']
  expect(names).toEqual(expect.arrayContaining(always))
  // Files of one kind are read in one way. A full run reads all of them.
  for (const name of names.filter((each, place) => isFull || place % 10 === 0 || always.includes(each))) {
    const address = name === 'index.html' ? '/docs' : `/docs/${name.replace(/\.html$/, '')}`
    const { rawPayload } = await get(address)
    expect(rawPayload.equals(await readFile(`${built}${name}`)), name).toBe(true)
  }
})

test('the OpenAPI document keeps its address', async () => {
  const { headers, json } = await get('/openapi.json', {})
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(json().openapi).toMatch(/^3\.1/)
})
