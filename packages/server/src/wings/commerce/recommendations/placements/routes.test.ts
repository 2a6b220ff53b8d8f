import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { succeed } from '../../../../../testing/flags.ts'
import {
  type Answer,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../../testing/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

let project: TestProject
let url: string
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/recommendations/placements`
})

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

const recent = { strategies: ['RECENTLY_VIEWED'] }
const isNew = { all: [{ attribute: 'condition', operator: 'equals', value: 'NEW' }] }

test('a placement is created with defaults, read, listed, edited and deleted', async () => {
  const created = await call('POST', url, { name: 'Product page', variants: { default: recent } })
  const { data } = created.body
  expect([created.status, created.headers.etag]).toEqual([201, '"z1"'])
  expect(data).toMatchObject({
    ...{ projectId: project.id, key: 'product-page', name: 'Product page' },
    ...{ limit: 8, history: false, includePreorder: false },
    variants: {
      default: {
        ...{ strategies: ['RECENTLY_VIEWED'], filter: null, sameCategory: false, excludeBought: true },
        ...{ maxPerBrand: null, maxPerCategory: null, boosts: [], pins: [] },
      },
    },
  })
  expect(await succeed(service, 'GET', url)).toEqual([data])
  const variants = {
    default: {
      ...{ strategies: [], filter: isNew, sameCategory: true, excludeBought: false, maxPerBrand: 3, maxPerCategory: 2 },
      boosts: [
        { when: isNew, factor: 1.2 },
        { sameAs: 'attributes.color', factor: 10 },
      ],
      pins: [{ productId: 'G99', position: 7, from: null, until: '2026-12-01T00:00:00.000Z' }],
    },
    none: { strategies: [] },
  }
  const [pin] = variants.default.pins
  // Ids lose the spaces around them, as those of the catalog do.
  const sent = { ...variants, default: { ...variants.default, pins: [{ ...pin, productId: ' G99 ' }] } }
  const edited = await call('PATCH', `${url}/product-page`, { variants: sent }, { 'x-svc-if-match': '"z1"' })
  expect(edited.body.data.variants.default).toEqual(variants.default)
  expect((await call('PATCH', `${url}/product-page`, { limit: 9 }, { 'x-svc-if-match': '"z1"' })).status).toBe(412)
  expect((await call('POST', url, { name: 'Product page', variants })).status).toBe(409)
  expect((await call('DELETE', `${url}/product-page`)).body).toEqual({ data: null })
  expect((await call('GET', `${url}/product-page`)).status).toBe(404)
})

test('a refusal names variant, field and rule', async () => {
  const long = { attribute: 'brand', operator: 'in', value: Array(300).fill('x'.repeat(1000)) }
  const pin = { productId: 'G1', position: 8 }
  for (const [variant, path, message] of [
    [{ strategies: ['BEST'] }, 'strategies.0', /must be a strategy, or the key of a model; BEST is neither/],
    [{ strategies: ['RECENTLY_VIEWED', 'RECENTLY_VIEWED'] }, 'strategies.1', /a second time/],
    [{ ...recent, filter: { audience: 'a' } }, 'filter.audience', /audiences are about visitors/],
    [{ ...recent, filter: { any: [{ segment: 's' }] } }, 'filter.any.0.segment', /segments are about visitors/],
    [{ ...recent, maxPerBrand: 0 }, 'maxPerBrand', /1/],
    [{ ...recent, pins: [pin] }, 'pins.0.position', /below the limit of the placement, 8/],
    [
      {
        ...recent,
        pins: [{ ...pin, position: 1, from: '2026-12-02T00:00:00Z', until: '2026-12-01T00:00:00Z' }],
      },
      'pins.0.until',
      /after from/,
    ],
    [{ ...recent, colour: 'red' }, 'colour', /./],
  ] as [object, string, RegExp][]) {
    const { status, body } = await call('POST', url, { name: 'Home', variants: { default: recent, b: variant } })
    expect([status, body.error.details.issues.map((issue: { path: string[] }) => issue.path.join('.'))]).toEqual([
      400,
      [`variants.b.${path}`],
    ])
    expect(body.error.details.issues[0].message).toMatch(message)
  }
  for (const variants of [{ b: recent }, { default: { ...recent, filter: { all: [long] } } }]) {
    const { status, body } = await call('POST', url, { name: 'Home', variants })
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['variants']])
  }
  expect(await succeed(service, 'GET', url)).toEqual([])
})

test('a project has at most 100 placements', async () => {
  const create = async (name: string) => (await call('POST', url, { name, variants: { default: recent } })).status
  expect(await create('First')).toBe(201)
  await sql`
    insert into placements (id, project_id, key, name, most, history, include_preorder, variants, created_at, updated_at)
    select gen_random_uuid(), project_id, 'copy-' || n, 'Copy ' || n, most, history, include_preorder, variants,
      created_at, updated_at
    from placements, generate_series(1, 98) n where project_id = ${project.id}`.execute(service.db)
  expect([await create('Last'), await create('One more')]).toEqual([201, 400])
})
