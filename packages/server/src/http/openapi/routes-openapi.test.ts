import { afterAll, beforeAll, expect, test } from 'vitest'
import { neededScopes } from '../../../testing/needed-scopes.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { openBrowser } from '../../../testing/sessions.ts'
import { ineffectiveScopes, scopes } from '../../catalogue/scopes.ts'

interface Operation {
  operationId: string
  description?: string
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref?: string; properties?: object } }> }
}

let service: TestService
let operations: Operation[]
let schemas: Record<string, { properties?: object }>

beforeAll(async () => {
  service = await startTestService()
  const { paths, components } = service.app.swagger() as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: typeof schemas }
  }
  schemas = components.schemas
  operations = Object.values(paths).flatMap((methods) => Object.values(methods))
})
afterAll(() => service.close())

const named = (id: string) => operations.find(({ operationId }) => operationId === id)!

test.each(['runEnvironmentOfFlag', 'deleteFlag', 'resendInvitation', 'signOut', 'rotateServiceToken'])(
  '%s accepts no body, and the document requires none',
  (id) => expect(named(id)).not.toHaveProperty('requestBody'),
)

test.each(['createFlag', 'updateFlag', 'signIn'])('%s requires a body', (id) => {
  const { requestBody } = named(id)
  expect(requestBody!.required).toBe(true)
})

test('no body in the document is an empty object', () => {
  for (const { operationId, requestBody } of operations)
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      const { properties } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
      if (properties) expect(Object.keys(properties), operationId).not.toEqual([])
    }
})

test('a scope is marked as ineffective exactly if no public route requires it', () => {
  const needed = new Set(operations.flatMap(({ description }) => neededScopes(description)))
  const unused = scopes.filter((scope) => scope !== 'admin:*' && !needed.has(scope))
  expect([...ineffectiveScopes]).toEqual(unused)
})

test.each([undefined, {}])('a write without a body is answered when it sends %j', async (body) => {
  expect((await openBrowser(service).call('POST', '/api/dashboard/sign-out', body)).status).toBe(200)
  const withToken = await service.call(service.people.admin, 'DELETE', '/api/v1/roles/none', body)
  expect([withToken.status, withToken.body.error.code]).toEqual([404, 'not_found'])
})
