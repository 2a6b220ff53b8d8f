import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { unavailable } from './db/errors.ts'

const requestTimeoutMs = 30_000
const pingTimeoutMs = 2_000
// Statements that name many units are longer than the default.
const maxStatementBytes = 10_000_000

export interface ClickHouse {
  /** Integers of 64 bits are numbers or texts, depending on the version of the server. */
  read<Row>(statement: string): Promise<Row[]>
  command(statement: string): Promise<void>
  insert(table: string, rows: readonly object[]): Promise<void>
  /** Whether it answers now. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

/** A client of a ClickHouse server. Nothing is connected until the first statement. All errors are `isUnavailable`. */
export function openClickHouse(url: string): ClickHouse {
  const client = createClient({
    url,
    application: 'svc',
    request_timeout: requestTimeoutMs,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { max_query_size: String(maxStatementBytes), max_ast_elements: String(maxStatementBytes) },
  })
  const told = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      throw unavailable(`ClickHouse: ${error instanceof Error ? error.message : String(error)}`, error)
    }
  }
  const limit = () => AbortSignal.timeout(pingTimeoutMs)
  return {
    read: <Row>(query: string) =>
      told(client.query({ query, format: 'JSONEachRow' }).then((answer) => answer.json<Row>())),
    async command(query) {
      await told(client.command({ query }))
    },
    async insert(table, values) {
      await told(client.insert({ table, values, format: 'JSONEachRow' }))
    },
    answers: () =>
      client
        .command({ query: 'select 1', abort_signal: limit() })
        .then(() => true)
        .catch(() => false),
    close: () => client.close(),
  }
}
