import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { neededScopes } from '../../../../testing/needed-scopes.ts'
import { newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestService } from '../../../../testing/service.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Operation {
  method: Method
  path: string
  description: string
  security: object[]
}

/** The table "Personal token scopes derived from role" of the specification, row by row. */
const membership = `org:read projects:read experiments:read flags:read audiences:read segments:read metrics:read
  members:read roles:read webhooks:read integrations:read catalog:read datasets:read recommendations:read orders:read`
const lines = {
  view_reports: 'results:read',
  export_data: 'results:read',
  manage_projects: 'projects:write',
  edit_project_settings: 'projects:write',
  create_experiments: 'experiments:write flags:write audiences:write segments:write metrics:write',
  edit_code_variations: 'experiments:write',
  manage_integrations: 'integrations:write webhooks:write catalog:write datasets:write recommendations:write',
}
const administrator = 'audit:read members:write roles:write'

type Capability = keyof typeof lines
const everything = Object.keys(lines) as Capability[]
const editing: Capability[] = ['view_reports', 'export_data', 'create_experiments', 'edit_code_variations']

const scopesOf = (capabilities: readonly Capability[], isAdministrator = false) =>
  new Set(
    [membership, ...capabilities.map((each) => lines[each]), isAdministrator ? administrator : '']
      .join(' ')
      .split(/\s+/)
      .filter(Boolean),
  )

const table: [string, Set<string>][] = [
  ['OWNER', scopesOf(everything, true)],
  ['ADMIN', scopesOf(everything, true)],
  ['EDITOR', scopesOf(editing)],
  ['ANALYST', scopesOf(['view_reports', 'export_data'])],
  ['VIEWER', scopesOf([])],
  ...everything.map((capability): [string, Set<string>] => [capability, scopesOf([capability])]),
]

let service: TestService
let operations: Operation[]
/** Ids of another organization, by parameter name. */
let foreign: Record<string, string>
const people = new Map<string, TestPerson>()

beforeAll(async () => {
  service = await startTestService()
  for (const capability of everything)
    await service.call(service.people.admin, 'POST', '/api/v1/roles', { name: capability, capabilities: [capability] })
  for (const [role] of table) people.set(role, await newPerson(service, { role }))
  foreign = await foreignIds()
  const { paths } = service.app.swagger() as unknown as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description, security }]) => ({
      method: method.toUpperCase() as Method,
      path,
      description,
      security,
    })),
  )
})
afterAll(() => service.close())

/** Everything in the other organization, none of which this one can ever read. */
async function foreignIds(): Promise<Record<string, string>> {
  const { stranger } = service.people
  const acting = { ...service, people: { ...service.people, admin: stranger } }
  const project = await createProject(acting, stranger)
  const flag = await newFlag(acting, project, { key: 'foreign-flag', name: 'Foreign flag' })
  const rule = await addRule(acting, flag.production, delivery('Foreign rule'))
  const role = await service.call(stranger, 'POST', '/api/v1/roles', { name: 'Foreign role', capabilities: [] })
  const wanted = { email: 'foreign@svc.test', roleId: role.body.data.id }
  const invitation = await service.call(stranger, 'POST', '/api/v1/members/invitations', wanted)
  const person = await newPerson(service, { organization: 'Other', role: 'OWNER' })
  return {
    projectId: project.id,
    flagId: flag.id,
    envId: project.production.id,
    ruleId: rule.id,
    roleId: role.body.data.id,
    invitationId: invitation.body.data.id,
    userId: person.id,
    email: person.email,
    sdkKey: project.production.sdkKey,
  }
}

const isPublic = ({ path }: Operation) => path.startsWith('/api/v1/')
/**
 * `routes-access` shows which scopes each route needs, so one route for each set of scopes shows what a role has. A full
 * run, and each run for the highest and the lowest role, calls all routes.
 */
function publicOf(role: string): Operation[] {
  const all = operations.filter(isPublic)
  if (isFull || role === 'OWNER' || role === 'VIEWER') return all
  return [...new Map(all.map((each) => [String(neededScopes(each.description)), each])).values()]
}
const isInSession = ({ security }: Operation) => security.length > 0 && security.every((each) => 'session' in each)
const isAdministrators = ({ description }: Operation) => description.includes('Requires an owner or administrator')
const address = ({ path }: Operation) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => foreign[name] ?? crypto.randomUUID())
/** An answer that something was not found repeats each id of the address, and only these. */
function expectNothingForeign({ method, path }: Operation, text: string): void {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => foreign[name!])
  const rest = named.reduce((left: string, id) => (id === undefined ? left : left.replace(id, '')), text)
  for (const secret of Object.values(foreign)) expect(rest, `${method} ${path}`).not.toContain(secret)
}
const bodyOf = ({ method }: Operation) => (method === 'GET' || method === 'DELETE' ? undefined : {})

