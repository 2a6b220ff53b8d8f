import type { Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { findRate, holdCurrency, minorUnits } from '../../../model/catalog/index.ts'
import { noteChanges } from '../queries.ts'
import { deleteRecount, fillRates, insertRecount, ordersAfter, type Recount, saveRecount } from './queries.ts'

/** Orders of a transaction. A thousand are filled in less than 50 ms. */
export const portions = { filled: 1_000, looked: 5_000 } as const

/** What is left to do after a portion; null if nothing is. */
type Left = Recount | null

interface Counting {
  /** The number of the batch in which the changes are. It is asked for as late as possible: it makes snapshots wait. */
  batch: () => Promise<number>
  now: Date
}

/** What a setting changes. */
export type Wanted =
  | { what: 'RATE'; currency: string; rate: string; reporting: string }
  | { what: 'VISITORS'; envId: string | null; from: Date | null }

const nil = '00000000-0000-0000-0000-000000000000'

/** Does the first portion, which is all for most shops, in the transaction of the setting. The rest is left to the worker. */
export async function beginRecount(tx: Tx, projectId: string, wanted: Wanted, counting: Counting): Promise<void> {
  const base = { id: newId(), projectId }
  const left =
    wanted.what === 'RATE'
      ? await fill(tx, { ...base, what: 'RATE', currency: wanted.currency }, wanted, counting)
      : await noteVisitors(
          tx,
          {
            ...{ ...base, what: 'VISITORS', envId: wanted.envId },
            after: wanted.from && { placedAt: wanted.from, id: nil },
          },
          counting,
        )
  if (left) await insertRecount(tx, left, counting.now)
}

/** Does the next portion, and notes what is left. Returns whether anything is. */
export async function continueRecount(tx: Tx, recount: Recount, counting: Counting): Promise<boolean> {
  const left = await portionOf(tx, recount, counting)
  if (left) await saveRecount(tx, left)
  else await deleteRecount(tx, recount.id)
  return left !== null
}

async function portionOf(tx: Tx, recount: Recount, counting: Counting): Promise<Left> {
  if (recount.what === 'VISITORS') return noteVisitors(tx, recount, counting)
  const { projectId, currency } = recount
  // Orders that are being stored have locked their rows in another order than the batches.
  await holdCurrency(tx, projectId)
  const known = await findRate(tx, projectId, currency)
  // Somebody has taken the rate back.
  return known ? fill(tx, recount, known, counting) : null
}

async function fill(
  tx: Tx,
  recount: Recount & { what: 'RATE' },
  { rate, reporting }: { rate: string; reporting: string },
  { batch, now }: Counting,
): Promise<Left> {
  const { projectId, currency } = recount
  const into = { currency: reporting, digits: minorUnits(reporting) }
  const filled = await fillRates(tx, projectId, { currency, rate, reporting: into, now }, portions.filled)
  await note(tx, filled, await batch(), now)
  return filled.length < portions.filled ? null : recount
}

async function noteVisitors(tx: Tx, recount: Recount & { what: 'VISITORS' }, { batch, now }: Counting): Promise<Left> {
  const orders = await ordersAfter(tx, recount, recount.after, portions.looked)
  await note(
    tx,
    orders.filter(({ byImport }) => !byImport),
    await batch(),
    now,
  )
  const last = orders.at(-1)
  if (!last || orders.length < portions.looked) return null
  return { ...recount, after: { placedAt: last.placedAt, id: last.id } }
}

async function note(
  tx: Tx,
  orders: readonly { envId: string; unit: string | null }[],
  batch: number,
  now: Date,
): Promise<void> {
  const changes = orders.flatMap(({ envId, unit }) => (unit === null ? [] : [{ envId, unit }]))
  await noteChanges(tx, changes, { batch, now })
}
