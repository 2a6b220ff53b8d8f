import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import type { Schema } from '../../../testing/schema-bodies.ts'
import type { Answer, TestService } from '../../../testing/service.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Operation {
  parameters?: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}

const description = (await apiDescription()) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = Object.entries(description.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, path, method: method.toUpperCase() as Method })),
  )
const resolved = (schema: Schema): Schema =>
  schema.$ref ? description.components.schemas[schema.$ref.split('/').at(-1)!]! : schema

const writes = operations.flatMap(({ requestBody, ...operation }) => {
  const schema = requestBody?.content['application/json']?.schema
  // A file can have anything in it.
  return schema && resolved(schema).format !== 'binary' ? [{ ...operation, schema }] : []
})

let service: TestService
let ids: Record<string, string>

beforeAll(async () => {
  service = (await startWebhookTest()).service
  ids = { ...(await oneOfEach(service)), revision: '1' }
})
afterAll(() => service.close())

const url = (path: string) => path.replace(/\{(\w+)\}/g, (_all, name: string) => idsOn(path, ids)[name] ?? 'none')
const send = (method: Method, path: string, body?: unknown) =>
  service.call(service.people.admin, method, url(path), body)

/** A value of a type that the schema refuses, nested like the schema. */
function wrong(schema: Schema, isDeep: boolean): unknown {
  const { oneOf, anyOf, type, properties, items } = resolved(schema)
  if (oneOf ?? anyOf) return isDeep ? wrong((oneOf ?? anyOf)![0]!, isDeep) : 7
  if (isDeep && properties)
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, wrong(each, isDeep)]))
  if (isDeep && items) return [wrong(items, isDeep)]
  return type === 'string' || type === undefined ? 7 : 'wrong'
}

/** A body in which each field has the value that `chosen` makes for its schema. */
function flat(schema: Schema, chosen: (field: Schema) => unknown): object {
  const { oneOf, anyOf } = resolved(schema)
  const whole = resolved(oneOf?.[0] ?? anyOf?.[0] ?? schema)
  return Object.fromEntries(Object.entries(whole.properties ?? {}).map(([name, each]) => [name, chosen(each)]))
}
/** An empty object is wrong for a field, unless any object is right. */
const emptyOf = (field: Schema) => (resolved(field).type === 'object' ? [] : {})

