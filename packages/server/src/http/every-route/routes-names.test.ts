import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFlag, nobody, type TestFlag } from '../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../testing/service.ts'

let service: TestService
let project: TestProject
let flag: TestFlag
let key: string
let shortId: number

const get = (path: string, who = service.people.admin) => service.call(who, 'GET', path)
const create = (path: string, body: object) => service.call(service.people.admin, 'POST', path, body)

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  const { body } = await get(project.path)
  key = body.data.key
  shortId = body.data.shortId
})
afterAll(() => service.close())

describe('an address accepts a key or a short id in place of an id', () => {
  test.each([
    ['a project by key', () => `/api/v1/projects/${key}`],
    ['a project by short id', () => `/api/v1/projects/${shortId}`],
  ])('%s', async (_what, path) => {
    const { status, body } = await get(path())
    expect([status, body.data.id]).toEqual([200, project.id])
  })

  test.each([
    ['by key', () => `/api/v1/projects/${key}/flags/checkout`],
    ['by short id', () => `/api/v1/projects/${shortId}/flags/1`],
    ['by id in a project by key', () => `/api/v1/projects/${key}/flags/${flag.id}`],
  ])('a flag %s', async (_what, path) => {
    const { status, body } = await get(path())
    expect([status, body.data?.id]).toEqual([200, flag.id])
  })

  test('an environment by key, in reads and writes; the answer has ids', async () => {
    expect((await get(`/api/v1/projects/${key}/environments/production`)).body.data.id).toBe(project.production.id)
    const run = await create(`/api/v1/projects/${key}/flags/checkout/envs/production/run`, {})
    expect(run.body.data).toMatchObject({ flagId: flag.id, envId: project.production.id, enabled: true })
    const rules = await get(`${project.path}/flags/checkout/envs/development/rules`)
    expect([rules.status, rules.body.data]).toEqual([200, []])
  })

  test.each([
    ['no such key', () => `/api/v1/projects/${key}/flags/nothing`],
    ['no such short id', () => `/api/v1/projects/${key}/flags/99`],
    ['no such id', () => `/api/v1/projects/${key}/flags/${nobody}`],
    ['no such environment', () => `/api/v1/projects/${key}/flags/checkout/envs/staging/rules`],
    ['a short id for an environment, which has none', () => `/api/v1/projects/${key}/environments/1`],
    ['a NUL character', () => `/api/v1/projects/%00`],
    ['an invalid key', () => `/api/v1/projects/${encodeURIComponent("a' or 1=1")}/flags`],
  ])('%s is 404, like every missing resource', async (_what, path) => {
    const { status, body } = await get(path())
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      'not_found',
      expect.stringMatching(/not found[.:]/i),
    ])
  })

  test('keys and short ids of another organization are unknown', async () => {
    for (const name of [key, 'nothing', project.id])
      expect((await get(`/api/v1/projects/${name}`, service.people.stranger)).status).toBe(404)
  })
})

describe('bodies and queries accept a key or a short id in place of an id', () => {
  const variations = [
    { key: 'off', weight: 5000 },
    { key: 'on', weight: 5000 },
  ]
  const rules = () => `${flag.production}/rules`
  const delivery = (more: object) => ({ type: 'TARGETED_DELIVERY', name: 'R', variationKey: 'on', ...more })

  test('flags, one and many', async () => {
    const staged = await get(`${project.path}/environments/production/staged?flagId=checkout`)
    expect([staged.status, staged.body.data.flags]).toEqual([200, []])
    const published = await create(`${project.path}/environments/production/publish`, {
      flagIds: ['checkout', '1', flag.id.toUpperCase()],
      dryRun: true,
    })
    expect([published.status, published.body.data.changed]).toEqual([200, false])
  })

  test('environments', async () => {
    const copied = await create(`${rules()}/copy`, { sourceEnvId: 'development' })
    expect(copied.status).toBe(201)
    const made = await create(`${project.path}/environments`, { name: 'Copy', copyFromEnvId: 'production' })
    expect(made.status).toBe(201)
  })

  test('audiences, exclusion groups and holdouts of a rule', async () => {
    const audience = await create(`${project.path}/audiences`, { name: 'Beta', conditions: { all: [] } })
    const { id, shortId } = audience.body.data
    const made = await create(rules(), delivery({ audienceIds: [String(shortId)] }))
    expect([made.status, made.body.data.audienceIds]).toEqual([201, [id]])
    const group = await create(`${project.path}/exclusion-groups`, { name: 'Prices' })
    const holdout = await create(`${project.path}/holdouts`, { name: 'Nobody', share: 100 })
    const test = await create(rules(), {
      type: 'AB_TEST',
      name: 'T',
      variations: variations.map(({ key, weight }) => ({ variationKey: key, weight })),
      baselineVariationKey: 'off',
      exclusionGroupId: 'prices',
      holdoutId: String(holdout.body.data.shortId),
    })
    expect([test.status, test.body.data?.exclusionGroupId, test.body.data?.holdoutId]).toEqual([
      201,
      group.body.data.id,
      holdout.body.data.id,
    ])
  })

  test('the flag and the environment of an experiment, in capital letters too', async () => {
    const wanted = { name: 'E', variations, baselineVariationKey: 'off' }
    for (const flagId of ['checkout', '1', flag.id.toUpperCase()]) {
      const made = await create(`${project.path}/experiments`, { ...wanted, flagId, envId: 'development' })
      expect([made.status, made.body.data?.flagId]).toEqual([201, flag.id])
      expect(made.body.data.envId).toBe(project.development.id)
    }
    const { body } = await get(`${project.path}/experiments?envId=development`)
    expect(body.data).toHaveLength(3)
  })

  test('an unknown name is refused at its field', async () => {
    const theirs = await createProject(service)
    const other = await newFlag(service, theirs, { key: 'theirs' })
    for (const name of ['nothing', '99', 'theirs', other.id, "a' or 1=1"]) {
      const { status, body } = await create(`${project.path}/environments/production/publish`, { flagIds: [name] })
      expect([name, status, body.error?.details.issues[0].path]).toEqual([name, 400, ['flagIds']])
    }
  })
})

