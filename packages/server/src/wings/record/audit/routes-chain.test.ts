import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { migrateUntil } from '../../../../testing/databases/earlier-schema.ts'
import { type Db, migrate } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Actor, authors, systemActor } from '../../../platform/outbox.ts'
import { type ChainReport, verifyChains } from './actions.ts'
import { hasEntry } from './queries.ts'

let database: TestDatabase
const orgId = newId()
const otherId = newId()
const count = 7

const actor: Actor = {
  ...systemActor('chain test'),
  type: 'service_token',
  id: newId(),
  requestId: 'request',
  ip: '192.0.2.1',
  userAgent: 'test/1 "é\u{1F600}"',
}

async function record(db: Db, org: string, number: number, who: Actor = actor): Promise<void> {
  const by = authors([], () => new Date(Date.parse('2026-11-20T10:00:00.123Z') + number))(who)
  await db.transaction().execute((tx) =>
    by.record(tx, {
      orgId: org,
      projectId: null,
      action: 'role.update',
      object: { type: 'role', id: newId(), name: `Role ${number}` },
      before: { name: 'Röle', weight: 0.1, list: [1, null, { deep: true }] },
      after: { name: 'Rôle', weight: 1e21 },
    }),
  )
}

const addOrganization = (db: Db, id: string) =>
  sql`
  insert into organizations (id, name, features, created_at) values (${id}, ${id}, '{}', now())`.execute(db)

beforeAll(async () => {
  database = await openTestDatabase()
  for (const id of [orgId, otherId]) await addOrganization(database.db, id)
  for (let number = 1; number <= count; number += 1) await record(database.db, orgId, number)
  await record(database.db, otherId, 1, systemActor('somebody'))
})
afterAll(() => database.close())

const final = (state: 'disable' | 'enable') =>
  sql`alter table audit_entries ${sql.raw(state)} trigger audit_entries_final`
const chained = (state: 'disable' | 'enable') =>
  sql`alter table audit_entries ${sql.raw(state)} trigger audit_entries_chained`

