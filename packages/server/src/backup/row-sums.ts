import type { CopySession } from '../platform/db/index.ts'
import { quoted, schemaOf } from './tables.ts'

/** How many rows a table has, and a sum of their hashes, which does not depend on their order. */
export interface RowSum {
  name: string
  count: number
  sum: string
}

export async function rowSumsOf(session: CopySession): Promise<RowSum[]> {
  const { tables } = await schemaOf(session)
  const sums: RowSum[] = []
  for (const { name } of tables) {
    const [sum] = await session.query<Omit<RowSum, 'name'>>(`
      select count(*)::int as count, coalesce(sum(('x' || left(md5(row::text), 15))::bit(60)::bigint), 0)::text as sum
      from ${quoted(name)} row`)
    sums.push({ name, ...sum! })
  }
  return sums
}

/** The names of the tables whose rows differ. */
export function differences(here: readonly RowSum[], there: readonly RowSum[]): string[] {
  const text = ({ count, sum }: RowSum) => `${count} ${sum}`
  const known = new Map(there.map((each) => [each.name, text(each)]))
  const names = new Set([...here, ...there].map(({ name }) => name))
  const own = new Map(here.map((each) => [each.name, text(each)]))
  return [...names].filter((name) => own.get(name) !== known.get(name))
}
