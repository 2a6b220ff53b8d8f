import { nearest } from '@svc/core'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { describedAnswers } from '../../../testing/described-answers.ts'
import { succeed } from '../../../testing/flags.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../testing/service.ts'
import { type Browser, signIn } from '../../../testing/sessions.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'
import { type OpenApiDocument, publicPart } from '../openapi/document.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const whole = await apiDescription()
const document = publicPart(whole)
const { faultsOf } = describedAnswers(document)
const operationsOf = ({ paths = {} }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase() as Method,
      path,
    })),
  )
const operations = operationsOf(document)
const inOrganization = operations.filter(({ path }) => path.startsWith('/api/v1/'))
const named = (id: string) => operations.find(({ operationId }) => operationId === id)!

let service: TestService
let project: TestProject
let ids: Record<string, string>
let browser: Browser

beforeAll(async () => {
  service = (await startWebhookTest()).service
  project = await createProject(service)
  ids = { ...(await oneOfEach(service)), sdkKey: project.production.sdkKey, revision: '1' }
  browser = await signIn(service, 'owner@svc.test')
})
afterAll(() => service.close())

const url = (path: string) => path.replace(/\{(\w+)\}/g, (_all, name: string) => idsOn(path, ids)[name] ?? 'none')

/** The query parameters without which a call is refused. */
const queries: Record<string, string> = { exportAuditEntries: '?format=csv', listEvents: '?after=0' }

test.each(inOrganization.filter(({ method }) => method === 'GET'))(
  '$operationId answers with the status, the headers and the body that the document describes',
  async (operation) => {
    const { admin } = service.people
    const answer = await service.call(admin, 'GET', `${url(operation.path)}${queries[operation.operationId] ?? ''}`)
    expect(answer.status, answer.text).toBe(200)
    expect(faultsOf(operation, answer)).toEqual([])
  },
)

describe.each(inOrganization)('$operationId', (operation) => {
  const { method, path, requestBody } = operation
  const body = requestBody && {}

  test('answers as described without a token, for a foreign organization and for a wrong field', async () => {
    const { admin, consultant } = service.people
    for (const [status, who, headers] of [
      [401, null, {}],
      [404, consultant, { 'svc-org-id': '00000000-0000-7000-8000-000000000000' }],
      [404, admin, { 'svc-org-id': '999999' }],
      [400, admin, { 'if-match': '"x"', 'idempotency-key': '\u0001' }],
    ] as const) {
      const answer = await service.call(who, method, url(path), body, headers)
      expect([answer.status, faultsOf(operation, answer)]).toEqual([status, []])
    }
  })

  test('answers other methods with 405 and Allow', async () => {
    const answer = await service.call(service.people.admin, 'OPTIONS', url(path))
    expect([answer.status, faultsOf(operation, answer)]).toEqual([405, []])
    expect(String(answer.headers.allow).split(', ')).toContain(method)
  })
})

test('a created resource, its repetition and a change have the headers that the document names', async () => {
  const url = `${project.path}/audiences`
  const wanted = { name: 'Dutch', conditions: { attribute: 'country', operator: 'equals', value: 'NL' } }
  const create = () => service.call(service.people.admin, 'POST', url, wanted, { 'idempotency-key': 'once' })
  const [created, replayed] = [await create(), await create()]
  expect([created.status, created.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([201, 'true'])
  for (const answer of [created, replayed]) expect(faultsOf(named('createAudience'), answer)).toEqual([])
  const one = `${url}/${created.body.data.id}`
  const change = (etag: string) =>
    service.call(service.people.admin, 'PATCH', one, { name: 'From NL' }, { 'x-svc-if-match': etag })
  const [refused, changed] = [await change('"a99"'), await change(String(created.headers.etag))]
  expect([refused.status, changed.status]).toEqual([412, 200])
  for (const answer of [refused, changed]) expect(faultsOf(named('updateAudience'), answer)).toEqual([])
  const taken = await service.call(service.people.admin, 'POST', url, { ...wanted, name: 'From NL' })
  expect([taken.status, faultsOf(named('createAudience'), taken)]).toEqual([409, []])
})

describe('a name that does not exist', () => {
  test.each(
    operationsOf(whole).filter(({ method, path }) => method === 'GET' && /^\/api\/v1\/projects\/.*\}$/.test(path)),
  )('of $path is named in the answer', async ({ path }) => {
    const { status, body } = await service.call(
      service.people.admin,
      'GET',
      url(path).replace(/[^/]+$/, 'no-such-name'),
    )
    expect([status, body.error.message]).toEqual([
      404,
      expect.stringMatching(/^[A-Z][\w ]+ "no-such-name" was not found/),
    ])
  })

  test('is compared with all keys, also where many begin alike', async () => {
    const { path, id } = await createProject(service)
    const keys = Array.from({ length: 1500 }, (_, n) => `item-${((n * 7919) % 46_656).toString(36).padStart(3, '0')}`)
    await sql`
      insert into holdouts (id, project_id, short_id, key, name, salt, share, created_at, updated_at)
      select gen_random_uuid(), ${id}, place, key, key, 'salt', 1, now(), now()
      from unnest(${keys}::text[]) with ordinality keys (key, place)`.execute(service.db)
    const sorted = keys.toSorted()
    const edit = fc.tuple(fc.nat(8), fc.constantFrom('add', 'remove', 'replace', 'swap'), fc.constantFrom(...'a9ZI-_é'))
    const mistyped = fc.tuple(fc.constantFrom(...keys), fc.array(edit, { maxLength: 3 })).map(([key, edits]) =>
      edits.reduce((text, [at, what, letter]) => {
        const [before, after] = [text.slice(0, at), text.slice(at)]
        if (what === 'add') return before + letter + after
        if (what === 'swap') return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)
        return before + (what === 'replace' ? letter : '') + after.slice(1)
      }, key),
    )
    await fc.assert(
      fc.asyncProperty(mistyped, async (name) => {
        fc.pre(name.length > 1 && !keys.includes(name))
        const answer = await service.call(service.people.admin, 'GET', `${path}/holdouts/${encodeURIComponent(name)}`)
        const [, meant] = /Did you mean "(.*)"\?$/.exec(answer.body.error.message) ?? []
        expect(meant).toBe(nearest(name, sorted))
      }),
      { numRuns: 40 },
    )
  })
})

