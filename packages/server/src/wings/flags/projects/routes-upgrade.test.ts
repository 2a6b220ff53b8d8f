import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { migrateUntil } from '../../../../testing/databases/earlier-schema.ts'
import { migrate } from '../../../platform/db/index.ts'
import { newId, newSdkKey } from '../../../platform/ids.ts'
import { keyFor } from './key.ts'

/** It goes through the upgrades of the tests in their order, because all migrations take it seconds. */
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase('blank')
})
afterAll(() => database.close())

const long = 'a very long name '.repeat(10)

/** The projects of organizations: names in order of creation, and the keys that the upgrade gives them. */
const organizations: [name: string, key: string][][] = [
  [
    ['Web shop', 'web-shop'],
    ['web   SHOP!', 'web-shop-2'],
    ['Web shop 2', 'web-shop-2-2'],
    ['web-shop', 'web-shop-3'],
    ['Zürich (EU) – Übung', 'zu-rich-eu-u-bung'],
    ['Ｗｉｄｅ ①', 'wide-1'],
    ['日本', 'project'],
    ['---', 'project-2'],
    ['2026', 'project-2026'],
    ['0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', 'project-0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'],
    [long, 'a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-nam'],
    [long, 'a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-name-a-very-long-n-2'],
    ['7'.repeat(120), `project-${'7'.repeat(92)}`],
  ],
  [['Web shop', 'web-shop']],
]

/** The environments of each project in order of creation, with the order and the protection after the upgrade. */
const environments = [
  { key: 'qa', position: 1, protected: false },
  { key: 'production', position: 0, protected: true },
  { key: 'development', position: 2, protected: false },
  { key: 'staging', position: 3, protected: false },
]

/** The schema in which an environment had one SDK key. */
const beforeKeys = '0079'

test('an upgrade gives projects the keys of a creation and version 1, and their environments an order', async () => {
  const { db } = database
  await migrateUntil(database, '0013')
  for (const projects of organizations) {
    const orgId = newId()
    await sql`insert into organizations (id, name, features, created_at) values (${orgId}, 'Older', '{}', now())`.execute(
      db,
    )
    for (const [at, [name]] of projects.entries()) {
      const projectId = newId()
      await sql`insert into projects (id, org_id, short_id, name, type, created_at, updated_at)
        values (${projectId}, ${orgId}, ${at + 1}, ${name}, 'FEATURE_FLAG', now(), now())`.execute(db)
      for (const { key } of environments)
        await sql`insert into environments
            (id, project_id, name, key, color, built_in, sdk_key, etag, created_at, updated_at)
          values (${newId()}, ${projectId}, ${key}, ${key}, '#000000', ${key === 'production' || key === 'development'},
            ${newSdkKey()}, '', now(), now())`.execute(db)
    }
  }
  await migrateUntil(database, beforeKeys)
  const { rows } = await sql<{ name: string; key: string; version: number }>`
    select name, key, version from projects order by org_id, short_id`.execute(db)
  expect(rows).toEqual(organizations.flat().map(([name, key]) => ({ name, key, version: 1 })))
  const { rows: placed } = await sql<{ key: string; position: number; protected: boolean }>`
    select key, position, protected from environments order by project_id, id`.execute(db)
  expect(placed).toEqual(organizations.flat().flatMap(() => environments))
})

test('an upgrade gives environments their key with its author, and clients the key that they use', async () => {
  const { db } = database
  await migrateUntil(database, beforeKeys)
  const [orgId, projectId, ada, builtIn, made] = [newId(), newId(), newId(), newId(), newId()]
  const seenAt = '2026-11-20T10:00:00+00:00'
  await sql`insert into organizations (id, name, features, created_at) values (${orgId}, 'Older', '{}', now())`.execute(
    db,
  )
  await sql`insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
    values (${projectId}, ${orgId}, 1, 'shop', 'Shop', 'FEATURE_FLAG', now(), now())`.execute(db)
  const keys = new Map([builtIn, made].map((envId) => [envId, newSdkKey()]))
  for (const [position, envId] of [builtIn, made].entries()) {
    await sql`insert into environments
        (id, project_id, name, key, color, built_in, protected, position, sdk_key, etag, created_at, updated_at)
      values (${envId}, ${projectId}, ${`E ${position}`}, ${`e-${position}`}, '#000000', ${envId === builtIn}, false,
        ${position}, ${keys.get(envId)}, '', ${seenAt}, now())`.execute(db)
    await sql`insert into sdk_instances (env_id, sdk_type, sdk_version, instance_id, first_seen_at, last_seen_at)
      values (${envId}, 'node', '1.4.0', 'a', ${seenAt}, ${seenAt})`.execute(db)
  }
  for (const [action, type, id, name] of [
    ['project.create', 'project', projectId, 'Ada'],
    ['environment.create', 'environment', made, 'Grace'],
    ['environment.update', 'environment', made, 'Joan'],
  ])
    await sql`insert into audit_entries (id, org_id, project_id, at, actor_type, actor_id, actor_name, action, object_type,
        object_id, object_name)
      values (${newId()}, ${orgId}, ${projectId}, now(), 'user', ${ada}, ${name}, ${action}, ${type}, ${id}, 'E')`.execute(
      db,
    )
  await migrate(database)
  const { rows } = await sql`
    select env_id, key, created_at, created_by, uses, (
      select sdk_keys from sdk_instances where sdk_instances.env_id = sdk_keys.env_id) as instance_keys
    from sdk_keys where env_id in (${builtIn}, ${made}) order by env_id`.execute(db)
  const createdBy = { type: 'user', id: ada }
  const row = (envId: string, name: string) => ({
    env_id: envId,
    key: keys.get(envId),
    created_at: new Date(seenAt),
    created_by: { ...createdBy, name },
    uses: {},
    instance_keys: { [envId]: seenAt },
  })
  expect(rows).toEqual([row(builtIn, 'Ada'), row(made, 'Grace')])
})

test.each(organizations)('a creation gives the same keys', (...projects) => {
  const taken = new Set<string>()
  for (const [name, key] of projects) {
    expect(keyFor(name, 'project', taken)).toBe(key)
    taken.add(key)
  }
})
