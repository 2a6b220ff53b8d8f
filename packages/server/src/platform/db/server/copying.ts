import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { type CopySession, copySettings } from '../copying.ts'
import { connectionConfig } from './pool.ts'

/** Opens a connection to a server, without time limits. */
export async function openServerSession(url: string): Promise<CopySession> {
  const client = new pg.Client(connectionConfig(url))
  // The loss of the connection is the failure of the statement under way or of the next one.
  client.on('error', () => {})
  await client.connect()
  await client.query(
    `${copySettings}; set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set lock_timeout to 0`,
  )
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      // Several statements have several results.
      const result = (await client.query(text, values as unknown[])) as pg.QueryResult | pg.QueryResult[]
      return (Array.isArray(result) ? result.at(-1)!.rows : result.rows) as Row[]
    },
    copyOut: (table, columns) => client.query(to(`copy (select ${list(columns)} from ${name(table)}) to stdout`)),
    async copyIn(table, columns, pieces) {
      await pipeline(pieces, client.query(from(`copy ${name(table)} (${list(columns)}) from stdin`)))
    },
    close: () => client.end(),
  }
}

const name = pg.escapeIdentifier
const list = (columns: readonly string[]): string => columns.map(name).join(', ')
