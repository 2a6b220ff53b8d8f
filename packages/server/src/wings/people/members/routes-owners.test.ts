import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'

const count = 8
const url = '/api/v1/members'
let service: TestService
let owners: TestPerson[]
let roles: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`delete from memberships`.execute(service.db)
  owners = []
  for (let index = 0; index < count; index += 1) owners.push(await newPerson(service, { role: 'OWNER' }))
  roles = await roleIds(service)
})

const ownersLeft = async () => {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from memberships where role_id = ${roles.OWNER}`.execute(service.db)
  return rows.map(({ id }) => id)
}

test('one owner remains when all step down at once', async () => {
  const answers = await Promise.all(
    owners.map(({ token, id }) => service.call(token, 'PATCH', `${url}/${id}`, { roleId: roles.EDITOR })),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject([
    { status: 409, body: { error: { code: 'invalid_state', details: { current: 'LAST_OWNER' } } } },
  ])
  expect(await ownersLeft()).toHaveLength(1)
})

test('one owner remains when all leave at once', async () => {
  const answers = await Promise.all(
    owners.map(({ inSession }) => inSession('POST', '/api/dashboard/organization/leave')),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(count - 1).fill(200), 409])
  expect(await ownersLeft()).toHaveLength(1)
})

test('when owners remove each other in a circle, a removed owner can remove nobody', async () => {
  const answers = await Promise.all(
    owners.map(({ token }, index) => service.call(token, 'DELETE', `${url}/${owners[(index + 1) % count]!.id}`)),
  )
  const { rows } = await sql<{ by: string; removed: string }>`
    select users.id as by, object_id as removed from audit_entries
    join tokens on tokens.id = actor_id join users on users.id = tokens.user_id
    where action = 'member.remove' order by seq`.execute(service.db)
  for (const [index, { by }] of rows.entries())
    expect(rows.slice(0, index).map(({ removed }) => removed)).not.toContain(by)
  const removed = rows.map((row) => row.removed)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(removed.length)
  const left = owners.map(({ id }) => id).filter((id) => !removed.includes(id))
  expect((await ownersLeft()).sort()).toEqual(left.sort())
  expect(left.length).toBeLessThan(count)
})

test('an admin:* token cannot remove the last owner', async () => {
  for (const { id } of owners.slice(1))
    expect((await service.call(service.people.admin, 'DELETE', `${url}/${id}`)).status).toBe(200)
  const last = `${url}/${owners[0]!.id}`
  expect((await service.call(service.people.admin, 'DELETE', last)).status).toBe(409)
  expect((await service.call(service.people.admin, 'PATCH', last, { roleId: roles.ADMIN })).status).toBe(409)
  expect(await ownersLeft()).toEqual([owners[0]!.id])
})
