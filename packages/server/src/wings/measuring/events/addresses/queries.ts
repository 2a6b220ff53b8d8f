import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Sample } from './sample.ts'

interface RuleDay {
  ruleId: string
  day: string
}

export interface StoredSample extends RuleDay {
  /** Null if the day is over. */
  sample: [unit: number, network: number][] | null
}

/** Locks what is known of rules and days, in order, so that two nodes do not deadlock. */
export async function lockSamples(tx: Tx, days: readonly RuleDay[]): Promise<StoredSample[]> {
  const asked = sql`
    jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as asked ("ruleId" uuid, day date)`
  await sql`
    insert into rule_addresses (rule_id, day, sample, units, largest)
    select "ruleId", day, '[]', 0, 0 from ${asked} order by 1, 2
    on conflict (rule_id, day) do nothing`.execute(tx)
  const { rows } = await sql<StoredSample>`
    select rule_id as "ruleId", to_char(known.day, 'YYYY-MM-DD') as day, sample
    from rule_addresses known join ${asked} on known.rule_id = asked."ruleId" and known.day = asked.day
    order by 1, 2 for no key update of known`.execute(tx)
  return rows
}

export interface NewShares extends RuleDay {
  sample: Sample
  units: number
  largest: number
}

export async function saveSamples(tx: Tx, samples: readonly NewShares[]): Promise<void> {
  const rows = samples.map(({ sample, ...row }) => ({ ...row, sample: [...sample.units] }))
  await sql`
    update rule_addresses known set sample = told.sample, units = told.units, largest = told.largest
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as told ("ruleId" uuid, day date, sample jsonb, units float8, largest float8)
    where known.rule_id = told."ruleId" and known.day = told.day`.execute(tx)
}

/** Returns the environments in which SDKs report themselves and all SDKs are in pages. */
export async function servedToPagesAlone(db: Db, envIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ envId: string }>`
    select env_id as "envId" from sdk_instances where env_id = any(${[...envIds]}::uuid[])
    group by env_id having bool_and(sdk_type = 'browser')`.execute(db)
  return new Set(rows.map(({ envId }) => envId))
}

export interface LargestNetwork {
  /** UTC, such as `2026-01-31`. */
  day: string
  /** About how many visitors came on that day. */
  units: number
  /** The number of them from the network that brought the most. */
  share: number
}

/** The day since a moment on which one network brought the largest share of the visitors; null if none had so many. */
export async function largestNetwork(
  db: Db,
  ruleId: string,
  { since, leastUnits }: { since: Date; leastUnits: number },
): Promise<LargestNetwork | null> {
  const { rows } = await sql<LargestNetwork>`
    select to_char(day, 'YYYY-MM-DD') as day, units, largest as share from rule_addresses
    where rule_id = ${ruleId} and day >= (${since}::timestamptz at time zone 'UTC')::date and units >= ${leastUnits}
    order by largest desc, day limit 1`.execute(db)
  return rows[0] ?? null
}

/** Forgets who came on days that are over. The shares stay. Returns how many. */
export async function forgetSamples(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    update rule_addresses set sample = null where (rule_id, day) in (
      select rule_id, day from rule_addresses
      where sample is not null and day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      for update skip locked
    ) returning rule_id`.execute(db)
  return rows.length
}

/** Deletes the shares of old days. Returns how many. */
export async function deleteOldShares(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from rule_addresses where (rule_id, day) in (
      select rule_id, day from rule_addresses
      where day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      for update skip locked
    ) returning rule_id`.execute(db)
  return rows.length
}
