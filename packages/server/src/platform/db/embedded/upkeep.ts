/** Runs one statement and returns its rows. */
export type Query = (text: string) => Promise<Record<string, unknown>[]>

export interface Upkeep {
  checkpointedAt: number
  vacuumedAt: number
}

const checkpointBytes = 16 * 1024 * 1024
const minCheckpointBytes = 64 * 1024
const maxCheckpointAgeMs = 60_000
const vacuumIntervalMs = 60_000
const maxVacuumDelayMs = 600_000

/**
 * Does what the checkpointer and autovacuum do on a server, between two statements and outside transactions. A
 * checkpoint is short and runs as soon as the log needs it. A vacuum waits until no query is waiting.
 */
export async function keepUp(query: Query, state: Upkeep, now: number, isIdle: boolean): Promise<void> {
  const logBytes = await logSinceCheckpoint(query)
  if (isCheckpointDue(logBytes, now - state.checkpointedAt)) {
    await query('checkpoint')
    state.checkpointedAt = now
  }
  if (!isVacuumDue(now - state.vacuumedAt, isIdle)) return
  state.vacuumedAt = now
  for (const statement of await vacuumsDue(query)) await query(statement)
}

export const isCheckpointDue = (logBytes: number, ageMs: number): boolean =>
  logBytes > checkpointBytes || (logBytes > minCheckpointBytes && ageMs > maxCheckpointAgeMs)

export const isVacuumDue = (ageMs: number, isIdle: boolean): boolean =>
  ageMs > (isIdle ? vacuumIntervalMs : maxVacuumDelayMs)

async function logSinceCheckpoint(query: Query): Promise<number> {
  const rows = await query(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()',
  )
  return Number(rows[0]?.bytes)
}

// The thresholds are autovacuum's defaults. Old rows are frozen long before 2^31 transactions, where writes would stop.
async function vacuumsDue(query: Query): Promise<string[]> {
  const rows = await query(`
    select format('vacuum (%s) %I.%I', case when age(c.relfrozenxid) > 150000000 then 'freeze, analyze'
      else 'analyze' end, n.nspname, c.relname) as statement
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_stat_all_tables s on s.relid = c.oid
    where c.relkind in ('r', 'm') and n.nspname <> 'pg_toast' and (age(c.relfrozenxid) > 150000000
      or s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
      or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))
    order by age(c.relfrozenxid) desc
    limit 20`)
  return rows.map((row) => String(row.statement))
}
