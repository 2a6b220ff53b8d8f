import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, standingClock } from '../../../../testing/clock.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, signIn } from '../../../../testing/sessions.ts'

const clock = standingClock()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())
beforeEach(async () => void (await sql`delete from sessions`.execute(service.db)))

const status = async (browser: Browser) => (await browser.call('GET', '/api/v1/me')).status

test('a session ends when it is not used for 12 hours', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  clock.move(12 * hourMs)
  const answer = await browser.call('GET', '/api/v1/me')
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
  expect((await browser.call('GET', '/api/dashboard/session')).body.data.stage).toBe('SIGNED_OUT')
  expect(browser.cookie()).toBeUndefined()
})

test('a used session continues, but ends after 7 days', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  for (let used = 0; used < 14; used++) {
    expect(await status(browser), `after ${used * 12} hours`).toBe(200)
    // The service writes this every two seconds of real time, as the last test shows.
    await sql`update sessions set last_seen_at = ${clock.now()}`.execute(service.db)
    clock.move(12 * hourMs - 1)
  }
  expect(await status(browser)).toBe(200)
  clock.move(14)
  expect(await status(browser)).toBe(401)
})

test('ended sessions are neither listed nor kept', async () => {
  const gone = await signIn(service, 'owner@svc.test')
  clock.move(11 * hourMs)
  const browser = await signIn(service, 'owner@svc.test')
  clock.move(2 * hourMs)
  expect((await browser.call('GET', '/api/dashboard/sessions')).body.data).toHaveLength(1)
  expect(await status(gone)).toBe(401)
  await service.retention.run()
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from sessions`.execute(service.db)
  expect(rows[0]!.count).toBe(1)
})

test('the last use of a session survives a restart', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  clock.move(hourMs)
  await status(browser)
  await service.stop()
  const second = await startTestService({ settings: service.settings, address: service.address, now: clock.now })
  const { rows } = await sql<{ at: Date; ip: string }>`select last_seen_at as at, ip from sessions`.execute(second.db)
  expect(rows).toEqual([{ at: clock.now(), ip: browser.ip }])
  await second.stop()
})
