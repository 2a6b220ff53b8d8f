import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { datafileOf } from '../../test/datafile.ts'
import { manualPlatform } from '../../test/platform.ts'
import type { Answer } from '../../test/service.ts'
import { answerEndlessly, answerStatus, answerWith, startService } from '../../test/service.ts'
import { fetchDatafile } from './fetch-datafile.ts'

const file = datafileOf(3)
const datafilePath = '/file.json'
let service: Awaited<ReturnType<typeof startService>>

beforeEach(async () => {
  service = await startService(answerWith(file))
})
afterEach(() => service.close())

function load(answer: Answer, etag: string | null = null, sdkType: 'node' | 'browser' = 'node') {
  service.answer = answer
  const { signal } = new AbortController()
  return fetchDatafile(fetch, service.baseUrl + datafilePath, etag, signal, manualPlatform({ sdkType }).platform)
}

const redirectTo =
  (location: string): Answer =>
  (request, response) =>
    request.url === datafilePath
      ? answerStatus(302, '', { location })(request, response)
      : answerWith(file)(request, response)

it('returns the file with its ETag', async () => {
  expect(await load(answerWith(file))).toEqual({ file, etag: '"r3-e-1"' })
})

it('returns nothing new for a 304', async () => {
  expect(await load(answerWith(file), '"r3-e-1"')).toBe(undefined)
  expect(service.requests[0]?.headers['if-none-match']).toBe('"r3-e-1"')
})

it('leaves conditional requests to the HTTP cache in a browser', async () => {
  expect(await load(answerWith(file), '"r3-e-1"', 'browser')).toHaveProperty('file')
  expect(service.requests[0]?.headers).toMatchObject({ 'cache-control': 'max-age=0' })
  expect(service.requests[0]?.headers).not.toHaveProperty('if-none-match')
})

it('follows a redirect', async () => {
  expect(await load(redirectTo('/elsewhere.json'))).toHaveProperty('file', file)
})

describe('an answer that is not a data file', () => {
  it.each([
    ['an unexpected 304', answerStatus(304), 'HTTP 304'],
    ['404', answerStatus(404, '{"error":{}}'), 'HTTP 404, is the SDK key right?'],
    ['500', answerStatus(500, JSON.stringify(file)), 'HTTP 500'],
    ['204', answerStatus(204), 'HTTP 204'],
    ['JSON of a different kind', answerStatus(200, '{"schemaVersion":2,"revision":1,"flags":{}}'), 'not a data file'],
    ['null', answerStatus(200, 'null'), 'not a data file'],
  ])('%s', async (_name, answer, message) => {
    await expect(load(answer)).rejects.toMatchObject({ message })
  })

  it.each([
    ['no body', answerStatus(200), /JSON/],
    ['a page', answerStatus(200, '<!doctype html><title>Sign in</title>'), /JSON/],
    ['half a file', answerStatus(200, JSON.stringify(file).slice(0, 40)), /JSON/],
    ['a file cut off by a lost connection', cutOff, /terminated/],
    ['a lost connection', ((_request, response) => response.destroy()) as Answer, /fetch failed/],
    ['an endless body', answerEndlessly, /more than 20000000 bytes/],
    ['a redirect loop', answerStatus(302, '', { location: datafilePath }), /fetch failed/],
  ])('%s', async (_name, answer, message) => {
    await expect(load(answer)).rejects.toThrow(message)
  })
})

function cutOff(_request: unknown, response: Parameters<Answer>[1]): void {
  const body = JSON.stringify(file)
  response.writeHead(200, { 'content-length': body.length })
  response.write(body.slice(0, 40), () => response.destroy())
}

it.each([
  ['7', 7_000],
  ['Fri, 20 Nov 2026 00:01:00 GMT', 60_000],
  ['soon', 0],
  ['', 0],
])('reads Retry-After %s as %s ms', async (header, expected) => {
  const refused = load(answerStatus(503, '', { 'retry-after': header }))
  await expect(refused).rejects.toMatchObject({ status: 503, retryAfterMs: expected })
})