test('the document lists the tested routes', () => {
  const scopes = new Set(operations.filter(isPublic).flatMap(({ description }) => neededScopes(description)))
  expect(operations.filter(isPublic).length).toBeGreaterThan(50)
  expect(operations.filter(isAdministrators).length).toBeGreaterThan(3)
  for (const scope of administrator.split(' ')) expect([...scopes]).toContain(scope)
})

describe.each(table)('a personal token of %s', (role, scopes) => {
  test('opens exactly the routes of its scopes, and reads nothing of another organization', async () => {
    const { token } = people.get(role)!
    for (const operation of publicOf(role)) {
      const missing = neededScopes(operation.description).find((scope) => !scopes.has(scope))
      const answer = await service.call(token, operation.method, address(operation), bodyOf(operation))
      const label = `${operation.method} ${operation.path}`
      const { code, details } = answer.body?.error ?? {}
      if (missing) expect([answer.status, code, details], label).toEqual([403, 'scope_missing', { scope: missing }])
      else if (operation.path.includes('{')) expect([answer.status, code], label).toEqual([404, 'not_found'])
      else expect([200, 400], label).toContain(answer.status)
      expectNothingForeign(operation, answer.text)
    }
  })

  test('gives its signed-in holder administrator routes only with the right role', async () => {
    const { inSession } = people.get(role)!
    for (const operation of operations.filter(isAdministrators)) {
      const answer = await inSession(operation.method, address(operation), bodyOf(operation))
      const label = `${operation.method} ${operation.path}`
      const isOne = role === 'OWNER' || role === 'ADMIN'
      expect(answer.body.error?.code === 'role_missing', label).toBe(!isOne)
      expect(isOne ? [200, 400, 404] : [403], label).toContain(answer.status)
      expectNothingForeign(operation, answer.text)
    }
  })
})

test('a route that requires a session accepts no token', async () => {
  for (const operation of operations.filter(isInSession)) {
    const { token } = people.get('OWNER')!
    const answer = await service.call(token, operation.method, address(operation), bodyOf(operation), {
      'sec-fetch-site': 'same-origin',
    })
    expect([answer.status, answer.body.error.code], `${operation.method} ${operation.path}`).toEqual([
      401,
      'unauthorized',
    ])
  }
})

test.each(['token', 'session'] as const)(
  'a demotion during a stream takes effect with the next request: %s',
  async (by) => {
    const { id, token, inSession } = await newPerson(service, { role: 'ADMIN' })
    const { VIEWER } = await roleIds(service)
    const call = () =>
      by === 'token' ? service.call(token, 'GET', '/api/v1/audit') : inSession('GET', '/api/v1/audit')
    const seen: { begunAfter: boolean; status: number }[] = []
    const reached: { count: number; resolve: () => void }[] = []
    const after = (count: number) => new Promise<void>((resolve) => reached.push({ count, resolve }))
    let isDemoted = false
    let isOver = false
    const stream = async () => {
      while (!isOver) {
        const begunAfter = isDemoted
        const { status } = await call()
        seen.push({ begunAfter, status })
        for (const each of reached) if (seen.length >= each.count) each.resolve()
      }
    }
    const streams = [stream(), stream(), stream()]
    await after(12)
    const demotion = await service.call(service.people.admin, 'PATCH', `/api/v1/members/${id}`, { roleId: VIEWER })
    isDemoted = true
    await after(seen.length + 12)
    isOver = true
    await Promise.all(streams)
    expect(demotion.status).toBe(200)
    const statuses = (begunAfter: boolean) =>
      new Set(seen.filter((each) => each.begunAfter === begunAfter).map(({ status }) => status))
    expect([...statuses(true)]).toEqual([403])
    expect([...statuses(false)]).toContain(200)
    expect([200, 403]).toEqual(expect.arrayContaining([...statuses(false)]))
  },
)
