import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Condition, compile, type Flag } from '@svc/core'
import { expect, onTestFinished, test } from 'vitest'
import { clientOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import type { Redirect } from './web/document.ts'
import { type Consent, createWeb } from './web-server.ts'

const soon = { interval: 2 }
const script = '(svcContent=>{})({})\n'
const pages: Record<string, Condition> = {
  pricing: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
}

/** Half of the visitors of a page get the variation `other`. */
const test50 = (changes: Partial<Flag> = {}, id = '12'): Flag =>
  flagOf('original', {
    variations: { original: 'original', other: 'other' },
    defaultVariation: 'original',
    rules: [
      {
        ...{ id, type: 'AB_TEST', when: { all: [] }, bucketBy: ['targetingKey'], hashVersion: 1, salt: 's' },
        ...{ traffic: 10_000 },
        split: [
          { variation: 'original', end: 5000 },
          { variation: 'other', end: 10_000 },
        ],
      },
    ],
    ...changes,
  })

const documentOf = (revision: number, redirect: Redirect | null = null, settings: object = {}) => ({
  schemaVersion: 1,
  revision,
  settings: { consent: 'NOT_REQUIRED', pending: 'HOLD', cookieDomain: null, ...settings },
  experiments: [{ key: 'x12', pages, variations: { other: { redirect } } }],
  goals: [],
})

/** A service with these files, whose answers a test can change. */
async function serviceOf(document: object, flagKeys: readonly string[], status: number) {
  const state = { document, revision: 5, script, status }
  const asked: [path: string, etag: string | undefined][] = []
  const sent: { events: Record<string, unknown>[] }[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
      if (body.events) sent.push(body)
      return response.end('{"accepted":1,"duplicates":0,"rejected":[]}')
    }
    const path = request.url!
    asked.push([path, request.headers['if-none-match']])
    const isFile = path.includes('/datafile/')
    if (state.status !== 200 && !isFile) return response.writeHead(state.status).end()
    const body = isFile
      ? JSON.stringify(
          datafileOf(state.revision, Object.fromEntries(flagKeys.map((key) => [key, test50({}, key.slice(1))]))),
        )
      : path.endsWith('.js')
        ? state.script
        : JSON.stringify(state.document)
    const etag = `"${hash('sha256', String(body))}"`
    response.writeHead(request.headers['if-none-match'] === etag ? 304 : 200, { etag })
    response.end(request.headers['if-none-match'] === etag ? undefined : body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { state, asked, sent, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function webOf(document: object = documentOf(5), flagKeys: readonly string[] = ['x12'], status = 200) {
  const service = await serviceOf(document, flagKeys, status)
  const { client, time, warnings, told } = clientOfTest({ baseUrl: service.baseUrl })
  const web = createWeb({ client })
  /** Only the polls of the data file and of the content wait. */
  const idle = () => expect.poll(() => time.pending().length, soon).toBe(2)
  return { ...service, client, time, warnings, told, web, idle }
}

const url = 'https://shop.example/pricing?a=1'
const evaluator = compile(datafileOf(5, { x12: test50() }))
const visitorWith = (variationKey: string) =>
  Array.from({ length: 100 }, (_, index) => `v-${index}`).find(
    (targetingKey) => evaluator.evaluate('x12', { targetingKey }).variationKey === variationKey,
  )!
/** A visitor of each variation. */
const visitors = { original: visitorWith('original'), other: visitorWith('other') }
const view = (id: string, more: object = {}) => ({ url, visitor: { id, isNew: true }, ...more })

test('a visitor gets a variation on the pages of an experiment only', async () => {
  const { web, sent, client } = await webOf()
  expect(web.decide(view('v-1'))).toEqual({ experiments: [], redirect: null, setCookie: null })
  expect(await web.waitUntilReady()).toBe(true)
  for (const [variationKey, id] of Object.entries(visitors))
    expect(web.decide(view(id))).toEqual({
      experiments: [{ key: 'x12', variationKey, pages: ['pricing'], reason: 'SPLIT' }],
      redirect: null,
      setCookie: null,
    })
  expect(web.decide({ ...view('v-1'), url: 'https://shop.example/' }).experiments).toEqual([])
  await client.flush()
  expect(sent).toEqual([])
})

test('visitors of an experiment with a redirect are counted in every arm, once, with facts and the user agent', async () => {
  const { web, sent, client } = await webOf(documentOf(5, { url: 'https://shop.example/b', keepQuery: true }))
  await web.waitUntilReady()
  const more = { userAgent: 'Mozilla/5.0', referrer: 'https://search.example/?q=x', attributes: { language: 'nl' } }
  for (const id of [visitors.original, visitors.other, visitors.other]) web.decide(view(id, more))
  expect(web.decide(view(visitors.original)).redirect).toBe(null)
  expect(web.decide(view(visitors.other)).redirect).toBe('https://shop.example/b?a=1')
  await client.flush()
  const context = { language: 'nl', visitor: 'new', referrer: 'search.example', userAgent: 'Mozilla/5.0' }
  expect(sent.flatMap(({ events }) => events)).toMatchObject(
    Object.entries(visitors).map(([variationKey, unit]) => ({
      ...{ type: 'exposure', unit, flagKey: 'x12', ruleId: '12', variationKey, reason: 'SPLIT', context },
    })),
  )
})

test.each<[string, [plain: boolean, first: boolean, second: boolean], string[], string | null]>([
  ['goes by the first redirect alone', [true, true, true], ['x13'], 'https://shop.example/13'],
  ['goes by the second redirect if the first is the page', [true, false, true], ['x14'], 'https://shop.example/14'],
  ['stays if both redirects lead to the page', [true, false, false], ['x12', 'x13', 'x14'], null],
])('a visitor %s, and is counted where the script counts', async (_does, leads, expected, redirect) => {
  const keys = ['x12', 'x13', 'x14']
  const [plain, ...redirecting] = keys.map((key, index) => {
    const target = leads[index] ? `https://shop.example/${key.slice(1)}` : 'https://shop.example/pricing'
    return { key, pages, variations: { other: { redirect: index ? { url: target, keepQuery: false } : null } } }
  })
  const document = { ...documentOf(5), experiments: [plain, ...redirecting] }
  const { web, sent, client } = await webOf(document, keys)
  await web.waitUntilReady()
  const visit = web.decide(view(visitors.other))
  expect(visit.experiments.map(({ key }) => key)).toEqual(expected)
  expect(visit.redirect).toBe(redirect)
  await client.flush()
  expect(sent.flatMap(({ events }) => events.map(({ flagKey }) => flagKey))).toEqual(
    expected.filter((key) => key !== 'x12'),
  )
})

const settings = (consent: string, pending: string) => ({ consent, pending })
const known = { visitor: { id: visitors.other, isNew: false } }
test.each<[string, object, object & { consent?: Consent }, [takesPart: boolean, isSent: boolean]]>([
  ['not asked for', settings('NOT_REQUIRED', 'HOLD'), {}, [true, true]],
  ['not asked for, but refused', settings('NOT_REQUIRED', 'HOLD'), { consent: false }, [false, false]],
  ['required', settings('REQUIRED', 'HOLD'), {}, [false, false]],
  ['required and open', settings('REQUIRED', 'HOLD'), { consent: 'PENDING' }, [false, false]],
  ['required and given', settings('REQUIRED', 'HOLD'), { consent: true }, [true, true]],
  ['required and refused', settings('REQUIRED', 'APPLY'), { consent: false, ...known }, [false, false]],
  ['required, open and applied to a new visitor', settings('REQUIRED', 'APPLY'), {}, [false, false]],
  ['required, open and applied to a known visitor', settings('REQUIRED', 'APPLY'), known, [true, false]],
])('while consent is %s, it is kept', async (_name, given, more, [takesPart, isSent]) => {
  const plain = await webOf(documentOf(5, null, given))
  const redirecting = await webOf(documentOf(5, { url: 'https://shop.example/b', keepQuery: false }, given))
  for (const { web } of [plain, redirecting]) await web.waitUntilReady()
  expect(plain.web.decide(view(visitors.other, more)).experiments).toHaveLength(takesPart ? 1 : 0)
  expect(redirecting.web.decide(view(visitors.other, more)).redirect).toBe(isSent ? 'https://shop.example/b' : null)
  await redirecting.client.flush()
  expect(redirecting.sent).toHaveLength(isSent ? 1 : 0)
  const { setCookie } = plain.web.visitor('', more)
  expect(setCookie !== null).toBe(takesPart && isSent)
})

test('a visitor keeps the id, and a new one gets a cookie for a year', async () => {
  const { web } = await webOf(documentOf(5, null, { cookieDomain: 'shop.example' }))
  expect(web.visitor(null).setCookie).toBe(null)
  await web.waitUntilReady()
  const end = 'Path=/; Max-Age=31536000; Secure; SameSite=Lax; Domain=shop.example'
  expect(web.visitor('svc_id=v-1')).toEqual({ id: 'v-1', isNew: false, setCookie: `svc_id=v-1; ${end}`, kept: '' })
  const { id, isNew, setCookie } = web.visitor('svc_id=a b')
  expect([isNew, setCookie]).toEqual([true, `svc_id=${id}; ${end}`])
  expect(id).toMatch(/^[0-9a-f]{32}$/)
})

test('a visitor who refuses loses the cookies, and who has none gets none', async () => {
  const { web } = await webOf(documentOf(5, null, { cookieDomain: 'shop.example' }))
  const refused = { consent: false }
  expect(web.visitor('svc_id=v-1', refused).setCookie).toBe(null)
  await web.waitUntilReady()
  const gone = 'svc_id=; Path=/; Max-Age=0; Secure; SameSite=Lax; Domain=shop.example'
  expect(web.visitor('svc_id=v-1', refused)).toEqual({ id: 'v-1', isNew: false, setCookie: gone, kept: '' })
  expect(web.visitor('', refused).setCookie).toBe(null)
  expect(web.visitor('svc_id=v-1', { consent: 'PENDING' }).setCookie).toBe(null)
  const cookieAfter = (kept: string, consent: Consent) =>
    web.decide({ ...view('v-1'), visitor: { id: 'v-1', isNew: false, kept }, consent }).setCookie
  expect(cookieAfter('1a:price', false)).toBe(gone.replace('svc_id', 'svc_kept'))
  expect([cookieAfter('', false), cookieAfter('1a:price', 'PENDING')]).toEqual([null, null])
})

test('a page gets the script with what it cannot know, and nothing before there is one', async () => {
  const { web } = await webOf()
  expect(web.inline({ nonce: 'n' })).toBe('')
  await web.waitUntilReady()
  expect(web.inline()).toBe(`<script>${script}</script>`)
  expect(web.script()).toBe(script)
  expect(web.script({ attributes: { visits: 1n } })).toBe('')
  expect(web.inline({ nonce: 'n', visitor: { isNew: true }, attributes: { plan: 'pro' } })).toBe(
    `<script nonce="n">((self.svc??={}).q??=[]).push(["setAttributes",{"visitor":"new","visitor.isNew":true,"plan":"pro"}]);${script}</script>`,
  )
  expect(web.inline({ visitor: { isNew: false } })).toBe(`<script>${script}</script>`)
})

test('a new revision of the client brings new content at once, and polls ask with the ETag', async () => {
  const { web, state, time, client, asked, idle } = await webOf()
  await web.waitUntilReady()
  state.revision = 6
  state.document = { ...documentOf(6), experiments: [] }
  state.script = 'run()'
  await client.refresh()
  await expect.poll(() => web.inline(), soon).toBe('<script>run()</script>')
  await expect.poll(() => web.decide(view('v-1')).experiments, soon).toEqual([])
  await idle()
  const before = asked.length
  time.advance(30_000)
  await expect.poll(() => asked.length, soon).toBe(before + 3)
  expect(asked.slice(before).every(([, etag]) => etag !== undefined)).toBe(true)
})

test.each<[string, object, RegExp]>([
  ['answers with an error', { status: 503 }, /v1\/web\/sdk_1.json: HTTP 503/],
  ['is of a project of flags', { status: 404 }, /HTTP 404, is the SDK key right\?/],
  ['sends a different document', { document: { schemaVersion: 2 } }, /not a web document/],
  ['sends an older document', { document: documentOf(4) }, /revision 4 is older than 5/],
  ['sends no JSON', { document: undefined }, /not valid JSON|web document|Unexpected end/],
  ['sends a script that would end its element', { script: '"</script>"' }, /cannot be written/],
])('when the service %s, the last good content stays, and it is told once', async (_what, change, message) => {
  const { web, state, time, client, warnings, told, idle } = await webOf()
  await web.waitUntilReady()
  const errors: string[] = []
  client.on('error', ({ message }) => errors.push(message))
  Object.assign(state, change)
  for (const [count, afterMs] of [
    [1, 30_000],
    [2, 1_000],
  ] as const) {
    await idle()
    time.advance(afterMs)
    await expect.poll(() => errors.length, soon).toBe(count)
  }
  for (const error of errors) expect(error).toMatch(message)
  expect(warnings.filter((each) => each.includes('no new web experiments'))).toHaveLength(1)
  expect(told).not.toContain('stale')
  expect(web.decide(view('v-1')).experiments).toHaveLength(1)
  expect(web.inline()).toBe(`<script>${script}</script>`)
})

test('it ends with the client: a wait resolves, and nothing is asked any more', async () => {
  const { web, state, client, asked, time } = await webOf()
  state.status = 503
  const wait = web.waitUntilReady()
  await client.close()
  expect(await wait).toBe(false)
  expect(await web.waitUntilReady()).toBe(false)
  const before = asked.length
  time.advance(100_000)
  expect(asked).toHaveLength(before)
  expect(time.pending()).toEqual([])
})

test('an offline client asks for nothing, and a wait does not wait', async () => {
  const { client, sent } = clientOfTest({ offline: true })
  const web = createWeb({ client })
  expect([await web.waitUntilReady(), web.inline(), sent]).toEqual([false, '', []])
})

test.each<[string, unknown]>([
  ['a relative address', { url: '/pricing', visitor: { id: 'v-1', isNew: true } }],
  ['no visitor', { url }],
  ['nothing', undefined],
])('%s gives no decision and a warning', async (_what, request) => {
  const { web, warnings } = await webOf()
  await web.waitUntilReady()
  expect(web.decide(request as never)).toEqual({ experiments: [], redirect: null, setCookie: null })
  expect(warnings).toEqual(['Svc: decide needs an absolute url and a visitor'])
})

test('null is as good as no options', async () => {
  const { web } = await webOf()
  expect(await web.waitUntilReady(null as never)).toBe(true)
  expect(web.visitor('svc_id=v-1', null as never)).toEqual(web.visitor('svc_id=v-1'))
  const element = `<script>${script}</script>`
  for (const options of [null, { nonce: null }, { visitor: null, attributes: null }])
    expect(web.inline(options as never)).toBe(element)
  expect(web.script(null as never)).toBe(script)
})

test('requests wait once for a service that is down, and get its content when it answers', async () => {
  const { web, state, time, idle } = await webOf(documentOf(5), ['x12'], 503)
  const wait = web.waitUntilReady({ timeoutMs: 500 })
  time.advance(500)
  expect(await wait).toBe(false)
  for (let request = 0; request < 2; request += 1) {
    const next = web.waitUntilReady({ timeoutMs: 500 })
    time.advance(0)
    expect(await next).toBe(false)
  }
  state.status = 200
  await idle()
  time.advance(1_000)
  await expect.poll(() => web.inline(), soon).not.toBe('')
  expect(await web.waitUntilReady({ timeoutMs: 500 })).toBe(true)
})

test.each([{}, { client: {} }, { client: null }])('%j is refused', (options) => {
  expect(() => createWeb(options as never)).toThrow('createWeb: client must come from createClient of @svc/sdk')
})
