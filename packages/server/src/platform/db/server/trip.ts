import pg from 'pg'
// @ts-expect-error pg's types leave this file out
import { prepareValue } from 'pg/lib/utils.js'
import { valueTypes } from '../values.ts'

export interface Answer {
  command: string
  rowCount: number
  rows: Record<string, unknown>[]
}

interface Statement extends PromiseWithResolvers<Answer> {
  text: string
  /** The name under which each connection prepares it once. */
  name: string | undefined
  values: unknown[]
  columns: Columns | undefined
  answer: Answer
  failure: Error | undefined
}

type Columns = readonly { name: string; parse: (text: string) => unknown }[]

/** The parts of pg's connection that its queries use. */
interface Connection {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(message: { text: string; name: string | undefined }): void
  bind(message: { portal: string; statement: string | undefined; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
}

/** What each connection knows about the answers of the statements that it has prepared, by their names. */
const described = new WeakMap<Connection, Map<string, Columns>>()

const Query = pg.Query as unknown as new (config: { text: string }) => object

/**
 * Statements of one transaction that are sent together and answered together. pg asks for an answer after every
 * statement: the server then writes each answer by itself, and this process wakes up for each of them. It also has the
 * columns of an answer described every time, although they never change for a prepared statement.
 */
export class Trip extends Query {
  readonly #statements: Statement[] = []
  #described = new Map<string, Columns>()
  #place = 0
  /** pg notes under these that the current statement is prepared. */
  name: string | undefined
  text = ''
  /** Set by pg if there is a time limit. */
  callback: (() => void) | undefined
  readonly query_timeout: number | undefined

  constructor(limitMs: number | undefined) {
    super({ text: '' })
    this.query_timeout = limitMs
  }

  add(text: string, name: string | undefined, values: readonly unknown[]): Promise<Answer> {
    const statement: Statement = {
      ...Promise.withResolvers<Answer>(),
      ...{ text, name, values: values.map(prepareValue), columns: undefined, failure: undefined },
      answer: { command: '', rowCount: 0, rows: [] },
    }
    this.#statements.push(statement)
    return statement.promise
  }

  submit(connection: Connection): null {
    this.#described = described.get(connection) ?? new Map()
    described.set(connection, this.#described)
    const { parsedStatements, submittedNamedStatements } = connection
    for (const statement of this.#statements) {
      const { text, name, values } = statement
      const isPrepared = name !== undefined && (name in parsedStatements || name in submittedNamedStatements)
      if (!isPrepared) connection.parse({ text, name })
      if (!isPrepared && name !== undefined) submittedNamedStatements[name] = text
      connection.bind({ portal: '', statement: name, values })
      statement.columns = name === undefined ? undefined : this.#described.get(name)
      if (!statement.columns) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '' })
    }
    connection.sync()
    this.#turnTo(0)
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#statements[this.#place]!.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: valueTypes.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns = [], answer, failure } = this.#statements[this.#place]!
    if (failure) return
    try {
      const row: Record<string, unknown> = {}
      for (let index = 0; index < columns.length; index += 1) {
        const { name, parse } = columns[index]!
        const text = fields[index] ?? null
        row[name] = text === null ? null : parse(text)
      }
      answer.rows.push(row)
    } catch (error) {
      this.#statements[this.#place]!.failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name, columns = [], answer } = this.#statements[this.#place]!
    const words = text.split(' ')
    answer.command = words[0]!
    answer.rowCount = Number(words.at(-1)) || 0
    if (name !== undefined) this.#described.set(name, columns)
    this.#turnTo(this.#place + 1)
  }

  handleEmptyQuery(): void {
    this.#turnTo(this.#place + 1)
  }

  handleReadyForQuery(): void {
    this.callback?.()
    for (const statement of this.#statements) settle(statement)
  }

  /** The server skips everything after the statement that failed. */
  handleError(error: Error, { submittedNamedStatements }: Connection): void {
    this.callback?.()
    const failed = Math.min(this.#place, this.#statements.length - 1)
    for (const [place, statement] of this.#statements.entries()) {
      if (place < failed) settle(statement)
      else statement.reject(error)
      if (place >= failed && statement.name !== undefined) delete submittedNamedStatements[statement.name]
    }
  }

  #turnTo(place: number): void {
    this.#place = place
    this.name = this.#statements[place]?.name
    this.text = this.#statements[place]?.text ?? ''
  }
}

function settle({ answer, failure, resolve, reject }: Statement): void {
  if (failure) reject(failure)
  else resolve(answer)
}
