import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFlag } from '../../../../testing/flags.ts'
import { newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let given: TestProject
let hidden: TestProject
let member: TestPerson
const url = '/api/v1/members'

beforeAll(async () => {
  service = await startTestService()
  given = await createProject(service)
  hidden = await createProject(service)
  await service.call(service.people.admin, 'POST', '/api/v1/roles', {
    name: 'Builder',
    capabilities: ['manage_projects', 'create_experiments', 'manage_integrations', 'view_reports'],
  })
  member = await newPerson(service, { role: 'Builder', projectIds: [given.id] })
})
afterAll(() => service.close())

const give = (projectIds: string[] | null, id = member.id) =>
  service.call(service.people.admin, 'PATCH', `${url}/${id}`, { projectIds })
const visible = async (call: () => Promise<{ body: { data: { id: string }[] } }>) =>
  (await call()).body.data.map(({ id }) => id)
const asToken = () => visible(() => service.call(member.token, 'GET', '/api/v1/projects'))
const inSession = () => visible(() => member.inSession('GET', '/api/v1/projects'))

test('a member with chosen projects lists only these', async () => {
  expect([await asToken(), await inSession()]).toEqual([[given.id], [given.id]])
})

test('nothing in other projects is found, on any route', async () => {
  const flag = await newFlag(service, hidden, { key: 'flag' })
  const ids: Record<string, string> = { projectId: hidden.id, flagId: flag.id, envId: hidden.production.id }
  const { body } = await service.call(null, 'GET', '/openapi.json')
  const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    path.includes('{projectId}') ? Object.keys(methods).map((method) => ({ path, method })) : [],
  )
  expect(operations.length).toBeGreaterThan(30)
  for (const { path, method } of operations) {
    const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? crypto.randomUUID())
    const answer = await service.call(member.token, method.toUpperCase() as 'GET', address)
    // No personal token has the scope of an erasure, and the scope is checked first, in every project.
    const refused = path.endsWith('/erasures') ? [403, 'scope_missing'] : [404, 'not_found']
    expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual(refused)
  }
})

test('a changed set takes effect with the next request, and null gives access to all', async () => {
  expect((await give([hidden.id])).body.data.projectIds).toEqual([hidden.id])
  expect([await asToken(), await inSession()]).toEqual([[hidden.id], [hidden.id]])
  expect((await service.call(member.token, 'GET', given.path)).status).toBe(404)
  expect((await give([])).body.data.projectIds).toEqual([])
  expect(await asToken()).toEqual([])
  expect((await give(null)).body.data.projectIds).toBeNull()
  expect(await asToken()).toContain(given.id)
  const both = [given.id, hidden.id].sort()
  expect((await give([...both, given.id.toUpperCase()])).body.data.projectIds).toEqual(both)
})

test('a member with chosen projects sees a project that they create', async () => {
  await give([given.id])
  const project = await createProject(service, member.token)
  expect(await asToken()).toEqual([project.id, given.id])
  const { body } = await member.inSession('POST', '/api/v1/projects', { name: 'Another' })
  expect(await inSession()).toEqual([body.data.id, project.id, given.id])
})

test('the list of members leaves out projects that the reader cannot see', async () => {
  await give([given.id])
  const colleague = await newPerson(service, { projectIds: [given.id, hidden.id] })
  const read = async (who: string) => (await service.call(who, 'GET', `${url}/${colleague.id}`)).body.data.projectIds
  expect(await read(service.people.admin)).toEqual([given.id, hidden.id].sort())
  expect(await read(member.token)).toEqual([given.id])
  const list = await service.call(member.token, 'GET', url)
  expect(list.text).not.toContain(hidden.id)
})

test('a new administrator sees all projects, and the answer says so', async () => {
  const { id } = await newPerson(service, { projectIds: [given.id] })
  const { ADMIN } = await roleIds(service)
  const promote = (edit: object) => service.call(service.people.admin, 'PATCH', `${url}/${id}`, edit)
  expect((await promote({ roleId: ADMIN })).body.error.details.issues[0].path).toEqual(['projectIds'])
  expect((await promote({ roleId: ADMIN, projectIds: null })).body.data).toMatchObject({ projectIds: null })
})

test('a project of another organization cannot be given', async () => {
  const foreign = await createProject(service, service.people.stranger)
  const { status, body } = await give([given.id, foreign.id])
  expect([status, body.error.details]).toEqual([
    400,
    { issues: [{ path: ['projectIds'], message: expect.any(String) }], unknown: [foreign.id] },
  ])
})
