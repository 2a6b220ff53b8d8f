import type { CopySession } from '../platform/db/index.ts'
import type { Manifest } from './manifest.ts'
import { foreignKeysOf, quoted, schemaOf, type Table, tablesWithTriggers } from './tables.ts'

/** What rows need besides their tables. */
export type Contents = Pick<Manifest, 'partitions' | 'sequences'> & { tables: readonly Table[] }

/**
 * Loads rows into a freshly migrated database, in one transaction: all of them or none.
 *
 * Triggers are off, because they would number and sign again what is numbered and signed. Foreign keys are made again
 * at the end, which checks them all at once: so the order of the tables does not matter.
 */
export async function load(
  session: CopySession,
  { tables, partitions, sequences }: Contents,
  rows: AsyncIterable<{ name: string; portion: Buffer }>,
): Promise<void> {
  const known = await schemaOf(session)
  requireSame(tables, known.tables)
  const keys = await foreignKeysOf(session)
  const triggered = await tablesWithTriggers(session)
  await session.query('begin')
  try {
    for (const { on, name } of keys) await session.query(`alter table ${on} drop constraint ${name}`)
    for (const table of triggered) await session.query(`alter table ${table} disable trigger user`)
    // Migrations can leave rows in new tables.
    await session.query(`truncate ${known.tables.map(({ name }) => quoted(name)).join(', ')}`)
    for (const { name, of, bound } of partitions) {
      await session.query(`create table ${quoted(name)} (like ${quoted(of)} including all)`)
      await session.query(`alter table ${quoted(of)} attach partition ${quoted(name)} ${boundOf(bound)}`)
    }
    const columns = new Map(tables.map((table) => [table.name, table.columns]))
    await eachTable(rows, (name, portions) => session.copyIn(name, columns.get(name)!, portions))
    for (const { name, last, isCalled } of sequences)
      await session.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), last, isCalled])
    for (const { on, name, definition } of keys)
      await session.query(`alter table ${on} add constraint ${name} ${definition}`)
    for (const table of triggered) await session.query(`alter table ${table} enable trigger user`)
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
  await session.query('analyze')
}

function requireSame(given: readonly Table[], known: readonly Table[]): void {
  const text = (tables: readonly Table[]) => new Map(tables.map(({ name, columns }) => [name, columns.join(', ')]))
  const [here, there] = [text(known), text(given)]
  for (const name of new Set([...here.keys(), ...there.keys()]))
    if (here.get(name) !== there.get(name))
      throw new Error(
        `the table ${name} differs: the backup has ${there.get(name) ?? 'no such table'}, this version has ${here.get(name) ?? 'no such table'}.`,
      )
}

/** The text comes from a file and becomes a part of a statement. */
function boundOf(bound: string): string {
  if (!/^FOR VALUES FROM \('[\d :+.-]+'\) TO \('[\d :+.-]+'\)$/.test(bound))
    throw new Error(`the range of a partition is not valid: ${bound}`)
  return bound
}

/** Calls `take` for each run of portions of the same table. */
async function eachTable(
  rows: AsyncIterable<{ name: string; portion: Buffer }>,
  take: (name: string, portions: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]()
  let next = await iterator.next()
  while (!next.done) {
    const { name } = next.value
    await take(
      name,
      (async function* () {
        while (!next.done && next.value.name === name) {
          yield next.value.portion
          next = await iterator.next()
        }
      })(),
    )
  }
}
