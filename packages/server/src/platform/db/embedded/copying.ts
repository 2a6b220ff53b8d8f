import pg from 'pg'
import { type CopySession, copySettings } from '../copying.ts'
import { openPglite } from './pglite.ts'

/** Pages of a table that are read at once, 4 MB without long values. */
const pagesAtOnce = 512

/**
 * Opens the files of an embedded database in this thread. Nothing else may use them: the caller has the lock of the
 * data folder, or the files are its own copy.
 */
export async function openEmbeddedSession(folder: string): Promise<CopySession> {
  const { pglite, client } = await openPglite(folder)
  await client.query(copySettings)
  const ask = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[]
  const session = {
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (values) return ask<Row>(text, values)
      const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[]
      return (Array.isArray(result) ? result.at(-1)!.rows : result.rows) as Row[]
    },
    // PGlite copies to and from a file in memory, so a large table is copied in ranges of its pages.
    async *copyOut(table: string, columns: readonly string[]) {
      for (const { part, pages } of await ask<{ part: string; pages: number }>(partsOf, [name(table)]))
        for (let page = 0; page < pages; page += pagesAtOnce) {
          const range = `ctid >= '(${page},0)' and ctid < '(${page + pagesAtOnce},0)'`
          const text = `copy (select ${list(columns)} from ${part} where ${range}) to '/dev/blob'`
          const { blob } = await pglite.query(text)
          if (blob && blob.size > 0) yield Buffer.from(await blob.arrayBuffer())
        }
    },
    async copyIn(table: string, columns: readonly string[], pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces)
        await pglite.query(`copy ${name(table)} (${list(columns)}) from '/dev/blob'`, [], {
          blob: new Blob([new Uint8Array(piece)]),
        })
    },
    close: async () => {
      await client.query('checkpoint')
      await pglite.close()
    },
  }
  return session
}

/** A partitioned table has its rows in its partitions. */
const partsOf = `
  select part::regclass::text as part, (pg_relation_size(part) / current_setting('block_size')::int)::int as pages
  from (
    select relid as part from pg_partition_tree($1::regclass) where isleaf
    union all
    select oid from pg_class where oid = $1::regclass and relkind = 'r'
  ) parts`

const name = pg.escapeIdentifier
const list = (columns: readonly string[]): string => columns.map(name).join(', ')
