import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiDescription } from '../../../../../../scripts/api-description.ts'
import { newDestination, type TestDestination } from '../../../../testing/destinations.ts'
import { newFlag, succeed } from '../../../../testing/flags.ts'
import { newPerson } from '../../../../testing/people.ts'
import { createProject } from '../../../../testing/service.ts'
import { webhookTest } from '../../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const on = webhookTest()
const { paths } = await apiDescription()
/** Every route of a destination that exists, as the service registers them. */
const routes = Object.entries(paths!)
  .filter(([path]) => path.includes('{destinationId}'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase() as Method, path] as const))
const writes = routes.filter(([method]) => method !== 'GET')

/** An administrator who sees one project only. */
let confined: string
let ofAll: TestDestination
let recordId: string

beforeAll(async () => {
  confined = (await newPerson(on.service, { role: 'ADMIN', projectIds: [on.project.id] })).token
  ofAll = await newDestination(on, 'SLACK', { allProjects: true })
  await newFlag(on.service, on.project, { key: 'told' })
  recordId = (await succeed(on.service, 'GET', `${ofAll.path}/deliveries`))[0].id
})

/** Deliveries are under way meanwhile, so only their number counts. */
const state = async () => {
  const { rows } = await sql`
    select (select json_agg(json_build_array(id, name, version, enabled) order by id) from destinations) as destinations,
      (select count(*) from deliveries) as deliveries`.execute(on.service.db)
  return JSON.stringify(rows)
}

const to = (path: string) =>
  path.replace('{projectId}', on.project.id).replace('{destinationId}', ofAll.id).replace('{recordId}', recordId)

describe('a destination of all projects, for a person who does not see all of them', () => {
  test('there are routes that change it', () => expect(writes.length).toBeGreaterThanOrEqual(5))

  test.each(writes)('%s %s is refused and changes nothing', async (method, path) => {
    const before = await state()
    for (const body of [undefined, {}, { name: 'Mine' }]) {
      const answer = await on.service.call(confined, method, to(path), body)
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'role_missing'])
    }
    expect(await state()).toBe(before)
  })

  test.each(routes.filter(([method, path]) => method === 'GET' && path.includes('deliveries')))(
    '%s %s shows nothing of what it was told',
    async (method, path) => {
      const answer = await on.service.call(confined, method, to(path))
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'role_missing'])
    },
  )

  test('what it has heard of other projects is deleted before such a person can read it', async () => {
    const narrowed = await newDestination(on, 'SLACK', { allProjects: true })
    const elsewhere = await createProject(on.service)
    await newFlag(on.service, elsewhere, { key: 'of-another-project' })
    await newFlag(on.service, on.project, { key: 'of-its-own' })
    const flagsTold = async () =>
      (await succeed(on.service, 'GET', `${narrowed.path}/deliveries`)).map(
        ({ payload }: { payload: { flag: { key: string } } }) => payload.flag.key,
      )
    expect(await flagsTold()).toEqual(['of-its-own', 'of-another-project'])
    await succeed(on.service, 'PATCH', narrowed.path, { allProjects: false })
    expect(await flagsTold()).toEqual(['of-its-own'])
  })

  test('the same routes work for a person who sees all of them, and for a destination of one project', async () => {
    const own = await newDestination(on, 'SLACK')
    for (const [token, { path }] of [
      [on.service.people.admin, ofAll],
      [confined, own],
    ] as const)
      expect((await on.service.call(token, 'DELETE', path)).status).toBe(200)
  })
})