describe('SDKs get what the document describes', () => {
  test('of data files: the file, 304 for its ETag, and 404', async () => {
    const operation = named('getDataFile')
    const file = await service.call(null, 'GET', url(operation.path))
    const known = await service.call(null, 'GET', url(operation.path), undefined, {
      'if-none-match': String(file.headers.etag),
    })
    const none = await service.call(null, 'GET', '/api/sdk/v1/datafile/none.json')
    expect([file.status, known.status, none.status]).toEqual([200, 304, 404])
    expect([file, known, none].flatMap((answer) => faultsOf(operation, answer))).toEqual([])
  })

  test('of data files with flags and rules', async () => {
    const { projectId, envId } = ids
    const environment = `/api/v1/projects/${projectId}/environments/${envId}`
    await succeed(service, 'DELETE', `/api/v1/projects/${projectId}/flags/flag/envs/${envId}/schedule`)
    await succeed(service, 'POST', `/api/v1/projects/${projectId}/flags/flag/envs/${envId}/run`)
    const { sdkKey } = await succeed(service, 'GET', environment)
    const file = await service.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)
    expect(Object.keys(file.body.flags)).toEqual(['flag'])
    expect(faultsOf(named('getDataFile'), file)).toEqual([])
  })

  test('of streams: a stream that begins, and 404', async () => {
    const operation = named('streamDataFileChanges')
    const begun = await service.call(null, 'HEAD', url(operation.path))
    const none = await service.call(null, 'GET', '/api/sdk/v1/stream/none')
    expect([begun.status, none.status]).toEqual([200, 404])
    expect([begun, none].flatMap((answer) => faultsOf(operation, answer))).toEqual([])
  })

  test('of heartbeats: success, and each refusal', async () => {
    const operation = named('sendHeartbeat')
    const beat = { sdkKey: ids.sdkKey, sdkType: 'node', sdkVersion: '1.0.0' }
    const send = (body: unknown, type = 'application/json') =>
      service.call(null, 'POST', operation.path, body, { 'content-type': type })
    const answers = [
      await send(beat),
      await send(JSON.stringify(beat), 'text/plain'),
      await send({}),
      await send({ ...beat, sdkKey: 'none' }),
      await send({ ...beat, more: 'x'.repeat(70_000) }),
      await send('<a/>', 'application/xml'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 413, 415])
    expect(answers.flatMap((answer) => faultsOf(operation, answer))).toEqual([])
  })

  test.each(['getDataFile', 'streamDataFileChanges', 'sendHeartbeat'])('of %s with another method: 405', async (id) => {
    const operation = named(id)
    const answer = await service.call(null, 'PUT', url(operation.path))
    expect([answer.status, faultsOf(operation, answer)]).toEqual([405, []])
  })
})

describe('without its body', () => {
  const withBody = operationsOf(whole).filter(({ requestBody }) => requestBody)
  const send = ({ method, path }: (typeof withBody)[number]) => {
    if (path.startsWith('/api/dashboard/')) return browser.call(method, url(path))
    if (path.startsWith('/api/v1/')) return service.call(service.people.admin, method, url(path))
    // Codes of the editor are taken from its own page only.
    const headers = { authorization: `Bearer ${ids.sdkKey}`, origin: service.baseUrl }
    return service.call(null, method, url(path), undefined, headers)
  }

  test.each(withBody.filter(({ requestBody }) => requestBody!.required))('$operationId is refused', async (operation) =>
    expect((await send(operation)).status).toBe(400),
  )

  // The state is checked after the body.
  test.each(withBody.filter(({ requestBody }) => !requestBody!.required))(
    '$operationId is answered, or refused for the state',
    async (operation) => expect([200, 201, 202, 409]).toContain((await send(operation)).status),
  )
})

test('too many requests are answered as described', async () => {
  const settings = { SVC_RATE_LIMIT_READ: '1', SVC_RATE_LIMIT_WRITE: '1' }
  const limited = await startTestService({ settings })
  try {
    const { path } = await createProject(limited)
    const list = () => limited.call(limited.people.admin, 'GET', `${path}/webhooks`)
    await list()
    const refused = await list()
    expect([refused.status, faultsOf(named('listWebhooks'), refused)]).toEqual([429, []])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    await limited.close()
  }
})
