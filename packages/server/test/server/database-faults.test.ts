import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { type FaultyLink, faultyLink } from '../../testing/faulty-link.ts'
import { execute } from '../../testing/postgres.ts'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../testing/service.ts'

const recoveryLimitMs = 5_000
/** Ten of the pool and the one that listens. */
const mostConnections = 11

let link: FaultyLink
let service: TestService
let project: TestProject
let url: string
let remove: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase()
  remove = database.remove
  url = database.address.url!
  link = await faultyLink(url)
  service = await startTestService({ address: { ...database.address, url: link.url } })
  project = await createProject(service)
  await createFlag(service, project, 'kept')
})
afterAll(async () => {
  await service.close()
  await link.close()
  await remove()
})

const read = () => service.call(service.people.admin, 'GET', '/api/v1/projects')
const write = () => service.call(service.people.admin, 'POST', '/api/v1/projects', { name: 'Meanwhile' })
const served = () => service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
const isReady = async () => (await service.call(null, 'GET', '/readyz')).status === 200

const many = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 ? write() : read()))

async function expectServed(): Promise<void> {
  expect(await served()).toMatchObject({ status: 200, body: { flags: { kept: { enabled: false } } } })
}

/** Done, or the one refusal that says to try again. */
function expectAnswered(answers: Awaited<ReturnType<typeof read>>[]): void {
  for (const { status, body } of answers)
    expect([
      [200, undefined],
      [201, undefined],
      [503, 'unavailable'],
    ]).toContainEqual([status, body.error?.code])
}

async function expectRecovery(): Promise<void> {
  await expect.poll(isReady, { timeout: recoveryLimitMs }).toBe(true)
  await expect.poll(async () => (await write()).status, { timeout: recoveryLimitMs }).toBe(201)
  const answers = await Promise.all(many(40))
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name = 'svc'`.execute(
    service.db,
  )
  expect(rows[0]!.count).toBeLessThanOrEqual(mostConnections)
}

/** What is written elsewhere is heard again: the connection for notices is back as well. */
async function expectNotices(): Promise<void> {
  const flag = await createFlag(service, project, `flag-${crypto.randomUUID()}`)
  await expect.poll(async () => (await served()).body.flags, { timeout: recoveryLimitMs }).toHaveProperty(flag.key)
}

describe('D1 answers in the envelope, data files all the while, and recovery when', () => {
  test('connections are cut again and again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = many(20)
      await execute(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'svc'`,
      )
      await expectServed()
      expectAnswered(await Promise.all(answers))
    }
    await expectRecovery()
    await expectNotices()
  })

  test('the server is killed and comes back', async () => {
    const underWay = many(20)
    await link.break()
    expectAnswered(await Promise.all(underWay))
    for (const answer of await Promise.all(many(10)))
      expect([answer.status, answer.headers['retry-after'], answer.body.error.code]).toEqual([503, '1', 'unavailable'])
    expect(await isReady()).toBe(false)
    await expectServed()
    await link.mend()
    await expectRecovery()
    await expectNotices()
  })

  test('the server hangs: who finds no free connection is told in seconds, and the others get their answers', async () => {
    await expectRecovery()
    link.hold()
    const waiting = many(mostConnections + 4)
    const first = await Promise.race(waiting)
    expect([first.status, first.body.error.code]).toEqual([503, 'unavailable'])
    await expectServed()
    link.release()
    expectAnswered(await Promise.all(waiting))
    await expectRecovery()
    await expectNotices()
  })

  test('the server is slow', async () => {
    link.delayBy(100)
    const answers = many(2)
    await expectServed()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 201])
    link.delayBy(0)
    await expectRecovery()
  })
})
