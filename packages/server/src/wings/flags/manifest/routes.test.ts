import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFlag, succeed } from '../../../../testing/flags.ts'
import { newPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

const root = '/openfeature/v0/manifest'
let service: TestService
let project: TestProject
let token: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  const values = (...all: string[]) => all.map((value, at) => ({ name: value, key: `v${at}`, value }))
  const add = (key: string, type: string, ...all: string[]) =>
    newFlag(service, project, { key, type, variations: values(...all), defaultVariationKey: 'v1' })
  await newFlag(service, project, { key: 'checkout', name: 'Checkout', description: 'In one page' })
  await add('page-size', 'NUMBER', '10', '20')
  await add('Discount', 'NUMBER', '0', '0.5')
  await add('theme', 'JSON', '{}', '{"sizes":[1,2]}')
  const old = await newFlag(service, project, { key: 'old' })
  await succeed(service, 'POST', `${old.path}/archive`)
  ;({ token } = await newPerson(service, { projectIds: [project.id] }))
})
afterAll(() => service.close())

const call = (path: string, who: string | null = token, headers = {}) =>
  service.call(who, 'GET', path, undefined, headers)
const ofProject = () => `${project.path}${root}`

describe('200', () => {
  test('the manifest has the flags by key, without archived ones, and nothing around them', async () => {
    const { status, body, headers } = await call(ofProject())
    expect(status).toBe(200)
    expect(headers['x-manifest-capabilities']).toBe('read')
    expect(body).toEqual({
      flags: [
        { key: 'Discount', name: expect.any(String), type: 'float', defaultValue: 0.5 },
        { key: 'checkout', name: 'Checkout', type: 'boolean', description: 'In one page', defaultValue: false },
        { key: 'page-size', name: expect.any(String), type: 'integer', defaultValue: 20 },
        { key: 'theme', name: expect.any(String), type: 'object', defaultValue: { sizes: [1, 2] } },
      ],
    })
  })

  test('a project has the same manifest by its key, and at the root for a caller who sees no other', async () => {
    const { key } = await succeed(service, 'GET', project.path)
    const manifests = await Promise.all([ofProject(), `/api/v1/projects/${key}${root}`, root].map((path) => call(path)))
    expect(manifests.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(manifests.map(({ text }) => text)).size).toBe(1)
  })
})

test('304 until a flag has changed', async () => {
  const etag = (await call(root)).headers.etag
  const again = await call(root, token, { 'if-none-match': String(etag) })
  expect([again.status, again.headers.etag, again.headers['x-manifest-capabilities']]).toEqual([304, etag, 'read'])
  await newFlag(service, project, { key: 'added' })
  const changed = await call(root, token, { 'if-none-match': String(etag) })
  expect([changed.status, changed.body.flags[0].key]).toEqual([200, 'Discount'])
  expect(changed.headers.etag).not.toBe(etag)
})

describe('an error has its status in it', () => {
  test('400 names the address for a caller who sees several projects or none', async () => {
    const other = await createProject(service)
    const { status, body } = await call(root, service.people.admin)
    expect([status, body.error.status, body.error.code]).toEqual([400, 400, 'validation_failed'])
    const { key } = await succeed(service, 'GET', other.path)
    expect(body.error.message).toContain(`/api/v1/projects/${key}${root}`)
    const nobody = await newPerson(service, { projectIds: [] })
    expect((await call(root, nobody.token)).body.error.message).toMatch(/no project\..*\/api\/v1\/projects\/\{key\}/)
  })

  test('401 without a credential', async () => {
    const { status, body } = await call(root, null)
    expect([status, body.error.status, body.error.code]).toEqual([401, 401, 'unauthorized'])
  })

  test('403 without flags:read', async () => {
    const { status, body } = await call(ofProject(), service.people.noScopes)
    expect([status, body.error]).toEqual([
      403,
      // The command line of OpenFeature takes details for a list, and fails to read any other.
      {
        ...{ status: 403, code: 'scope_missing', message: expect.stringContaining('flags:read') },
        ...{ docUrl: expect.any(String), requestId: expect.any(String) },
      },
    ])
  })

  test('404 for a project that the credential does not see', async () => {
    const hidden = await createProject(service)
    for (const path of [`${hidden.path}${root}`, `/api/v1/projects/none${root}`]) {
      const { status, body } = await call(path)
      expect([status, body.error.status]).toEqual([404, 404])
    }
  })
})
