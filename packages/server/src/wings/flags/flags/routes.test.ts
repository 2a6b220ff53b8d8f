import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { booleanFlag } from '../../../../testing/boolean-flag.ts'
import { newFlag, nobody, served, stringFlag, stringVariations, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let flags: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flags = `${project.path}/flags`
})
afterAll(() => service.close())

const create = (body: unknown) => service.call(service.people.flagsWrite, 'POST', flags, body)

describe('a created flag', () => {
  test('is a draft, paused everywhere, and the answer is 201 with the whole object', async () => {
    const { status, body, headers } = await create({ ...booleanFlag('first'), description: 'Why', tags: ['checkout'] })
    expect(status).toBe(201)
    expect(headers.etag).toMatch(/^"f\d+"$/)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    const [on, off] = body.data.variations
    const environment = (envId: string, name: string) => ({
      envId,
      name,
      enabled: false,
      defaultVariationId: off.id,
      staged: { defaultVariationId: null, variations: false, overrides: false, rules: 0 },
      ruleCount: 0,
      runningRuleCount: 0,
      overrideCount: 0,
      lastPublishedRevision: null,
      lastEvaluatedAt: null,
    })
    expect(body.data).toEqual({
      id,
      shortId: 1,
      projectId: project.id,
      name: 'Flag first',
      key: 'first',
      description: 'Why',
      type: 'BOOLEAN',
      status: 'DRAFT',
      stale: false,
      permanent: false,
      valueSchema: null,
      variations: [
        { id, name: 'On', key: 'on', value: 'true' },
        { id, name: 'Off', key: 'off', value: 'false' },
      ],
      defaultVariationKey: 'off',
      tags: ['checkout'],
      owner: null,
      environments: [
        environment(project.production.id, 'Production'),
        environment(project.development.id, 'Development'),
      ],
      createdAt: at,
      updatedAt: at,
      archivedAt: null,
    })
    expect(on.id).not.toBe(off.id)
  })

  test('reads the same by id and by short id', async () => {
    const { body } = await create(booleanFlag('read-back'))
    for (const flagId of [body.data.id, body.data.shortId]) {
      const read = await service.call(service.people.flagsRead, 'GET', `${flags}/${flagId}`)
      expect(read.status).toBe(200)
      expect(read.body).toEqual({ data: body.data })
    }
  })

  test('gets the next short id of its project', async () => {
    const elsewhere = await createProject(service)
    await create(booleanFlag('not-the-first'))
    const shortIds = []
    for (const key of ['one', 'two', 'three'])
      shortIds.push(
        (await succeed(service, 'POST', `${elsewhere.path}/flags`, { ...booleanFlag(key), name: key })).shortId,
      )
    expect(shortIds).toEqual([1, 2, 3])
  })

  test('serves its default in every data file at once', async () => {
    await newFlag(service, project, { key: 'at-once' })
    expect(await served(service, project, 'at-once')).toMatchObject({
      enabled: false,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules: [],
    })
  })

  test.each([2, 3, 4])('can have %i variations of type STRING', async (count) => {
    const keys = ['a', 'b', 'c', 'd'].slice(0, count) as [string, string]
    const { status, body } = await create({ name: 'Colors', ...stringFlag(`strings-${count}`, ...keys) })
    expect(status).toBe(201)
    expect(body.data.variations.map(({ key }: { key: string }) => key)).toEqual(keys)
  })

  test.each([
    ['NUMBER', [' 0.50', '1E3'], ['0.5', '1000']],
    ['JSON', ['{ "color": "blue",\n "sizes": [1.0, 2] }', 'null'], ['{"color":"blue","sizes":[1,2]}', 'null']],
  ])('of type %s stores canonical values, and the data file has the same strings', async (type, sent, kept) => {
    const key = `typed-${type}`
    const variations = sent.map((value, index) => ({ name: `${index}`, key: `v${index}`, value }))
    const { status, body } = await create({ name: key, key, type, variations, defaultVariationKey: 'v0' })
    expect(status).toBe(201)
    expect(body.data.variations.map(({ value }: { value: string }) => value)).toEqual(kept)
    expect(await succeed(service, 'GET', `${flags}/${body.data.id}`)).toEqual(body.data)
    expect(await served(service, project, key)).toMatchObject({ type, variations: { v0: kept[0], v1: kept[1] } })
    const { data } = await service
      .call(service.people.flagsRead, 'GET', `${flags}?type=${type}`)
      .then(({ body: list }) => list)
    expect(data.map((flag: { key: string }) => flag.key)).toEqual([key])
  })

  test('can use a key of a different project, and one that differs in case', async () => {
    await create(booleanFlag('Shared'))
    expect((await create(booleanFlag('shared'))).status).toBe(201)
    const elsewhere = await createProject(service)
    const there = await service.call(service.people.admin, 'POST', `${elsewhere.path}/flags`, booleanFlag('Shared'))
    expect(there.status).toBe(201)
  })
})

