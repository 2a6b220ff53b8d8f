import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../testing/clock.ts'
import { createProject, startTestService, type TestService } from '../../../testing/service.ts'
import { openLog } from '../../platform/log.ts'

const clock = standingClock()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: clock.now, log: openLog('silent', { write: () => undefined }) })
})
afterAll(() => service.close())

test('events are kept by SDKs while the disk is full, and leave a minute to all other writes', async () => {
  const { production } = await createProject(service)
  await sql`
    create function no_room_for_events() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(service.db)
  await sql`create trigger no_room before insert on event_ids for each statement execute function no_room_for_events()`.execute(
    service.db,
  )
  const id = randomUUID()
  const send = () => {
    const events = [{ type: 'track', id, ts: clock.now().getTime(), unit: 'u-1', eventKey: 'paid' }]
    return service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: production.sdkKey, events })
  }
  expect((await send()).status).toBe(503)
  // The next ones are refused before they reach the disk, so that switches get what becomes free.
  expect(await send()).toMatchObject({ status: 429, body: { error: expect.stringContaining('disk') } })
  expect((await service.call(service.people.admin, 'POST', '/api/v1/projects', { name: 'Y' })).status).toBe(201)
  await sql`drop trigger no_room on event_ids`.execute(service.db)
  clock.move(minuteMs)
  expect(await send()).toMatchObject({ status: 202, body: { accepted: 1 } })
})

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
