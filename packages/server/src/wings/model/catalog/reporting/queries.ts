import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/index.ts'

/** How the money of a project is counted. */
export interface Reporting {
  currency: string
  /** What one unit of a currency is worth in the reporting currency, as a decimal text; null if nobody has said it. */
  rateOf(currency: string): string | null
}

/**
 * The settings of projects for money. A project without a reporting currency gets that of its order: of several, the
 * first one that is given.
 */
export async function reportingOf(
  tx: Tx,
  orders: readonly { projectId: string; currency: string }[],
  now: Date,
): Promise<(projectId: string) => Reporting> {
  const first = new Map<string, string>()
  for (const { projectId, currency } of orders) if (!first.has(projectId)) first.set(projectId, currency)
  const projectIds = [...first.keys()].sort()
  const known = await settingsOf(tx, projectIds)
  const without = projectIds.filter((id) => !known.get(id)?.currency)
  if (without.length > 0) {
    const currencies = without.map((id) => first.get(id)!)
    await sql`
      insert into catalogs (id, project_id, currency, created_at, updated_at)
      select gen_random_uuid(), told.*, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${without}::uuid[], ${currencies}::text[]) told
      on conflict (project_id) do update set currency = excluded.currency where catalogs.currency is null`.execute(tx)
  }
  const settings = without.length > 0 ? await settingsOf(tx, projectIds) : known
  return (projectId) => {
    const { currency, rates } = settings.get(projectId)!
    return { currency: currency!, rateOf: (of) => (of === currency ? '1' : (rates[of] ?? null)) }
  }
}

/** What a person decides about the money of a project. */
export interface MoneySettings {
  currency: string | null
  rates: Record<string, string>
  orderTrust: 'AUTO' | 'SDK' | 'CONFIRMED'
}

/** Waits for orders that are being stored in the reporting currency, and lets later ones wait. */
export async function holdCurrency(tx: Tx, projectId: string): Promise<void> {
  await sql`select from catalogs where project_id = ${projectId} for update`.execute(tx)
}

/** The rate of a currency, and the reporting currency, as they are set. */
export async function findRate(
  tx: Tx,
  projectId: string,
  currency: string,
): Promise<{ rate: string; reporting: string } | undefined> {
  const { rows } = await sql<{ rate: string; reporting: string }>`
    select rates ->> ${currency} as rate, currency as reporting from catalogs
    where project_id = ${projectId} and currency is not null and rates ? ${currency}`.execute(tx)
  return rows[0]
}

async function settingsOf(tx: Tx, projectIds: readonly string[]) {
  const { rows } = await sql<{ id: string; currency: string | null; rates: Record<string, string> }>`
    select project_id as id, currency, rates from catalogs
    where project_id = any(${[...projectIds]}::uuid[]) and currency is not null order by project_id for key share`.execute(
    tx,
  )
  return new Map(rows.map(({ id, ...settings }) => [id, settings]))
}
