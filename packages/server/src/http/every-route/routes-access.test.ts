import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { alsoNeededScopes, neededScopes } from '../../../testing/needed-scopes.ts'
import { newServiceToken } from '../../../testing/people.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import type { TestService } from '../../../testing/service.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'
import { scopes } from '../../catalogue/scopes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const { paths } = (await apiDescription()) as unknown as {
  paths: Record<string, Record<string, { description: string }>>
}
const routes = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description }]) => ({
      method: method.toUpperCase() as Method,
      path,
      needed: neededScopes(description),
      also: alsoNeededScopes(description),
    })),
  )

let service: TestService
let mine: Record<string, string>
let foreign: Record<string, string>
/** Service tokens of Acme, by their scopes or by the scope that they lack. */
const tokens = new Map<string, string>()

beforeAll(async () => {
  service = (await startWebhookTest()).service
  mine = { ...(await oneOfEach(service)), revision: '0' }
  foreign = await oneOfEach(service, service.people.stranger)
  for (const needed of routes.flatMap((route) => [route.needed, [...route.needed, ...route.also]]))
    if (needed.length > 0 && !tokens.has(`${needed}`)) tokens.set(`${needed}`, await newServiceToken(service, needed))
  for (const scope of new Set(routes.flatMap(({ needed, also }) => [...needed, ...also])))
    tokens.set(
      `all but ${scope}`,
      await newServiceToken(
        service,
        scopes.filter((each) => each !== scope && each !== 'admin:*'),
      ),
    )
})
afterAll(() => service.close())

const ofSite = () => ({
  projectId: mine.webProjectId!,
  envId: mine.webEnvId!,
  experimentId: mine.webExperimentId!,
})

async function answerTo({ method, path }: { method: Method; path: string }, token: string | null, ids = mine) {
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => idsOn(path, ids)[name] ?? crypto.randomUUID())
  // No route knows this field. A route that reads its body refuses it, so nothing changes.
  const body = method === 'GET' ? undefined : { 'unknown to all': true }
  const { status, body: answer } = await service.call(token, method, url, body)
  const { code, details, message } = answer?.error ?? {}
  return [status, code, details ? details.scope : code === 'scope_missing' ? scopeIn(message) : undefined]
}

/** A route in a protocol of others has no details. It names the scope in its message only. */
const scopeIn = (message: string): string | undefined => /\b[a-z_]+:(?:read|write|\*)/.exec(message)?.[0]

test('only these routes accept any valid credential', () => {
  expect(routes.length).toBeGreaterThan(70)
  expect(routes.filter(({ needed }) => needed.length === 0).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/me',
    // Each of its lists needs a scope; the test of the route covers them.
    'GET /api/v1/projects/{projectId}/index',
    // It reads no data.
    'POST /api/v1/calculators/sample-size',
    // Each kind needs its scope; the test of the route covers them.
    'POST /api/v1/names',
  ])
})

/** Foreign children of one's own project and invalid ids are tested in routes-isolation, roles in routes-role-table. */
describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  // The experiment is of the type FEATURE, for which its writes need two scopes. The project has the type FEATURE_FLAG.
  const { also } = route
  const isOfTests = /\/experiments|\/measure$/.test(route.path)
  const needed = [...route.needed, ...(isOfTests ? also : [])]
  const hasIds = route.path.includes('{')

  test('refuses requests without a valid token', async () => {
    expect(await answerTo(route, null)).toEqual([401, 'unauthorized', undefined])
    expect(await answerTo(route, 'svc_svc_none')).toEqual([401, 'unauthorized', undefined])
    expect(await answerTo(route, service.people.expired)).toEqual([401, 'token_expired', undefined])
  })

  if (needed.length === 0) return

  test.each(needed)('refuses a token with all scopes except %s', async (scope) => {
    expect(await answerTo(route, tokens.get(`all but ${scope}`)!)).toEqual([403, 'scope_missing', scope])
  })

  test(`accepts a token with only ${needed.join(' and ')}`, async () => {
    const [status, code] = await answerTo(route, tokens.get(`${needed}`)!)
    if (route.method === 'GET') expect([200, 400, 404], code).toContain(status)
    // A file can have anything in it. What is wrong with it is the answer.
    else if (/\/sources\/\{sourceId\}\/(?:preview|uploads)$/.test(route.path)) expect([200, 202]).toContain(status)
    else expect([status, code]).toEqual([400, 'validation_failed'])
  })

  if (!hasIds) return

  test('hides resources of other organizations', async () => {
    expect(await answerTo(route, tokens.get(`${needed}`)!, foreign)).toEqual([404, 'not_found', undefined])
  })
})

const withSecond = routes.filter(({ also, path }) => also.length > 0 && !path.endsWith('/measure'))

test.each(withSecond.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s needs a second scope in the projects of one type only',
  async (_name, route) => {
    const [status, code, scope] = await answerTo(route, tokens.get(`${route.needed}`)!, { ...mine, ...ofSite() })
    const isOfExperiments = route.path.includes('/experiments')
    expect([status, code, scope]).toEqual(
      isOfExperiments ? [400, 'validation_failed', undefined] : [403, 'scope_missing', route.also[0]],
    )
  },
)