describe('keys that look like ids', () => {
  test.each(['42', '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', '0198F2C6-7B1E-7C44-9A35-1D2F6C0B5E11'])(
    '%s is refused as the key of a flag or a project',
    async (wanted) => {
      const { status, body } = await create('/api/v1/projects', { name: 'P', key: wanted })
      expect([status, body.error.details.issues[0].path]).toEqual([400, ['key']])
      expect(body.error.message).toContain('Put a word in front')
      const renamed = await service.call(service.people.admin, 'PATCH', flag.path, { key: wanted })
      expect([renamed.status, renamed.body.error.details.issues[0].path]).toEqual([400, ['key']])
    },
  )

  test('a name of digits gives a key that begins with a word', async () => {
    const { body } = await create('/api/v1/projects', { name: '2027' })
    expect(body.data.key).toBe('project-2027')
    const environment = await create(`/api/v1/projects/project-2027/environments`, { name: '7' })
    expect(environment.body.data.key).toBe('environment-7')
  })
})

describe('the key of a project', () => {
  test('is made from the name and gets a number if it is taken, even by ten requests at once', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create('/api/v1/projects', { name: 'Ten Times' })))
    expect(made.map(({ body }) => body.data.key).sort()).toEqual(
      ['ten-times', ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `ten-times-${number}`)].sort(),
    )
  })

  test('can be chosen and is unique in the organization', async () => {
    expect((await create('/api/v1/projects', { name: 'A', key: 'given' })).body.data.key).toBe('given')
    const again = await create('/api/v1/projects', { name: 'B', key: 'given' })
    expect([again.status, again.body.error.details.issues[0].path]).toEqual([409, ['key']])
  })

  test('can change under its ETag until the project has a flag', async () => {
    const { body, headers } = await create('/api/v1/projects', { name: 'Changing' })
    expect(headers.etag).toBe('"p1"')
    const patch = (edit: object, etag = '"p1"') =>
      service.call(service.people.admin, 'PATCH', `/api/v1/projects/${body.data.id}`, edit, { 'If-Match': etag })
    expect((await patch({ key: 'given' })).status).toBe(409)
    const changed = await patch({ key: 'changed' })
    expect([changed.status, changed.headers.etag, changed.body.data.key]).toEqual([200, '"p2"', 'changed'])
    expect((await patch({ name: 'Late' })).status).toBe(412)
    await newFlag(service, { ...project, path: '/api/v1/projects/changed' }, { key: 'first' })
    const fixed = await patch({ key: 'other' }, '"p2"')
    expect([fixed.status, fixed.body.error.code]).toEqual([409, 'invalid_state'])
  })
})

test('an address with a trailing slash is the same address', async () => {
  const { status, body } = await get(`${project.path}/?`)
  expect([status, body.data.id]).toEqual([200, project.id])
  expect((await get(`${project.path}/flags/?limit=1`)).status).toBe(200)
  expect((await get(`${project.path}//`)).status).toBe(404)
})

test('an unknown name is echoed up to 100 characters', async () => {
  const { status, text } = await get(`${project.path}/flags?${'x'.repeat(5_000)}=1`)
  expect(status).toBe(400)
  expect(text).toContain(`${'x'.repeat(100)}… is not a known query parameter.`)
  expect(text.length).toBeLessThan(1_000)
})

test('X-Svc-If-Match is honored on a run and refused where it is not supported', async () => {
  const stale = { 'X-Svc-If-Match': '"f99"' }
  const run = await service.call(service.people.admin, 'POST', `${flag.production}/run`, undefined, stale)
  expect([run.status, run.body.error.code]).toEqual([412, 'precondition_failed'])
  const archive = await service.call(service.people.admin, 'POST', `${flag.path}/archive`, undefined, stale)
  expect([archive.status, archive.body.error.details.issues[0].path]).toEqual([400, ['X-Svc-If-Match']])
})