/** Tampers with the tables directly, verifies the chains, and undoes it. */
async function afterTampering(tamper: (db: Db) => Promise<unknown>): Promise<ChainReport[][]> {
  const undo = new Error('undo')
  const reports: ChainReport[][] = []
  await database.db
    .transaction()
    .execute(async (tx) => {
      await final('disable').execute(tx)
      await chained('disable').execute(tx)
      await tamper(tx)
      for (const batchSize of [1, 2, count, 1000]) reports.push(await verifyChains(tx, null, batchSize))
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return reports
}

/** Inserts an entry with this number whose hash does not match its content. */
const insertAt = (db: Db, seq: number) =>
  sql`
  insert into audit_entries (id, org_id, at, actor_type, actor_name, action, object_type, object_id, object_name, seq, hash)
  values (${newId()}, ${orgId}, now(), 'system', 'x', 'x', 'role', ${newId()}, 'x', ${seq}, '\\x00')`.execute(db)

const update = (change: string, seq: number) => (db: Db) =>
  sql`update audit_entries set ${sql.raw(change)} where org_id = ${orgId} and seq = ${seq}`.execute(db)

const remove = (condition: string) => (db: Db) =>
  sql`delete from audit_entries where org_id = ${orgId} and ${sql.raw(condition)}`.execute(db)

/** Tampers like someone who knows how hashes are made. */
const rehash = (seq: number) => (db: Db) =>
  sql`
  update audit_entries set hash = audit_entry_hash((
    select hash from audit_entries before where before.org_id = ${orgId} and before.seq = ${seq - 1}), audit_entries)
  where org_id = ${orgId} and seq = ${seq}`.execute(db)

const all =
  (...steps: ((db: Db) => Promise<unknown>)[]) =>
  async (db: Db) => {
    for (const step of steps) await step(db)
  }

const shift = (from: number) => async (db: Db) => {
  for (let seq = count; seq >= from; seq -= 1) await update('seq = seq + 1', seq)(db)
}

const columns = [
  "project_id = '0192d3c2-0000-7000-8000-000000000000'",
  "at = at + interval '1 microsecond'",
  "actor_type = 'user'",
  'actor_id = null',
  "actor_name = actor_name || ' '",
  "action = 'role.delete'",
  "object_type = 'flag'",
  'object_id = id',
  "object_name = 'Other'",
  'before = null',
  'before = before || \'{"weight": 0.10000000000000002}\'',
  "after = jsonb_set(after, '{name}', '\"Other\"')",
  'request_id = null',
  "ip = '192.0.2.2'",
  "user_agent = ''",
  'id = gen_random_uuid()',
  "hash = '\\x00'",
]

describe('the verification of a chain', () => {
  test('finds no break in an untouched chain, with batches of any size', async () => {
    const [first, ...more] = await afterTampering(async () => undefined)
    expect(first).toMatchObject([
      { organization: { id: orgId }, entries: count, head: { seq: count }, broken: null },
      { organization: { id: otherId }, entries: 1, head: { seq: 1 }, broken: null },
    ])
    expect(first![0]!.head!.hash).toMatch(/^[0-9a-f]{64}$/)
    for (const other of more) expect(other).toEqual(first)
  })

  test.each(columns)('finds a change by %s', async (change) => {
    for (const report of await afterTampering(update(change, 4)))
      expect(report[0]).toMatchObject({ broken: { seq: 4, fault: 'CHANGED' }, entries: 3, head: null })
  })

  test.each<[string, (db: Db) => Promise<unknown>, object]>([
    ['an entry changed and rehashed', all(update("action = 'x'", 3), rehash(3)), { seq: 4, fault: 'CHANGED' }],
    [
      'the last entry changed and rehashed',
      all(update("action = 'x'", 7), rehash(7)),
      { seq: 7, fault: 'HEAD_CHANGED' },
    ],
    ['the first entry changed', update("action = 'x'", 1), { seq: 1, fault: 'CHANGED' }],
    ['a middle entry removed', remove('seq = 4'), { seq: 4, fault: 'REMOVED' }],
    ['two middle entries removed', remove('seq in (3, 4)'), { seq: 3, fault: 'REMOVED' }],
    [
      'an entry removed and the others renumbered',
      all(remove('seq = 4'), ...[5, 6, 7].map((seq) => update('seq = seq - 1', seq))),
      { seq: 4, fault: 'CHANGED' },
    ],
    ['the first entry removed', remove('seq = 1'), { seq: 1, fault: 'REMOVED' }],
    ['the last entry removed', remove('seq = 7'), { seq: 7, fault: 'TAIL_CUT' }],
    ['the last three entries removed', remove('seq > 4'), { seq: 5, fault: 'TAIL_CUT' }],
    ['all entries removed', remove('true'), { seq: 1, fault: 'TAIL_CUT' }],
    [
      'two entries exchanged',
      all(update('seq = 100', 3), update('seq = 3', 4), update('seq = 4', 100)),
      { seq: 3, fault: 'CHANGED' },
    ],
    ['an entry inserted in the middle', all(shift(4), (db) => insertAt(db, 4)), { seq: 4, fault: 'CHANGED' }],
    ['an entry inserted before the first', (db) => insertAt(db, 0), { seq: 0, fault: 'INSERTED' }],
    ['an entry inserted after the last', (db) => insertAt(db, 8), { seq: 8, fault: 'CHANGED' }],
    [
      'an entry inserted after the last, with its hash',
      all((db) => insertAt(db, 8), rehash(8)),
      { seq: 8, fault: 'INSERTED' },
    ],
    [
      'an entry moved to another organization',
      (db) => sql`update audit_entries set org_id = ${otherId} where org_id = ${orgId} and seq = 4`.execute(db),
      { seq: 4, fault: 'REMOVED' },
    ],
    [
      'the head removed',
      (db) => sql`delete from audit_chains where org_id = ${orgId}`.execute(db),
      { seq: 7, fault: 'HEAD_MISSING' },
    ],
    [
      'the head changed',
      (db) => sql`update audit_chains set head = '\\x00' where org_id = ${orgId}`.execute(db),
      { seq: 7, fault: 'HEAD_CHANGED' },
    ],
  ])('finds %s', async (_what, tamper, broken) => {
    for (const [report] of await afterTampering(tamper)) expect(report).toMatchObject({ broken, head: null })
  })

  test('is not disturbed by the chain of another organization', async () => {
    for (const [, other] of await afterTampering(remove('seq = 4')))
      expect(other).toMatchObject({ organization: { id: otherId }, entries: 1, broken: null })
  })

  test('accepts a rewritten chain, which lacks a head that was kept elsewhere', async () => {
    const [mine] = await verifyChains(database.db, orgId)
    const kept = { seq: mine!.head!.seq, hash: Buffer.from(mine!.head!.hash, 'hex') }
    expect(await hasEntry(database.db, orgId, kept)).toBe(true)
    expect(await hasEntry(database.db, null, kept)).toBe(true)
    expect(await hasEntry(database.db, otherId, kept)).toBe(false)
    const remake = all(
      update("action = 'x'", 5),
      ...[5, 6, 7].map(rehash),
      (db) =>
        sql`
        update audit_chains set head = (select hash from audit_entries where org_id = ${orgId} and seq = 7)
        where org_id = ${orgId}`.execute(db),
      async (db) => expect(await hasEntry(db, orgId, kept)).toBe(false),
    )
    for (const [report] of await afterTampering(remake)) expect(report).toMatchObject({ entries: 7, broken: null })
  })

  test('accepts a chain cut together with its head, which lacks a head that was kept elsewhere', async () => {
    const [mine] = await verifyChains(database.db, orgId)
    const kept = { seq: mine!.head!.seq, hash: Buffer.from(mine!.head!.hash, 'hex') }
    const cut = all(
      remove('seq = 7'),
      (db) =>
        sql`
        update audit_chains set last_seq = 6, head = (select hash from audit_entries where org_id = ${orgId} and seq = 6)
        where org_id = ${orgId}`.execute(db),
      async (db) => expect(await hasEntry(db, null, kept)).toBe(false),
    )
    for (const [report] of await afterTampering(cut)) expect(report).toMatchObject({ entries: 6, broken: null })
  })
})

test('the database refuses changes of entries', async () => {
  await expect(update("action = 'x'", 4)(database.db)).rejects.toThrow('audit entries are never changed')
})

test('an organization without entries has an intact, empty chain', async () => {
  const emptyId = newId()
  await addOrganization(database.db, emptyId)
  expect(await verifyChains(database.db, emptyId)).toMatchObject([{ entries: 0, head: null, broken: null }])
})

test('twenty concurrent writers keep an intact chain, and a concurrent verification finds no break', async () => {
  const busyId = newId()
  await addOrganization(database.db, busyId)
  let writing = true
  const walk = async () => {
    const found = []
    for (let last = false; !last; ) {
      last = !writing
      found.push(...(await verifyChains(database.db, busyId, 7)))
    }
    return found
  }
  const walking = walk()
  const writer = async (number: number) => {
    for (let turn = 0; turn < 10; turn += 1) await record(database.db, busyId, number)
  }
  await Promise.all(Array.from({ length: 20 }, (_, number) => writer(number)))
  writing = false
  const walks = await walking
  for (const { broken } of walks) expect(broken).toBeNull()
  expect(walks.at(-1)).toMatchObject({ entries: 200, head: { seq: 200 } })
})

test('entries that are older than the chain become its beginning', async () => {
  const old = await openTestDatabase('blank')
  await migrateUntil(old, '0003')
  await addOrganization(old.db, orgId)
  await sql`
    insert into audit_entries (id, org_id, at, actor_type, actor_name, action, object_type, object_id, object_name, after)
    select gen_random_uuid(), ${orgId}, now(), 'system', 'x', 'flag.update', 'flag', gen_random_uuid(), 'x', '{"a": 1.50}'
    from generate_series(1, 5)`.execute(old.db)
  await migrate(old)
  await record(old.db, orgId, 6)
  expect(await verifyChains(old.db)).toMatchObject([{ entries: 6, head: { seq: 6 }, broken: null }])
  await old.close()
})
