import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { unavailable } from './db/errors.ts'

const requestTimeoutMs = 30_000
const pingTimeoutMs = 2_000
// Statements that name many units are longer than the default.
const maxStatementBytes = 10_000_000

export interface ClickHouse {
  /** Integers of 64 bits are numbers or texts, depending on the version of the server. */
  read<Row>(statement: string): Promise<Row[]>
  command(statement: string): Promise<void>
  /**
   * Stores the rows before it resolves. Current servers would otherwise wait for other inserts first, to write them
   * together: callers have done that already.
   */
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
    clickhouse_settings: {
      ...{ max_query_size: String(maxStatementBytes), max_ast_elements: String(maxStatementBytes) },
      // Without this limit, ClickHouse would continue a statement after its caller has given up.
      max_execution_time: requestTimeoutMs / 1000,
    },
  })
  const told = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      throw unavailable(`ClickHouse: ${error instanceof Error ? error.message : String(error)}`, error)
    }
  }
  const limit = () => AbortSignal.timeout(pingTimeoutMs)
  const read = <Row>(query: string) =>
    told(client.query({ query, format: 'JSONEachRow' }).then((answer) => answer.json<Row>()))
  let known: Promise<ClickHouseSettings> | undefined
  /** Older servers refuse settings that they do not know. */
  const insertSettings = () => {
    known ??= read(`select name from system.settings where name = 'async_insert'`).then(
      (names) => (names.length > 0 ? { async_insert: 0 } : {}),
      (error) => {
        known = undefined
        throw error
      },
    )
    return known
  }
  return {
    read,
    async command(query) {
      await told(client.command({ query }))
    },
    async insert(table, values) {
      const clickhouse_settings = await insertSettings()
      await told(client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings }))
    },
    answers: () =>
      client
        .command({ query: 'select 1', abort_signal: limit() })
        .then(() => true)
        .catch(() => false),
    close: () => client.close(),
  }
}
