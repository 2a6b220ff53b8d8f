import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { openLog } from '../../platform/log.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ log: openLog('silent', { write: () => undefined }) })
})
afterAll(() => service.close())

test('a full disk is reported as such, and the node is ready again once there is room', async () => {
  await sql`
    create function no_room() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(service.db)
  await sql`create trigger no_room before insert on projects execute function no_room()`.execute(service.db)
  const create = () => service.call(service.people.admin, 'POST', '/api/v1/projects', { name: 'X' })
  expect(await create()).toMatchObject({
    status: 503,
    headers: { 'retry-after': '10' },
    body: { error: { code: 'storage_full', message: expect.stringMatching(/^The storage is full/) } },
  })
  await sql`drop trigger no_room on projects`.execute(service.db)
  // There is enough room for the check itself.
  expect((await service.call(null, 'GET', '/readyz')).status).toBe(200)
  expect((await create()).status).toBe(201)
})