function pathText(path: (string | number)[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text.replace(/^\./, '') || 'The body'
}

function expectNamed(request: string, { status, body }: Answer): void {
  expect(status, request).toBe(400)
  const { code, message, details } = body.error
  expect(code, request).toBe('validation_failed')
  // A route in a protocol of others has the message only, which begins with the field.
  const { issues } = (details ?? { issues: [{ path: [/^\w+/.exec(message)![0]], message }] }) as {
    issues: { path: (string | number)[]; message: string }[]
  }
  expect(message, request).toBe(
    issues.length === 1 ? issues[0]!.message : `${issues[0]!.message} (and ${issues.length - 1} more)`,
  )
  for (const issue of issues) {
    expect(issue.message.startsWith(pathText(issue.path)), `${request}: ${JSON.stringify(issue)}`).toBe(true)
    expect(issue.message, request).toMatch(/[.?]$/)
    expect(issue.message, request).not.toMatch(/Invalid|expected|received|Too (small|big)|undefined/)
  }
}

test.each(writes.map((write) => [`${write.method} ${write.path}`, write] as const))(
  '%s says for each wrong field what to send',
  async (request, { method, path, schema }) => {
    expectNamed(request, await send(method, path, []))
    expectNamed(request, await send(method, path, { 'unknown to all': true }))
    const fields = flat(schema, (field) => wrong(field, false))
    if (Object.keys(fields).length === 0) return
    expectNamed(request, await send(method, path, fields))
    expectNamed(request, await send(method, path, flat(schema, emptyOf)))
    expectNamed(request, await send(method, path, wrong(schema, true)))
    const required = schema.oneOf?.[0]?.required ?? schema.required ?? []
    if (required.length > 0) expectNamed(request, await send(method, path, {}))
  },
)

const edits = operations.filter(({ method, requestBody }) => method === 'PATCH' && requestBody)
/** The fields of an object, or of all forms of one. */
const fieldsOf = (schema: Schema): string[] => {
  const { properties, oneOf, anyOf } = resolved(schema)
  return [...Object.keys(properties ?? {}), ...(oneOf ?? anyOf ?? []).flatMap(fieldsOf)]
}
const bodyOf = ({ requestBody }: Operation): Schema => requestBody!.content['application/json']!.schema

test.each(edits.map((edit) => [edit.path, edit] as const))(
  'PATCH %s says of each field that is read or created, and cannot be changed, that it cannot',
  async (path, edit) => {
    const answer = Object.entries(edit.responses).find(([status]) => status.startsWith('2'))![1]
    const { data } = resolved(answer.content['application/json']!.schema).properties!
    const creation = operations.find(
      (each) => each.method === 'POST' && each.requestBody && each.path === path.slice(0, path.lastIndexOf('/')),
    )
    const editable = fieldsOf(bodyOf(edit))
    const fixed = new Set(
      [...fieldsOf(data!), ...(creation ? fieldsOf(bodyOf(creation)) : [])].filter(
        (field) => !editable.includes(field),
      ),
    )
    expect(fixed.size).toBeGreaterThan(0)
    const refused = await send('PATCH', path, Object.fromEntries([...fixed].map((field) => [field, null])))
    expectNamed(path, refused)
    const { issues } = refused.body.error.details as { issues: { path: string[]; message: string }[] }
    expect(issues.map((issue) => issue.path[0]).sort()).toEqual([...fixed].sort())
    for (const { message } of issues)
      expect(message).toMatch(/ (is read-only|cannot be changed|is set by the creation)/)
  },
)

test('the message about an unknown field or parameter suggests the one that was meant', async () => {
  const messageOf = async (method: Method, path: string, body?: unknown) =>
    (await send(method, path, body)).body.error.message
  const project = '/api/v1/projects/{projectId}'
  const messages = [
    await messageOf('POST', `${project}/environments/{envId}/publish`, { dryrun: true }),
    await messageOf('GET', `${project}/flags?limti=1`),
    await messageOf('PATCH', `${project}/flags/{flagId}`, { type: 'STRING' }),
    await messageOf('PATCH', `${project}/flags/{flagId}`, { variations: [] }),
    await messageOf('PATCH', `${project}/flags/{flagId}`, { createdAt: null }),
    await messageOf('POST', `${project}/audiences`, {
      name: 'A',
      conditions: { attribute: 'country', operator: 'eqauls', valeu: 'NL' },
    }),
    await messageOf('PATCH', `${project}/destinations/{destinationId}`, { config: { ulr: 'https://a.example' } }),
  ]
  expect(messages).toEqual([
    'dryrun is not a known field. Did you mean dryRun?',
    'limti is not a known query parameter. Did you mean limit?',
    'type is set by the creation and cannot be changed.',
    'variations cannot be changed here. Send PUT to /variations below this address.',
    'createdAt is read-only.',
    'conditions.valeu is not a known field. Did you mean value? (and 1 more)',
    'config.ulr is not a known field. Did you mean url?',
  ])
})

const queries = operations.filter(({ method }) => method === 'GET')

test.each(queries.map((query) => [query.path, query] as const))(
  'GET %s says for each wrong query parameter what to send',
  async (path, { parameters = [] }) => {
    expectNamed(path, await send('GET', `${path}?unknown=1`))
    for (const { name, schema } of parameters.filter((each) => each.in === 'query')) {
      // Any text is valid for these.
      if (schema.type === 'string' && !schema.enum && !schema.pattern && !schema.format) continue
      for (const value of ['0x10', '1e1', '%2B5', ''])
        expectNamed(`${path} ${name}=${value}`, await send('GET', `${path}?${name}=${value}`))
    }
  },
)
