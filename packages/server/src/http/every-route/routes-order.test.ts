import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestRoutes } from '../../../testing/routes.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { refuse } from '../../catalogue/refusals.ts'
import { checksInOrder } from '../route.ts'

let service: TestService
let app: FastifyInstance
const limit = 40

/** A route with every check. `state=closed` in the path of a thing fails the last one. */
beforeAll(async () => {
  service = await startTestService()
  app = await startTestRoutes(
    service,
    (route) =>
      route({
        method: 'PUT',
        url: '/things/:thing',
        operationId: 'replaceThing',
        summary: 'Replace a thing',
        tag: 'Thing',
        scope: 'webhooks:write',
        feature: 'integrations_api_export',
        params: { thing: z.string() },
        body: z.strictObject({ size: z.int() }),
        data: z.null(),
        conditional: true,
        find: async ({ thing }) => (thing === 'missing' ? undefined : thing),
        alsoNeeds: { scope: 'metrics:write', for: 'a closed thing', isNeededFor: (thing) => thing === 'closed' },
        handle: async ({ found, ifMatch }) =>
          ifMatch('"t7"') ??
          (found === 'closed'
            ? refuse('invalid_state', 'It is closed.', { current: 'CLOSED', allowed: ['OPEN'] })
            : { data: null }),
      }),
    { perMinute: { read: limit, write: limit } },
  )
})
afterAll(async () => {
  await app.close()
  await service.close()
})

interface Request {
  token: string
  organization?: string
  thing: string
  body: unknown
  etag: string
}

async function put({ token, organization, thing, body, etag }: Request) {
  const response = await app.inject({
    method: 'PUT',
    url: `/things/${thing}`,
    headers: {
      authorization: `Bearer ${token}`,
      'x-svc-if-match': etag,
      ...(organization && { 'svc-org-id': organization }),
    },
    payload: body as object,
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

const setFeatures = (features: string[]) =>
  sql`update organizations set features = ${features}::text[] where name = 'Acme'`.execute(service.db)

const setScopes = (scopes: string[]) =>
  sql`update tokens set scopes = ${scopes}::text[] where name = 'nothing'`.execute(service.db)

test('a request that breaks every rule gets the first refusal, and the next one after each correction', async () => {
  const { people } = service
  const used = { ...people }
  let request: Request = {
    token: 'svc_svc_unknown',
    organization: '2',
    thing: 'missing',
    body: { size: 'big' },
    etag: '"t6"',
  }
  await setFeatures([])
  const answers: [string, number, string][] = []
  const mend = async (check: string, mended: Partial<Request>, act?: () => Promise<unknown>) => {
    const { status, body } = await put(request)
    answers.push([check, status, body.error.code])
    request = { ...request, ...mended }
    await act?.()
  }
  await exhaust(used.flagsRead, '1')
  await mend('credential', { token: used.flagsRead })
  await mend('organization', { organization: '1' })
  await mend('rate limit', { token: used.noScopes })
  await mend('plan feature', {}, () => setFeatures(['integrations_api_export']))
  await mend('scope', {}, () => setScopes(['webhooks:write']))
  await mend('existence', { thing: 'closed' })
  await mend('scope of what was found', {}, () => setScopes(['webhooks:write', 'metrics:write']))
  await mend('body', { body: { size: 7 } })
  await mend('precondition', { etag: '"t7"' })
  await mend('state', { thing: 'open' })
  expect(answers).toEqual([
    ['credential', 401, 'unauthorized'],
    ['organization', 404, 'not_found'],
    ['rate limit', 429, 'rate_limited'],
    ['plan feature', 403, 'feature_disabled'],
    ['scope', 403, 'scope_missing'],
    ['existence', 404, 'not_found'],
    ['scope of what was found', 403, 'scope_missing'],
    ['body', 400, 'validation_failed'],
    ['precondition', 412, 'precondition_failed'],
    ['state', 409, 'invalid_state'],
  ])
  expect(answers.map(([check]) => check)).toEqual([...checksInOrder])
  expect(await put(request)).toMatchObject({ status: 200, body: { data: null } })
})

async function exhaust(token: string, organization: string) {
  for (let count = 0; count < limit; count += 1)
    await put({ token, organization, thing: 'open', body: { size: 1 }, etag: '*' })
}

const asAdmin = (edit: Partial<Request> = {}) =>
  put({ token: service.people.admin, thing: 'open', body: { size: 1 }, etag: '*', ...edit })

test('the refusal names the feature that the organization does not have', async () => {
  await setFeatures([])
  const { status, body } = await asAdmin()
  await setFeatures(['integrations_api_export'])
  expect([status, body.error.code, body.error.details]).toEqual([
    403,
    'feature_disabled',
    { feature: 'integrations_api_export' },
  ])
})

test('a failed precondition reports the current ETag', async () => {
  const { status, body } = await asAdmin({ etag: '"t6"' })
  expect([status, body.error.details]).toEqual([412, { expected: '"t7"' }])
})

test('a refused state reports the state', async () => {
  const { status, body } = await asAdmin({ thing: 'closed' })
  expect([status, body.error.details]).toEqual([409, { current: 'CLOSED', allowed: ['OPEN'] }])
})

test('an unreadable body is reported after a missing resource', async () => {
  const send = (thing: string) =>
    app.inject({
      method: 'PUT',
      url: `/things/${thing}`,
      headers: { authorization: `Bearer ${service.people.admin}`, 'content-type': 'application/xml' },
      payload: '<size/>',
    })
  expect([(await send('missing')).statusCode, (await send('open')).statusCode]).toEqual([404, 415])
})
