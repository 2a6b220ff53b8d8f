import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../testing/databases/database.ts'
import { migrateUntil } from '../../../../testing/databases/earlier-schema.ts'
import { quiet } from '../../../../testing/databases/templates.ts'
import { abTest, addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  createProject,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { type Database, type Db, migrate, openDatabase } from '../../../platform/db/index.ts'

type Rows = Record<string, unknown>[]

let service: TestService
let created: Awaited<ReturnType<typeof createTestDatabase>>
let upgraded: Database
let project: TestProject
let flag: TestFlag

/** The tables of the schema before migration 0022 with their columns, except for those that the database computes. */
let tables: { name: string; columns: string[] }[]

/**
 * The rows of each present table. They are read once, because some are written later, such as the last use of a token.
 */
let present: Map<string, Rows>

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  await addRule(service, flag.production, delivery('Staff'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await addRule(service, flag.production, abTest('Live test', { hypothesis: 'It sells more', trafficAllocation: 4000 }))
  await publish(service, project, { comment: 'Start the test' })
  await addRule(service, flag.production, abTest('Drafted test'))
  const other = await newFlag(service, project, { key: 'search' })
  await addRule(service, other.development, delivery('Everyone'))
  await publish(service, project)
  await addRule(service, flag.production, abTest('Drafted later'))

  for (const name of ['VIP', 'Vip!', '2026', '日本']) {
    await succeed(service, 'POST', `${project.path}/audiences`, { name, conditions: { all: [] } })
    await succeed(service, 'POST', `${project.path}/segments`, { name })
  }

  created = await createTestDatabase('blank')
  upgraded = await openDatabase({ ...created.address, log: quiet })
  await migrateUntil(upgraded, '0022')
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and table_name not like 'schema_migration%'
    group by table_name order by table_name`.execute(upgraded.db)
  tables = rows
  present = new Map()
  for (const { name } of tables) present.set(name, await rowsOf(service.db, presentName(name)))
  await upgraded.db.transaction().execute(async (tx) => {
    // Without the order that references ask for.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const { name, columns } of tables) {
      const listed = sql.join(columns.map((column) => sql.ref(column)))
      await sql`
        insert into ${sql.table(name)} (${listed}) overriding system value
        select ${listed} from jsonb_populate_recordset(null::${sql.table(name)},
          ${JSON.stringify(rowsBefore(name))}::jsonb)`.execute(tx)
    }
  })
  await migrate(upgraded)
})

afterAll(async () => {
  await service.close()
  await created.remove()
})

const rowsOf = async (db: Db, name: string): Promise<Rows> => {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(listed) as row from ${sql.table(name)} listed order by to_jsonb(listed)::text`.execute(db)
  return rows.map(({ row }) => row)
}

/** Migration 0044 renamed tables and a column. */
const presentName = (name: string): string =>
  ({ webhooks: 'destinations', webhook_secrets: 'destination_secrets' })[name] ?? name

const rowsBefore = (name: string): Rows => {
  const rows = present
    .get(name)!
    .map(({ destination_id, ...row }) => (destination_id ? { ...row, webhook_id: destination_id } : row))
  return ['flag_environments', 'revision_flags'].includes(name) ? rows.map(asBefore) : rows
}

/** A row with versions, as it was stored before rules had keys and could be in an exclusion group or a holdout. */
const asBefore = (row: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(row), (_name, value) => {
    if (value?.hashVersion === undefined) return value
    const { key: _key, ...old } = value
    if (old.type !== 'AB_TEST') return old
    const { exclusion: _exclusion, holdout: _holdout, ...rest } = old
    return { ...rest, exclusionGroupId: null, holdoutId: null }
  })

test('an upgrade leaves every row as the present version writes it, and says why a publish made a revision', async () => {
  const before = JSON.stringify(rowsBefore('flag_environments'))
  expect(before.match(/"exclusionGroupId":null/g), 'A/B rules in drafts and live versions').toHaveLength(5)
  for (const { name } of tables) {
    const expected = present.get(name)!
    if (name === 'revisions') {
      const published = expected.filter(({ reason }) => reason === 'PUBLISHED')
      expect(published.map(({ comment }) => comment)).toContain('Start the test')
      // The audit log does not show why the other revisions were made.
      for (const row of expected) if (row.reason !== 'PUBLISHED') row.reason = null
    }
    // Who changed a flag last was not noted.
    if (name === 'flags') for (const row of expected) row.updated_by = null
    expect(sorted(await rowsOf(upgraded.db, presentName(name))), name).toEqual(sorted(expected))
  }
})

const sorted = (rows: Rows): Rows =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

test('after an upgrade, rules and data files read as before, and the data file keeps its revision', async () => {
  const { address } = created
  // An embedded database has one process.
  await upgraded.close()
  const settings = {
    ...service.settings,
    SVC_DATA_DIR: address.dataDir,
    ...(address.url && { SVC_DATABASE_URL: address.url }),
  }
  const node = await joinTestService({ ...service, address, settings })
  const read = async (on: TestService, path: string) => (await on.call(service.people.admin, 'GET', path)).body
  for (const path of [flag.path, `${flag.production}/rules`, flag.production])
    expect(await read(node, path), path).toEqual(await read(service, path))
  for (const { sdkKey } of [project.production, project.development]) {
    const [now, was] = await Promise.all(
      [node, service].map((on) => on.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)),
    )
    expect(now!.text).toBe(was!.text)
    expect(now!.headers.etag).toBe(was!.headers.etag)
  }
  await node.close()
})
