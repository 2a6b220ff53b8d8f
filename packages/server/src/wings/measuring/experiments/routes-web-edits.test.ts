import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import { type Answer, createProject, startTestService, type TestProject } from '../../../../testing/service.ts'
import { design } from '../../../../testing/web-experiments.ts'

const service = await startTestService()
let project: TestProject
let url: string

beforeEach(async () => {
  project = await createProject(service, service.people.admin, 'WEB')
  url = `${project.path}/experiments`
})
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PATCH'
const call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  service.call(service.people.admin, method, path, body, headers)
const create = (body: object = {}) => succeed(service, 'POST', url, { name: 'Price in the headline', ...body })
const halves = (...variations: object[]) => variations.map((each) => ({ weight: 5000, ...each }))
const issuesOf = ({ body }: Answer) =>
  body.error.details.issues.map(({ path, message }: { path: string[]; message: string }) => [path.join('.'), message])

describe('variations that change', () => {
  const withPrice = { variations: halves({ key: 'original' }, { key: 'price' }) }

  test.each([
    [
      'a visitor of one that goes',
      { allowlist: [{ variationKey: 'variation-1', userIds: ['qa-1'] }] },
      'allowlist.0.variationKey',
    ],
    [
      'a visitor of one that never was',
      { allowlist: ['price', 'c'].map((variationKey) => ({ variationKey, userIds: [variationKey] })) },
      'allowlist.1.variationKey',
    ],
    ['a baseline that goes', { baselineVariationKey: 'variation-1' }, 'baselineVariationKey'],
  ])('are refused with %s, and the experiment stays readable', async (_what, body, path) => {
    const made = await create()
    const refused = await call('PATCH', `${url}/${made.id}`, { ...withPrice, ...body })
    expect([refused.status, issuesOf(refused).map(([path]: string[]) => path)]).toEqual([400, [path]])
    expect(JSON.stringify(refused.body.error)).not.toMatch(/\bflag\b/i)
    expect(await succeed(service, 'GET', url)).toEqual([made])
  })

  test('leave an experiment readable that allows visitors into a variation that is gone', async () => {
    const made = await create({ allowlist: [{ variationKey: 'variation-1', userIds: ['qa-1'] }] })
    const gone = sql`jsonb_set(draft, '{overrides,ruleAllowlists,0,entries,0,variationId}', '"gone"')`
    await sql`update flag_environments set draft = ${gone}
      where flag_id = (select flag_id from experiments where id = ${made.id})`.execute(service.db)
    expect(await succeed(service, 'GET', url)).toMatchObject([{ id: made.id, allowlist: [] }])
    expect(await succeed(service, 'PATCH', `${url}/${made.id}`, { trafficAllocation: 5000 })).toMatchObject({
      allowlist: [],
    })
    await design(service, `${url}/${made.id}`)
    expect(await succeed(service, 'POST', `${url}/${made.id}/launch`)).toMatchObject({ status: 'RUNNING' })
  })
})

describe('two people who edit at once', () => {
  test.each([
    ['names of variations', { variations: halves({ key: 'original', name: 'As it is' }, { key: 'variation-1' }) }],
    ['the allowlist', { allowlist: [{ variationKey: 'original', userIds: ['qa-1'] }] }],
  ])('do not overwrite each other’s %s', async (_what, body) => {
    const { id } = await create()
    const { headers } = await call('GET', `${url}/${id}`)
    const bound = { 'x-svc-if-match': String(headers.etag) }
    const first = await call('PATCH', `${url}/${id}`, body, bound)
    expect(first.status).toBe(200)
    const now = await call('GET', `${url}/${id}`)
    expect([first.headers.etag, first.body.data]).toEqual([now.headers.etag, now.body.data])
    expect((await call('PATCH', `${url}/${id}`, { name: 'Mine' }, bound)).status).toBe(412)
    // What changes nothing does not move it.
    await succeed(service, 'PATCH', `${url}/${id}`, body)
    expect((await call('GET', `${url}/${id}`)).headers.etag).toBe(now.headers.etag)
  })

  test('are told of staged changes, not of a flag', async () => {
    const { id } = await create()
    await design(service, `${url}/${id}`)
    await succeed(service, 'POST', `${url}/${id}/launch`)
    const late = await call('POST', `${url}/${id}/publish`, {}, { 'x-svc-if-match': '"old"' })
    expect([late.status, late.body.error.message]).toEqual([
      412,
      'The experiment or its staged changes have changed since you read them.',
    ])
  })
})
