import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../../testing/databases/database.ts'
import { newId, newSdkKey } from '../../../platform/ids.ts'
import { changedChannel } from './queries.ts'
import { dataFileStore } from './store.ts'
import { keepDataFiles } from './worker.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database.close())

async function newEnvironment(): Promise<string> {
  const [orgId, projectId, envId] = [newId(), newId(), newId()]
  await sql`insert into organizations (id, name, features, created_at)
    values (${orgId}, 'Acme', '{}', now())`.execute(db)
  await sql`insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
    values (${projectId}, ${orgId}, 1, 'p', 'P', 'FEATURE_FLAG', now(), now())`.execute(db)
  await sql`insert into environments
      (id, project_id, name, key, color, built_in, protected, position, sdk_key, etag, created_at, updated_at)
    values (${envId}, ${projectId}, 'E', 'e', '#000000', true, false, 0, ${newSdkKey()}, '', now(), now())`.execute(db)
  return envId
}

test('a node waits for its own transaction before it reads, and reads only if that left no file', async () => {
  const envId = await newEnvironment()
  const store = dataFileStore(async () => undefined)
  await keepDataFiles(database, store)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  store.made.set(envId, { file: { ...store.held(envId)!, revision: 1 }, ended })
  const heard = Promise.withResolvers<string>()
  await database.listen(changedChannel, heard.resolve)

  await sql`update environments set revision = 1, etag = 'new' where id = ${envId}`.execute(db)
  await sql`select pg_notify(${changedChannel}, ${`${envId} 1`})`.execute(db)
  expect(await heard.promise).toBe(`${envId} 1`)
  // A node that reads would have read before this, always with one connection and usually with more.
  for (let times = 0; times < 5; times += 1) await database.ping()
  expect(store.held(envId)?.revision).toBe(0)

  end()
  await expect.poll(() => store.held(envId)?.revision).toBe(1)
})
