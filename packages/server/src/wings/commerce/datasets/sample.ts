import type { MeasuredEvents } from '../../measuring/events/index.ts'
import type { VersionRow } from './queries.ts'

/** One row of a derived version. */
interface Interaction {
  unit: string | null
  productId: string
  action: string
  at: string
  weight: number
}

/** The first rows of a derived version, in the order in which models read them. */
export async function firstInteractions(
  events: Pick<MeasuredEvents, 'happened'>,
  { derivation, from, until, batch }: VersionRow,
  most: number,
): Promise<Interaction[]> {
  const { envId, actions } = derivation!
  const asked = { envId, eventKeys: Object.keys(actions), from: from!, until: until!, through: batch! }
  const rows: Interaction[] = []
  for await (const portion of events.happened(asked)) {
    for (const { unit, productId, eventKey: action, at } of portion)
      rows.push({ unit, productId, action, at: new Date(at).toISOString(), weight: actions[action] ?? 0 })
    if (rows.length >= most) break
  }
  return rows.slice(0, most)
}
