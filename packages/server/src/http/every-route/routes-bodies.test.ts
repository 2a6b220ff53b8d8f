import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../testing/service.ts'

const url = '/api/v1/projects'
const mebibyte = 1024 * 1024

const service = await startTestService()
afterAll(() => service.close())

const post = (body: string | Uint8Array | undefined, type = 'application/json') =>
  service.call(service.people.admin, 'POST', url, body, { 'content-type': type })
const nested = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
const padded = (bytes: number) => `{"name":"X"${' '.repeat(bytes - 12)}}`
const project = '{"name":"Accepted"}'

test.each<[string, string | Uint8Array, string]>([
  ['a plain object', project, 'application/json'],
  ['a charset', project, 'application/json; charset=utf-8'],
  ['capitals', project, 'Application/JSON'],
  ['exactly 1 MiB', padded(mebibyte), 'application/json'],
  ['characters beyond the basic multilingual plane', '{"name":"Größe 😀"}', 'application/json'],
  ['escapes of a whole pair', '{"name":"\\ud83d\\ude00"}', 'application/json'],
])('%s is accepted', async (_what, body, type) => {
  const answer = await post(body, type)
  expect(answer.status, answer.text).toBe(201)
})

test.each<[string, string | Uint8Array | undefined, PropertyKey[]]>([
  ['no body', undefined, []],
  ['an empty body', '', []],
  ['half an object', '{"name":', []],
  ['a list', '[]', []],
  ['a text', '"name"', []],
  ['null', 'null', []],
  ['UTF-16', Buffer.from(project, 'utf16le'), []],
  ['a byte order mark', Buffer.from(`\ufeff${project}`), []],
  ['bytes that are not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), []],
  ['an escaped NUL', '{"name":"a\\u0000b"}', ['name']],
  ['an escaped lone surrogate', '{"name":"\\ud800"}', ['name']],
  ['__proto__', '{"name":"X","__proto__":{"type":"WEB"}}', ['__proto__']],
  ['constructor', '{"name":"X","constructor":{}}', ['constructor']],
  ['33 levels', nested(33), []],
  ['100 000 levels', nested(100_000), []],
  ['more than 10 000 items', `{"name":[${Array(10_001).fill(0).join()}]}`, []],
  ['a number that is too large', '{"name":1e999}', ['name']],
  ['a number that a double cannot hold', '{"name":"X","when":{"ids":[9007199254740993]}}', ['when', 'ids', 0]],
  ['a wrong type', '{"name":7}', ['name']],
])('%s is refused with 400 and its path', async (_what, body, path) => {
  const { status, body: answer } = await post(body)
  expect([status, answer.error.code]).toEqual([400, 'validation_failed'])
  expect(answer.error.details.issues).toMatchObject([{ path, message: expect.any(String) }])
})

test.each(['gzip', 'br', 'deflate', 'identity, gzip'])(
  'a body with the encoding %s is refused with 415',
  async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const { status, body } = await service.call(service.people.admin, 'POST', url, project, headers)
    expect([status, body.error.message]).toEqual([415, `Send the body without Content-Encoding, not as ${encoding}.`])
    const batch = await service.call(service.people.admin, 'POST', '/api/sdk/v1/events', '{}', headers)
    expect([batch.status, batch.body.error]).toEqual([
      415,
      `Send the body without Content-Encoding, not as ${encoding}.`,
    ])
  },
)

test('a refused __proto__ changes nothing', async () => {
  await post('{"name":"X","__proto__":{"polluted":true}}')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test.each([
  ['a form', 'name=X', 'application/x-www-form-urlencoded'],
  ['plain text', project, 'text/plain'],
  ['XML', '<name/>', 'application/xml'],
  ['something that begins like JSON', project, 'application/json-seq'],
  ['an invalid type', project, 'json'],
])('%s is refused with 415', async (_what, body, type) => {
  const { status, body: answer } = await post(body, type)
  expect([status, answer.error.code]).toEqual([415, 'unsupported_media_type'])
})

test('more than 1 MiB is refused with 413', async () => {
  const { status, body } = await post(padded(mebibyte + 1))
  expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
})

test('all faults of a body are reported together, each with its path, and the message counts them', async () => {
  const { body } = await post('{"name":" ","type":"APP","color":"red"}')
  expect(body.error.message).toBe('name must not be blank. (and 2 more)')
  expect(body.error.details.issues.map(({ path }: { path: string[] }) => path.join()).sort()).toEqual([
    'color',
    'name',
    'type',
  ])
})

test.each([
  ['GET', ' Did you mean limit?'],
  // It has no parameter that could be meant.
  ['POST', ''],
] as const)('an unknown query parameter of %s is refused', async (method, hint) => {
  const { status, body } = await service.call(
    service.people.admin,
    method,
    `${url}?limt=5`,
    method === 'POST' ? { name: 'X' } : undefined,
  )
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toEqual([
    { path: ['limt'], message: `limt is not a known query parameter.${hint}` },
  ])
})

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=ten',
  'limit=0x10',
  'limit=1e1',
  'limit=%2B5',
  'limit=',
  'limit=1&limit=2',
  'cursor=x',
  'cursor=',
])('?%s is refused and not corrected', async (query) => {
  const { status, body } = await service.call(service.people.admin, 'GET', `${url}?${query}`)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path: [query.split('=')[0]] }])
})
