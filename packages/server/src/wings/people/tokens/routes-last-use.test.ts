import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { quiet } from '../../../../testing/databases/templates.ts'
import { startTestService } from '../../../../testing/service.ts'
import { openDatabase } from '../../../platform/db/index.ts'
import { hashOf } from './secret.ts'
import { lastUses } from './worker.ts'

let at = Date.parse('2026-11-20T10:00:00Z')

const service = await startTestService({ now: () => new Date(at) })
afterAll(() => service.close())

const useOf = (secret: string) =>
  sql<{ at: Date | null; ip: string | null; agent: string | null }>`
    select last_used_at as at, last_used_ip as ip, last_used_user_agent as agent from tokens
    where secret_hash = ${hashOf(secret)}`

const unexpected = (error: unknown) => expect.unreachable(String(error))

const secretHash = () => hashOf(service.people.flagsWrite).toString('hex')

test('uses are collected, and the latest of each token is saved', async () => {
  const uses = lastUses(service.db, unexpected)
  const use = { secretHash: secretHash(), ip: '192.0.2.1', userAgent: 'one/1' }
  uses.note({ ...use, at: new Date(at) })
  uses.note({ ...use, at: new Date(at + 1000), userAgent: 'two/2' })
  await uses.stop()
  const saved = { at: new Date(at + 1000), ip: '192.0.2.1', agent: 'two/2' }
  expect((await useOf(service.people.flagsWrite).execute(service.db)).rows).toEqual([saved])

  const late = lastUses(service.db, unexpected)
  late.note({ ...use, at: new Date(at - 1000), userAgent: 'late/0' })
  await late.stop()
  expect((await useOf(service.people.flagsWrite).execute(service.db)).rows).toEqual([saved])
})

test('uses that could not be saved are kept for the next time', async () => {
  const failures: unknown[] = []
  const uses = lastUses(service.db, (error) => failures.push(error))
  await sql`alter table tokens rename to tokens_away`.execute(service.db)
  uses.note({ secretHash: secretHash(), at: new Date(at + 5000), ip: '192.0.2.9', userAgent: null })
  await expect(uses.flush()).rejects.toThrow('tokens')
  await sql`alter table tokens_away rename to tokens`.execute(service.db)
  await uses.stop()
  for (const failure of failures) expect(String(failure)).toContain('tokens')
  const { rows } = await useOf(service.people.flagsWrite).execute(service.db)
  expect(rows).toEqual([{ at: new Date(at + 5000), ip: '192.0.2.9', agent: null }])
})

test('closing saves the last use of each token with time, address and user agent', async () => {
  await service.call(service.people.admin, 'GET', '/api/v1/me', undefined, { 'user-agent': 'first/1' })
  at += 1000
  await service.call(service.people.admin, 'GET', '/api/v1/me', undefined, { 'user-agent': `x${'y'.repeat(600)}` })
  await service.call(service.people.noScopes, 'GET', '/api/v1/projects', undefined, { 'user-agent': 'refused/1' })
  await service.call(service.people.expired, 'GET', '/api/v1/me')
  await service.stop()
  const database = await openDatabase({ ...service.address, log: quiet })
  const rowsOf = async (secret: string) => (await useOf(secret).execute(database.db)).rows
  expect(await rowsOf(service.people.admin)).toEqual([
    { at: new Date(at), ip: '127.0.0.1', agent: `x${'y'.repeat(511)}` },
  ])
  expect(await rowsOf(service.people.noScopes)).toMatchObject([{ agent: 'refused/1' }])
  expect(await rowsOf(service.people.expired)).toMatchObject([{ at: null }])
  expect(await rowsOf(service.people.flagsRead)).toMatchObject([{ at: null }])
  await database.close()
})
