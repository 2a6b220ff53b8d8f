import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringFlag as flagOf, newFlag } from '../../../testing/flags.ts'
import {
  createProject,
  dataFile as fileOf,
  joinTestService,
  startTestService,
  type TestService,
} from '../../../testing/service.ts'

let service: TestService
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
})
afterAll(() => service.close())

let keys = 0
const stringFlag = (key: string) => ({ name: key, ...flagOf(key, 'off', 'on') })
const newKey = () => `key-${++keys}`

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const send = (method: Method, path: string, body: unknown, key: string, on = service) =>
  on.call(on.people.admin, method, path, body, { 'Idempotency-Key': key })

const count = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)}`.execute(service.db)
  return rows[0]!.count
}

const dataFile = () => fileOf(service, project.production.sdkKey)

test.each([
  ['a project', async () => ['POST', '/api/v1/projects', { name: 'Twice' }] as const, 'projects'],
  ['a flag', async () => ['POST', `${project.path}/flags`, stringFlag(newKey())] as const, 'flags'],
  ['an audience', async () => ['POST', `${project.path}/audiences`, everybody()] as const, 'audiences'],
  [
    'a publish',
    async () => {
      const flag = await newFlag(service, project, stringFlag(newKey()))
      const defaultVariationId = flag.ids.on
      await service.call(service.people.admin, 'PATCH', flag.production, { defaultVariationId })
      return ['POST', `${project.path}/environments/${project.production.id}/publish`, undefined] as const
    },
    'audit_entries',
  ],
])('%s requested 20 times at once under one key is created once', async (_what, prepare, table) => {
  const [method, path, body] = await prepare()
  const [before, key] = [await count(table), newKey()]
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(method, path, body, key)))
  for (const { status, text } of answers) expect([status, text]).toEqual([answers[0]!.status, answers[0]!.text])
  expect(answers[0]!.status).toBeLessThan(300)
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect((await count(table)) - before).toBe(1)
})

const everybody = () => ({ name: newKey(), conditions: { all: [] } })

test('two nodes create it once, and both serve it', async () => {
  if (service.database.kind === 'embedded') return
  const second = await joinTestService(service)
  const [key, body] = [newKey(), stringFlag(newKey())]
  const answers = await Promise.all(
    [service, second, service, second].map((node) => send('POST', `${project.path}/flags`, body, key, node)),
  )
  await second.close()
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await dataFile()).toMatchObject({ flags: { [body.key]: {} } })
})

test('the effect and its answer are stored together, and nothing is served before the commit', async () => {
  const [key, body] = [newKey(), stringFlag(newKey())]
  const served = await dataFile()
  // Simulates a kill between the two: the effect is there and its answer is not.
  await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no answer'; end $$`.execute(
    service.db,
  )
  await sql`create trigger fail before update on idempotency_keys execute function fail()`.execute(service.db)
  expect((await send('POST', `${project.path}/flags`, body, key)).status).toBe(500)
  expect(await dataFile()).toEqual(served)
  await sql`drop function fail cascade`.execute(service.db)
  const { status, headers } = await send('POST', `${project.path}/flags`, body, key)
  expect([status, headers['idempotency-replayed']]).toEqual([201, undefined])
  expect((await dataFile()).flags).toHaveProperty(body.key)
})

test('a refused write leaves no stored answer and no effect', async () => {
  const key = newKey()
  const flag = await newFlag(service, project, stringFlag(newKey()))
  const rename = (name: string) =>
    service.call(service.people.admin, 'PATCH', flag.path, { name }, { 'Idempotency-Key': key, 'If-Match': '"f9"' })
  expect((await rename('Renamed')).status).toBe(412)
  const { body } = await service.call(service.people.admin, 'GET', flag.path)
  expect(body.data.name).toBe(flag.key)
  expect((await send('PATCH', flag.path, { name: 'Renamed' }, key)).status).toBe(200)
})

test('a repeated answer that waited for propagation leaves out the propagation', async () => {
  const flag = await newFlag(service, project, stringFlag(newKey()))
  const key = newKey()
  const run = () => send('POST', `${flag.production}/run?wait=1s`, undefined, key)
  const [first, again] = [await run(), await run()]
  expect(first.body.data).toMatchObject({ changed: true, propagation: { complete: true } })
  const { propagation: _propagation, ...kept } = first.body.data
  expect(again.body.data).toEqual(kept)
})

test.each(['GET', 'HEAD'] as const)('a key on %s is refused, because it would have no effect', async (method) => {
  const { status } = await service.call(service.people.admin, method, project.path, undefined, {
    'Idempotency-Key': 'x',
  })
  expect(status).toBe(400)
})