describe('creating a flag is refused', () => {
  test.each(['taken', 'taken-and-archived'])('with the key %s', async (key) => {
    const flag = await newFlag(service, project, { key })
    if (key.endsWith('archived')) await succeed(service, 'POST', `${flag.path}/archive`)
    const { status, body } = await create(booleanFlag(key))
    expect(status).toBe(409)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: ['key'] }] } })
  })

  const good = { ...booleanFlag('refused'), variations: booleanFlag('refused').variations }
  const without = (field: keyof typeof good) => ({ ...good, [field]: undefined })
  const strings = (...keys: string[]) => ({ ...good, type: 'STRING', variations: stringVariations(...keys) })
  const booleans = (...values: string[]) => ({
    ...good,
    variations: values.map((value, index) => ({ name: value, key: `v${index}`, value })),
    defaultVariationKey: 'v0',
  })
  test.each<[string, unknown, unknown[]]>([
    ['without a name', without('name'), ['name']],
    ['without a key', without('key'), ['key']],
    ['without a type', without('type'), ['type']],
    ['without variations', without('variations'), ['variations']],
    ['without a default', without('defaultVariationKey'), ['defaultVariationKey']],
    ['with a blank name', { ...good, name: ' ' }, ['name']],
    ['with a name of 201 characters', { ...good, name: 'n'.repeat(201) }, ['name']],
    ['with an empty key', { ...good, key: '' }, ['key']],
    ['with a key of 129 characters', { ...good, key: 'k'.repeat(129) }, ['key']],
    ['with a key that begins with a dot', { ...good, key: '.key' }, ['key']],
    ['with a space in the key', { ...good, key: 'a b' }, ['key']],
    ['with a line feed after the key', { ...good, key: 'key\n' }, ['key']],
    ['with an unknown type', { ...good, type: 'OBJECT' }, ['type']],
    ['with 1 variation', strings('a'), ['variations']],
    ['with 5 variations', strings('a', 'b', 'c', 'd', 'e'), ['variations']],
    ['with a repeated variation key', { ...strings('a', 'a'), defaultVariationKey: 'a' }, ['variations', 1, 'key']],
    ['with 3 variations of a BOOLEAN', booleans('true', 'false', 'false'), ['variations']],
    ['with other values than true and false', booleans('yes', 'no'), ['variations', 0, 'value']],
    ['with an invalid number', { ...booleans('1', 'one'), type: 'NUMBER' }, ['variations', 1, 'value']],
    ['with invalid JSON', { ...booleans('{}', '{'), type: 'JSON' }, ['variations', 1, 'value']],
    ['with the value true twice', booleans('true', 'true'), ['variations']],
    [
      'with a value that is not a string',
      { ...good, variations: [{ name: 'a', key: 'a', value: true }] },
      ['variations'],
    ],
    ['with an unknown default', { ...good, defaultVariationKey: 'maybe' }, ['defaultVariationKey']],
    ['with a description that is not a string', { ...good, description: 7 }, ['description']],
    ['with a repeated tag', { ...good, tags: ['a', 'a'] }, ['tags']],
    ['with 21 tags', { ...good, tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, ['tags']],
    ['with an unknown field', { ...good, status: 'RUNNING' }, ['status']],
    ['without a body', undefined, []],
  ])('%s', async (_what, body, path) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    const paths: unknown[][] = answer.body.error.details.issues.map((issue: { path: unknown[] }) => issue.path)
    expect(paths.map((each) => each.slice(0, path.length))).toContainEqual(path)
    expect(await served(service, project, 'refused')).toBeUndefined()
  })
})

test.each([
  ['BOOLEAN', 'yes', 'variations[1].value must be the string "true" or "false".'],
  ['BOOLEAN', true, 'variations[1].value must be a string: send "true", not true.'],
  ['NUMBER', 0.25, 'variations[1].value must be a string: send "0.25", not 0.25.'],
  ['NUMBER', 'high', 'variations[1].value must be a string that contains a finite number, such as "0.25".'],
  ['JSON', { color: 'blue' }, 'variations[1].value must be a string: send the JSON as text.'],
])('a %s flag with the value %j is refused, and the message says what to send', async (type, value, message) => {
  const good = { BOOLEAN: 'true', NUMBER: '1', JSON: '{}' }[type]
  const variations = [good, value].map((each, index) => ({ name: `${index}`, key: `v${index}`, value: each }))
  const { status, body } = await create({ name: 'Wrong', key: 'wrong', type, variations, defaultVariationKey: 'v0' })
  expect([status, body.error.message]).toEqual([400, message])
  expect(body.error.details.issues).toEqual([{ path: ['variations', 1, 'value'], message }])
})

test.each(['0', '01', '999999', '99999999999', '-1', '1.0', 'no-id', nobody, '%00', 'x'.repeat(129)])(
  'the flag id %s gets 404',
  async (flagId) => {
    const { status, body } = await service.call(service.people.flagsRead, 'GET', `${flags}/${flagId}`)
    expect(status).toBe(404)
    expect(body.error.code).toBe('not_found')
  },
)

test('a project can have 10000 flags, but not more', async () => {
  const full = await createProject(service)
  const { id } = await newFlag(service, full, { key: 'model' })
  await sql`
    insert into flags (id, project_id, short_id, key, name, type, variations, default_variation_id, tags, created_at,
      updated_at)
    select gen_random_uuid(), project_id, number, 'copy-' || number, name, type, variations, default_variation_id, tags,
      created_at, updated_at
    from flags, generate_series(2, 9999) as number where id = ${id}`.execute(service.db)
  await sql`update projects set next_flag_short_id = 10000 where id = ${full.id}`.execute(service.db)
  const add = (key: string) => service.call(service.people.admin, 'POST', `${full.path}/flags`, booleanFlag(key))
  expect((await add('the-last')).status).toBe(201)
  const { status, body } = await add('one-more')
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: [] }] } })
})
