import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db/index.ts'

/** A temporary right to a row. `claims` is the fencing number: after a newer claim, an older one changes nothing. */
export interface Claim {
  id: string
  claims: number
}

/** The row was deleted, or this node was away for longer than its lease and another one has taken it. Nothing is written. */
export class LeaseLost extends Error {
  readonly table: string
  constructor(table: string, { id }: Claim) {
    super(`This node has lost the row ${id} of ${table}: it was too slow, or the row is gone.`)
    this.table = table
  }
}

/** How long a row waits after its first failure, and at most. It waits for twice as long after each one. */
export interface Backoff {
  firstMs: number
  mostMs: number
}

interface DueTable {
  /** Besides its own columns, it has `leased_until` (null: nobody works on the row), `claims` and `failures`. */
  table: string
  key: string
  /** The column with the time from which the row is due: `release` and `fail` write it. */
  dueAt: string
  /** The time from which the row is due, if it is more than that column. */
  isDueFrom?: RawBuilder<unknown>
  /** What a claim returns of the row, besides its id and its number. */
  columns: RawBuilder<unknown>
  backoff: Backoff
}

interface Claiming {
  now: Date
  /** The end of the lease. */
  until: Date
  /** What else a row must be to be taken. */
  where?: RawBuilder<unknown>
  /** What else the claim writes, such as a status. */
  set?: RawBuilder<unknown>
}

export interface DueRows<Row> {
  /** Takes the row that has been due for the longest. */
  claim(db: Db, claiming: Claiming): Promise<(Row & Claim) | undefined>
  /** Takes this row, even if it is not due, unless a node works on it. */
  claimOne(db: Db, id: string, claiming: Claiming): Promise<(Row & Claim) | undefined>
  /**
   * Moves the end of the lease and returns the row as it is. In a transaction, this also locks the row: until its end, no
   * other node can take it.
   *
   * @throws {LeaseLost}
   */
  renew(db: Db, claim: Claim, until: Date): Promise<Row & Claim>
  /** Gives the row back. It is due again at `dueAt`. Returns false if the lease was lost: then nothing has changed. */
  release(db: Db, claim: Claim, dueAt: Date | null): Promise<boolean>
  /** Gives the row back after a failure. It is due again later. Returns false if the lease was lost. */
  fail(db: Db, claim: Claim, now: Date): Promise<boolean>
  /** Whether the claim still holds the row: a condition for statements that write it. */
  isHeldBy(claim: Claim): RawBuilder<boolean>
}

/** For the start of a node that is alone on its database: frees the rows of all tables. No other process can have one. */
export async function endAllLeases(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = current_schema() and column_name = 'leased_until'`.execute(db)
  for (const { table } of rows)
    await sql`update ${sql.table(table)} set leased_until = null where leased_until is not null`.execute(db)
}

/**
 * Rows that are worked on when they are due, each by one node at a time. A node takes a row for the time of a lease. If
 * it dies, another one takes the row after that. If it only was slow, it comes too late: it cannot write the row, because
 * its claim is not the newest one.
 */
export function dueRows<Row>({ table, key, dueAt, isDueFrom, columns, backoff }: DueTable): DueRows<Row> {
  const [rows, id, due] = [sql.table(table), sql.ref(key), sql.ref(dueAt)]
  const from = isDueFrom ?? due
  const claimed = sql`${id} as id, claims::float8 as claims, ${columns}`
  const isHeldBy = (claim: Claim) =>
    sql<boolean>`${id} = ${claim.id} and claims = ${claim.claims}::bigint and leased_until is not null`
  const isFree = (now: Date) => sql`(leased_until is null or leased_until <= ${now})`
  const taking = ({ until, set }: Claiming) =>
    sql`update ${rows} set leased_until = ${until}, claims = claims + 1${set ? sql`, ${set}` : sql``}`
  const and = (where?: RawBuilder<unknown>) => (where ? sql` and (${where})` : sql``)
  const changes = async (db: Db, claim: Claim, set: RawBuilder<unknown>) => {
    const { rows: changed } = await sql`update ${rows} set ${set} where ${isHeldBy(claim)} returning 1`.execute(db)
    return changed.length > 0
  }
  return {
    isHeldBy,
    async claim(db, claiming) {
      const { now, where } = claiming
      const { rows: taken } = await sql<Row & Claim>`
        ${taking(claiming)} where ${id} = (
          select ${id} from ${rows} where ${from} <= ${now} and ${isFree(now)}${and(where)}
          order by ${from} limit 1 for no key update skip locked)
        returning ${claimed}`.execute(db)
      return taken[0]
    },
    async claimOne(db, wanted, claiming) {
      const { now, where } = claiming
      const { rows: taken } = await sql<Row & Claim>`
        ${taking(claiming)} where ${id} = ${wanted} and ${isFree(now)}${and(where)} returning ${claimed}`.execute(db)
      return taken[0]
    },
    async renew(db, claim, until) {
      const { rows: renewed } = await sql<Row & Claim>`
        update ${rows} set leased_until = ${until} where ${isHeldBy(claim)} returning ${claimed}`.execute(db)
      if (!renewed[0]) throw new LeaseLost(table, claim)
      return renewed[0]
    },
    release: (db, claim, at) => changes(db, claim, sql`leased_until = null, failures = 0, ${due} = ${at}`),
    fail: (db, claim, now) =>
      changes(
        db,
        claim,
        sql`leased_until = null, failures = failures + 1, ${due} = ${now}::timestamptz + make_interval(
          secs => least(${backoff.mostMs}::float8, ${backoff.firstMs}::float8 * 2 ^ least(failures, 30)) / 1000)`,
      ),
  }
}
