import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../testing/database.ts'
import { migrateUntil } from '../../../../testing/earlier-schema.ts'
import { migrate } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { keyFor } from './key.ts'

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

test('an upgrade gives existing projects the same keys as a creation, and version 1', async () => {
  const database = await openTestDatabase('blank')
  const { db } = database
  await migrateUntil(database, '0013')
  for (const projects of organizations) {
    const orgId = newId()
    await sql`insert into organizations (id, name, features, created_at) values (${orgId}, 'Older', '{}', now())`.execute(
      db,
    )
    for (const [at, [name]] of projects.entries())
      await sql`insert into projects (id, org_id, short_id, name, type, created_at, updated_at)
        values (${newId()}, ${orgId}, ${at + 1}, ${name}, 'FEATURE_FLAG', now(), now())`.execute(db)
  }
  await migrate(database)
  const { rows } = await sql<{ name: string; key: string; version: number }>`
    select name, key, version from projects order by org_id, short_id`.execute(db)
  expect(rows).toEqual(organizations.flat().map(([name, key]) => ({ name, key, version: 1 })))
  await database.close()
})

test.each(organizations)('a creation gives the same keys', (...projects) => {
  const taken = new Set<string>()
  for (const [name, key] of projects) {
    expect(keyFor(name, 'project', taken)).toBe(key)
    taken.add(key)
  }
})
