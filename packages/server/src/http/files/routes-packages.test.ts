import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../testing/service.ts'
import { version } from '../../version.ts'
import { handleErrors } from '../errors.ts'
import { servePackages } from './packages.ts'

const service = await startTestService()
afterAll(() => service.close())

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ method: 'GET', url, headers })

test.each(['sdk', 'cli'])('/packages/svc-%s.tgz is the package of this version', async (name) => {
  const { statusCode, headers, rawPayload } = await get(`/packages/svc-${name}.tgz`, { 'accept-encoding': 'gzip, br' })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(rawPayload.length),
    'cache-control': 'public, no-cache',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  expect(headers).not.toHaveProperty('content-encoding')
  const text = gunzipSync(rawPayload).toString('latin1')
  expect(text).toContain(`"name": "@svc/${name}",\n  "version": "${version}"`)
  expect(text).toContain('package/LICENSE')
})

test('a package is sent only when it has changed', async () => {
  const { headers } = await get('/packages/svc-sdk.tgz')
  expect(headers.etag).toMatch(/^"[\w-]{22}"$/)
  const again = await get('/packages/svc-sdk.tgz', { 'if-none-match': `W/${headers.etag}` })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag])
  const other = await get('/packages/svc-cli.tgz', { 'if-none-match': String(headers.etag) })
  expect(other.statusCode).toBe(200)
})

test.each(['/packages', '/packages/svc-server.tgz', '/packages/..%2fpackages%2fsvc-sdk.tgz'])(
  '%s is unknown',
  async (url) => {
    const { statusCode, json } = await get(url)
    expect([statusCode, json().error.code]).toEqual([404, 'not_found'])
  },
)

test('a service without a package says what is missing, and serves the other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-packages-'))
  await writeFile(join(folder, 'svc-cli.tgz'), 'the file')
  const app = Fastify()
  try {
    handleErrors(app, { baseUrl: 'http://svc.test', isUnavailable: () => false })
    await servePackages(app, folder)
    const missing = await app.inject('/packages/svc-sdk.tgz')
    expect(missing.statusCode).toBe(404)
    expect(missing.json().error).toMatchObject({
      code: 'not_found',
      message: 'svc-sdk.tgz is not built on this node. The operator can run npm run build and restart it.',
      docUrl: 'http://svc.test/docs/errors#not_found',
    })
    expect((await app.inject('/packages/svc-cli.tgz')).body).toBe('the file')
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
})
