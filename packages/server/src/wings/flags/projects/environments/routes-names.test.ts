import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { untilBlocked } from '../../../../../testing/blocked.ts'
import { createProject, startTestService, type TestService } from '../../../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

test('a creation gets 409 if a concurrent rename takes the name', async () => {
  const project = await createProject(service)
  const url = `${project.path}/environments`
  let creating: ReturnType<TestService['call']> | undefined
  await service.db.transaction().execute(async (tx) => {
    await sql`update environments set name = 'Raced' where id = ${project.development.id}`.execute(tx)
    creating = service.call(service.people.admin, 'POST', url, { name: 'Raced' })
    await untilBlocked(service)
  })
  expect(await creating).toMatchObject({
    status: 409,
    body: { error: { code: 'validation_failed', details: { issues: [{ path: ['name'] }] } } },
  })
})
