import fc from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { type Refusal, refuse } from '../catalogue/refusals.ts'
import { firstExcess, parseBody, readUploads, whilePermitted } from './body.ts'
import { Refused } from './errors.ts'

const bytes = (text: string) => Buffer.from(text)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const listOf = (length: number) => Array.from({ length }, () => 0)

test('a JSON body is read unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), (value) => {
      fc.pre(firstExcess(value) === undefined)
      const text = JSON.stringify(value)
      expect(parseBody(bytes(text))).toEqual({ value: JSON.parse(text) })
    }),
  )
})

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '[{"b":{"a":[], "a" : {}}}]',
  '{"a\\"":1,"a\\"":1}',
  '{"\\\\":1,"\\\\":1}',
  '{"":1,"":1}',
  '{"toString":1,"toString":1}',
])('a repeated name is refused: %s', (text) => {
  expect(parseBody(bytes(text))).toMatchObject({
    refusal: { details: { issues: [{ path: [], message: 'An object in the body has the same field name twice.' }] } },
  })
})

test.each(['[{"a":1},{"a":2}]', '{"a":"\\":","b":"a:"}', '{"a":{"a":["a",":","a\\\\"]}}', '"a:"', '{"a" \n:1}'])(
  'names that only look alike are accepted: %s',
  (text) => expect(parseBody(bytes(text))).toEqual({ value: JSON.parse(text) }),
)

test('an empty body is no body', () => expect(parseBody(bytes(''))).toEqual({ value: undefined }))

test.each([
  ['broken JSON', bytes('{"a":')],
  ['two documents', bytes('{} {}')],
  ['a trailing comma', bytes('[1,]')],
  ['NaN', bytes('NaN')],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('{}')])],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  ['only white space', bytes('  ')],
])('%s is not well-formed', (_what, body) => {
  expect(parseBody(body)).toMatchObject({
    refusal: { refusal: 'validation_failed', details: { issues: [{ path: [] }] } },
  })
})

test.each([
  ['NUL', { a: ['x', 'a\0b'] }, ['a', 1]],
  ['a lone high surrogate', { a: '\ud800' }, ['a']],
  ['a lone low surrogate', { a: 'x\udc00' }, ['a']],
  ['NUL in a name', { a: { 'b\0': 1 } }, ['a']],
  ['an unpaired surrogate in a name', { '\ud83d': 1 }, []],
  ['__proto__', JSON.parse('{"a":{"__proto__":{}}}'), ['a', '__proto__']],
  ['a text that is too long', ['x'.repeat(65_537)], [0]],
  ['a number that is too large', JSON.parse('{"a":1e400}'), ['a']],
  ['33 levels', JSON.parse(nested(33)), []],
  ['10 001 items', listOf(10_001), []],
])('%s is refused with its path', (_what, value, path) => expect(firstExcess(value)?.path).toEqual(path))

test.each([
  ['a whole surrogate pair', '😀'],
  ['a text at the limit', 'x'.repeat(65_536)],
  ['32 levels', JSON.parse(nested(32))],
  ['10 000 items', listOf(10_000)],
  ['a name such as constructor', { constructor: 1, prototype: 2 }],
])('%s is accepted', (_what, value) => expect(firstExcess(value)).toBeUndefined())

test.each([
  ['32 levels', nested(32)],
  ['10 000 items', JSON.stringify(listOf(10_000))],
  ['10 000 names', JSON.stringify(Object.fromEntries(listOf(10_000).entries()))],
  ['brackets, commas and colons in a text', JSON.stringify('[{,:"'.repeat(10_001))],
])('a body with %s is read', (_what, text) => expect(parseBody(bytes(text))).toEqual({ value: JSON.parse(text) }))

test.each([
  ['33 levels', nested(33), /more than 32 levels deep/],
  ['10 001 items', JSON.stringify(listOf(10_001)), /at most 10000 fields and list items/],
  ['10 001 names', JSON.stringify(Object.fromEntries(listOf(10_001).entries())), /at most 10000 fields/],
])('a body with %s is refused', (_what, text, message) => {
  expect(parseBody(bytes(text))).toMatchObject({
    refusal: { details: { issues: [{ path: [], message: expect.stringMatching(message) }] } },
  })
})

test('a body a million levels deep is refused without a crash', () => {
  expect(parseBody(bytes(nested(500_000)))).toHaveProperty('refusal')
})

test('a file is read while its sender may send it, which is looked at every 10 seconds', async () => {
  let at = 0
  const asked: number[] = []
  const answers: (Refusal | undefined)[] = [
    undefined,
    refuse('unavailable', 'Busy.'),
    refuse('unauthorized', 'The token was revoked.'),
  ]
  async function* pieces() {
    for (const second of [0, 5, 10, 15, 19, 20, 21, 22]) {
      at = second * 1000
      yield Buffer.from([second])
    }
  }
  const refuses = async () => {
    asked.push(at)
    return answers.shift()
  }
  const read: number[] = []
  const reading = (async () => {
    for await (const piece of whilePermitted(pieces(), refuses, () => new Date(at))!) read.push(piece[0]!)
  })()
  await expect(reading).rejects.toMatchObject({ refusal: { message: 'The token was revoked.' } })
  expect([asked, read]).toEqual([
    [10_000, 20_000, 21_000],
    [0, 5, 10, 15, 19, 20],
  ])
  expect(whilePermitted(undefined, refuses, () => new Date(at))).toBeUndefined()
})

test.each([
  ['waits for long before it is read', 11],
  ['comes while the clock is set back', -3600],
])('a file that %s is looked at with its first piece', async (_what, second) => {
  let at = 0
  async function* pieces() {
    yield Buffer.from('x')
  }
  const refuses = async () => refuse('unauthorized', 'The token was revoked.')
  const file = whilePermitted(pieces(), refuses, () => new Date(at))!
  at = second * 1000
  await expect(file[Symbol.asyncIterator]().next()).rejects.toMatchObject({ refusal: { refusal: 'unauthorized' } })
})

test('large bodies are read one at a time, others have a turn in between, and a crowd is refused', async () => {
  const app = fastify()
  readUploads(app, { maxBytes: 1_000, maxItems: 10 })
  let turn = 0
  const turns: number[] = []
  const checked = () => {
    turns.push(turn)
    return true
  }
  app.setValidatorCompiler(() => checked)
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Refused && error.refusal.refusal === 'unavailable' ? 503 : 500).send(),
  )
  app.post('/', { schema: { body: {} } }, async () => 'read')
  await app.ready()
  const count = () => {
    turn += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => app.inject({ method: 'POST', url: '/', payload: { a: 1 } })),
  )
  clearImmediate(counting)
  await app.close()
  // One is read and fifty wait.
  expect(Object.groupBy(answers, ({ statusCode }) => statusCode)).toMatchObject({
    200: { length: 51 },
    503: { length: 9 },
  })
  expect(new Set(turns).size).toBe(51)
})
