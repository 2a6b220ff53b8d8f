import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createProject, startTestService, type TestService } from '../../../../../testing/service.ts'

const pollMs = 5

const service = await startTestService()
afterAll(() => service.close())

/** On a server, waits until a statement waits for a lock. The embedded database runs one transaction at a time. */
async function untilBlocked(): Promise<void> {
  if (service.database.kind === 'embedded') return
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await waiting.execute(service.db)).rows.length === 0) await later(pollMs)
}

test('a creation gets 409 if a concurrent rename takes the name', async () => {
  const project = await createProject(service)
  const url = `${project.path}/environments`
  let creating: ReturnType<TestService['call']> | undefined
  await service.db.transaction().execute(async (tx) => {
    await sql`update environments set name = 'Raced' where id = ${project.development.id}`.execute(tx)
    creating = service.call(service.people.admin, 'POST', url, { name: 'Raced' })
    await untilBlocked()
  })
  expect(await creating).toMatchObject({
    status: 409,
    body: { error: { code: 'validation_failed', details: { issues: [{ path: ['name'] }] } } },
  })
})
