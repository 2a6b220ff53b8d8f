import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, nobody, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { type Answer, createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
const url = `${project.path}/audiences`
afterAll(() => service.close())

const beta = { attribute: 'plan', operator: 'equals', value: 'beta' }
const inNetherlands = { all: [{ attribute: 'country', operator: 'in', value: ['NL'] }] }

let flag: TestFlag
let count = 0
beforeEach(async () => {
  count += 1
  flag = await newFlag(service, project, { key: `audience-${count}` })
})

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

const newAudience = (more: Record<string, unknown> = {}) =>
  succeed(service, 'POST', url, { name: `Audience ${count} ${crypto.randomUUID()}`, conditions: beta, ...more })

const events = async (name: string, audienceId: string) =>
  (await succeed(service, 'GET', `${project.path}/events?limit=100`)).filter(
    (event: { event: string; audience?: { id: string } }) => event.event === name && event.audience?.id === audienceId,
  )

const issuePaths = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string[] }) => path)

describe('an audience', () => {
  test('can be created, read, listed, edited and deleted', async () => {
    const wanted = { name: 'Beta users', description: 'They asked for it.', conditions: beta }
    const created = await call('POST', url, wanted)
    expect(created.status).toBe(201)
    expect(created.headers.etag).toBe('"a1"')
    const { data } = created.body
    expect(data).toEqual({
      ...wanted,
      id: expect.any(String),
      shortId: expect.any(Number),
      key: 'beta-users',
      projectId: project.id,
      usedBy: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await succeed(service, 'GET', `${url}/${data.id}`)).toEqual(data)
    expect(await succeed(service, 'GET', `${url}/${data.shortId}`)).toEqual(data)
    expect((await succeed(service, 'GET', `${url}?limit=1`))[0]).toEqual(data)

    const edited = await call('PATCH', `${url}/${data.id}`, { conditions: inNetherlands }, { 'x-svc-if-match': '"a1"' })
    expect(edited.body.data).toMatchObject({ ...wanted, conditions: inNetherlands })
    expect(edited.headers.etag).toBe('"a2"')
    expect((await call('PATCH', `${url}/${data.id}`, { conditions: inNetherlands })).headers.etag).toBe('"a2"')
    const late = await call('PATCH', `${url}/${data.id}`, { name: 'Late' }, { 'x-svc-if-match': '"a1"' })
    expect([late.status, late.body.error.details]).toEqual([412, { expected: '"a2"' }])

    expect((await call('DELETE', `${url}/${data.id}`)).body).toEqual({ data: null })
    expect((await call('GET', `${url}/${data.id}`)).status).toBe(404)
    for (const name of ['audience.created', 'audience.updated', 'audience.deleted'])
      expect(await events(name, data.id), name).toHaveLength(1)
  })

  test('must have a unique name', async () => {
    const [one, other] = [await newAudience({ name: 'Caf\u00e9 Noir' }), await newAudience()]
    for (const answer of [
      await call('POST', url, { name: one.name, conditions: beta }),
      await call('POST', url, { name: ' Cafe\u0301 Noir ', conditions: beta }),
      await call('POST', url, { name: 'Caf\u00e9\u00a0 Noir', conditions: beta }),
      await call('PATCH', `${url}/${other.id}`, { name: one.name }),
    ]) {
      expect([answer.status, issuePaths(answer)]).toEqual([409, [['name']]])
      expect(answer.body.error.details.reason).toBe('already_exists')
    }
  })

  test('names and keys of another letter case are others', async () => {
    const one = await newAudience({ name: 'Staging', key: 'staging-users' })
    const other = await newAudience({ name: 'staging', key: 'Staging-users' })
    for (const { id, name, key } of [one, other])
      expect((await call('GET', `${url}/${key}`)).body.data).toMatchObject({ id, name, key })
  })

  test.each([
    ['no conditions', { name: 'x' }, ['conditions']],
    ['an unknown operator', { name: 'x', conditions: { ...beta, operator: 'like' } }, ['conditions', 'operator']],
    [
      'a different audience',
      { name: 'x', conditions: { all: [{ audience: nobody }] } },
      ['conditions', 'all', 0, 'audience'],
    ],
    ['an unknown field', { name: 'x', conditions: beta, salt: 'x' }, ['salt']],
  ])('is refused with %s', async (_what, body, path) => {
    const answer = await call('POST', url, body)
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]])
  })

  test('is not found by other organizations and projects, and requires its scopes', async () => {
    const { id } = await newAudience()
    const { stranger, flagsWrite } = service.people
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await service.call(stranger, method, `${url}/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(
        404,
      )
    expect((await service.call(flagsWrite, 'GET', url)).body.error.details).toEqual({ scope: 'audiences:read' })
    expect((await service.call(flagsWrite, 'DELETE', `${url}/${id}`)).body.error.details).toEqual({
      scope: 'audiences:write',
    })
    const elsewhere = await createProject(service)
    expect((await call('GET', `${elsewhere.path}/audiences/${id}`)).status).toBe(404)
    const rule = await call('POST', `${(await newFlag(service, elsewhere, { key: 'a' })).production}/rules`, {
      ...delivery('One'),
      audienceIds: [id],
    })
    expect([rule.status, issuePaths(rule)]).toEqual([400, [['audienceIds', 0]]])
  })
})

describe('a rule that uses an audience', () => {
  test('is listed in usedBy and prevents deletion, whether drafted or live', async () => {
    const { id } = await newAudience()
    const conditions = { any: [{ audience: id }, beta] }
    const rule = await addRule(service, flag.production, delivery('One', { conditions }))
    const use = { type: 'rule', id: rule.id, flagId: flag.id, envId: project.production.id }
    const refused = async () => {
      const { status, body } = await call('DELETE', `${url}/${id}`)
      expect([status, body.error.code, body.error.details]).toEqual([409, 'invalid_state', { references: [use] }])
    }
    expect((await succeed(service, 'GET', `${url}/${id}`)).usedBy).toEqual([use])
    await refused()
    await succeed(service, 'POST', `${flag.production}/run`)
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { conditions: beta })
    await refused()
    await publish(service, project)
    expect((await call('DELETE', `${url}/${id}`)).status).toBe(200)
  })

  test('is either created before a concurrent deletion of the audience or refused', async () => {
    const { id } = await newAudience()
    const answers = await Promise.all([
      call('POST', `${flag.production}/rules`, delivery('One', { audienceIds: [id] })),
      call('DELETE', `${url}/${id}`),
    ])
    expect([
      [201, 409],
      [400, 200],
    ]).toContainEqual(answers.map(({ status }) => status))
  })
})
