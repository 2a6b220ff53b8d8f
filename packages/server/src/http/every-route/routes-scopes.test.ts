import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../testing/service.ts'

const id = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'

const service = await startTestService()
afterAll(() => service.close())

const project = `/api/v1/projects/${id}`
const flag = `${project}/flags/${id}`
const env = `${flag}/envs/${id}`

/** The tables of the API, row by row. */
test.each([
  ['GET', `${project}/flags`, 'flags:read'],
  ['POST', `${project}/flags`, 'flags:write'],
  ['GET', flag, 'flags:read'],
  ['PATCH', flag, 'flags:write'],
  ['DELETE', flag, 'flags:write'],
  ['POST', `${flag}/archive`, 'flags:write'],
  ['POST', `${flag}/unarchive`, 'flags:write'],
  ['PUT', `${flag}/variations`, 'flags:write'],
  ['POST', `${env}/pause`, 'flags:write'],
  ['POST', `${env}/run`, 'flags:write'],
  ['POST', `${env}/rules/${id}/pause`, 'flags:write'],
  ['POST', `${env}/rules/${id}/run`, 'flags:write'],
  ['PATCH', env, 'flags:write'],
  ['PUT', `${env}/overrides`, 'flags:write'],
  ['GET', `${env}/rules`, 'flags:read'],
  ['POST', `${env}/rules`, 'flags:write'],
  ['GET', `${env}/rules/${id}`, 'flags:read'],
  ['PATCH', `${env}/rules/${id}`, 'flags:write'],
  ['DELETE', `${env}/rules/${id}`, 'flags:write'],
  ['POST', `${env}/rules/${id}/duplicate`, 'flags:write'],
  ['POST', `${env}/rules/copy`, 'flags:write'],
  ['PUT', `${env}/rules/reorder`, 'flags:write'],
  ['GET', `${flag}/rules/${id}/results`, 'results:read'],
  ['GET', `${project}/environments`, 'projects:read'],
  ['POST', `${project}/environments`, 'projects:write'],
  ['GET', `${project}/environments/${id}`, 'projects:read'],
  ['PATCH', `${project}/environments/${id}`, 'projects:write'],
  ['DELETE', `${project}/environments/${id}`, 'projects:write'],
  ['POST', `${project}/environments/${id}/publish`, 'projects:write'],
  ['GET', `${project}/environments/${id}/sdk-keys`, 'projects:read'],
  ['POST', `${project}/environments/${id}/sdk-keys`, 'projects:write'],
  ['DELETE', `${project}/environments/${id}/sdk-keys/${id}`, 'projects:write'],
  ['GET', `${project}/environments/${id}/ingest-keys`, 'projects:read'],
  ['POST', `${project}/environments/${id}/ingest-keys`, 'projects:write'],
  ['DELETE', `${project}/environments/${id}/ingest-keys/${id}`, 'projects:write'],
  ['GET', '/api/v1/projects', 'projects:read'],
  ['POST', '/api/v1/projects', 'projects:write'],
  ['GET', project, 'projects:read'],
  ['PATCH', project, 'projects:write'],
] as const)('%s %s needs %s', async (method, path, scope) => {
  const { people } = service
  const without = await service.call(people.noScopes, method, path)
  expect([without.status, without.body.error.code, without.body.error.details]).toEqual([
    403,
    'scope_missing',
    { scope },
  ])
  expect(without.body.error.message).toContain(scope)
  const tokens = {
    'flags:read': people.flagsRead,
    'flags:write': people.flagsWrite,
    'projects:read': people.projectsRead,
    'projects:write': people.projectsWrite,
  }
  for (const [held, token] of Object.entries(tokens)) {
    const { status } = await service.call(token, method, path)
    expect([held, status === 403]).toEqual([held, held !== scope])
  }
  expect((await service.call(people.admin, method, path)).status).not.toBe(403)
})

test("a personal token has the scopes of its holder's role", async () => {
  const { viewer, editor, owner } = service.people
  const statuses = []
  for (const who of [viewer, editor, owner])
    statuses.push([
      (await service.call(who, 'GET', `${project}/flags`)).status,
      (await service.call(who, 'POST', `${project}/flags`)).status,
      (await service.call(who, 'POST', `${project}/environments`)).status,
    ])
  expect(statuses).toEqual([
    [404, 403, 403],
    [404, 404, 403],
    [404, 404, 404],
  ])
})

test('no public route creates, rotates or revokes tokens', async () => {
  const { body } = await service.call(null, 'GET', '/openapi.json')
  expect(Object.keys(body.paths).filter((path) => path.includes('token'))).toEqual([])
  for (const path of ['/api/v1/tokens', '/api/v1/service-tokens', '/api/v1/me/tokens'])
    expect((await service.call(service.people.admin, 'POST', path, {})).status).toBe(404)
})
