import { type Fields, type Merged, merge, resolved } from '../src/ui/form/merge.ts'
import type { Change, Draft } from './draft.ts'

/** What two people did to one variation: its changes by id, its CSS and the order of its changes are merged one by one. */
export interface MergedDraft {
  /** Mine, and theirs where I changed nothing. What is in conflict is mine. */
  draft: Draft
  conflicts: DraftConflict[]
  /** How many things came in that only they changed. */
  theirs: number
  /** The draft with the chosen side of each conflict, by its field. */
  choose(choices: Readonly<Record<string, 'mine' | 'theirs'>>): Draft
}

export interface DraftConflict {
  /** The id of a change with `change ` before it, `css` or `order`. */
  field: string
  /** A change, CSS or an order of ids. Undefined for a change that this side has removed. */
  mine: unknown
  theirs: unknown
}

/** Merges two edits of the same draft, so that nothing that either person did is lost. */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): MergedDraft {
  const merged = merge<Fields>(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs))
  const places = [mine, theirs].map(({ changes }) => changes.map(({ id }) => id))
  return {
    draft: draftOf(merged.values, places),
    conflicts: merged.conflicts.map(({ field, mine: my, theirs: their }) => ({ field, mine: my, theirs: their })),
    theirs: merged.theirs.filter((field) => field !== 'order').length,
    choose: (choices) => draftOf(resolved(merged as Merged<Fields>, choices), places),
  }
}

const prefix = 'change '

function fieldsOf({ changes, css }: Draft): Fields {
  const byId = changes.map((change): [string, Change] => [`${prefix}${change.id}`, change])
  return { ...Object.fromEntries(byId), css, order: changes.map(({ id }) => id) }
}

/** @param places the ids of each side in their order, for a change that the merged order does not name */
function draftOf(fields: Fields, places: readonly string[][]): Draft {
  const changes = new Map(
    Object.entries(fields).flatMap(([field, change]) =>
      field.startsWith(prefix) && change !== undefined ? [[field.slice(prefix.length), change as Change] as const] : [],
    ),
  )
  const order = [...(fields.order as string[])]
  for (const place of places)
    for (const [at, id] of place.entries())
      if (changes.has(id) && !order.includes(id)) {
        const before = place.slice(0, at).findLast((each) => order.includes(each))
        order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
      }
  return { changes: order.flatMap((id) => changes.get(id) ?? []), css: fields.css as string | null }
}
