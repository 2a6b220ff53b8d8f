import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import { type Answer, createProject, startTestService, type TestProject } from '../../../../testing/service.ts'

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
    expect(await succeed(service, 'POST', `${url}/${made.id}/launch`)).toMatchObject({ status: 'RUNNING' })
  })
})
