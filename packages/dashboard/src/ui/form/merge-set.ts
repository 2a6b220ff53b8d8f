import { type Fields, type Merged, merge } from './merge.ts'

interface Member {
  id: string
}

/** What a variation does to pages, as far as two people edit it at once. */
export interface MergeableSet<Change extends Member> {
  /** In the order in which they are applied. */
  changes: readonly Change[]
  css: string | null
}

export interface MergedSet<Change extends Member> extends Merged<Fields> {
  /** The set that values stand for, after a choice in each conflict. */
  setOf: (values: Fields) => { changes: Change[]; css: string | null }
}

const prefix = 'change '

/** The field of a change with this id, in a merge. */
export const fieldOfChange = (id: string): string => `${prefix}${id}`
/** The id of the change that a field is; undefined for `css` and `order`. */
export const changeOfField = (field: string): string | undefined =>
  field.startsWith(prefix) ? field.slice(prefix.length) : undefined

/**
 * Merges two edits of a set. Its fields are the changes by their ids, the CSS, and the order of the ids: as one list, two
 * edits of one change would be a conflict of the whole. A change that one person deleted and the other edited is a
 * conflict, whose deleted side is undefined.
 */
export function mergeSets<Change extends Member>(
  base: MergeableSet<Change>,
  mine: MergeableSet<Change>,
  theirs: MergeableSet<Change>,
): MergedSet<Change> {
  const merged = merge(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs))
  const orders = [theirs, mine, base].map(idsOf)
  return { ...merged, setOf: (values) => setIn<Change>(values, idsOf(base), orders) }
}

const idsOf = ({ changes }: MergeableSet<Member>): string[] => changes.map(({ id }) => id)

const fieldsOf = (set: MergeableSet<Member>): Fields => ({
  ...Object.fromEntries(set.changes.map((change) => [fieldOfChange(change.id), change])),
  css: set.css,
  order: idsOf(set),
})

/** Each change that only one side knows goes where it is on that side: after the change before it. */
function setIn<Change extends Member>(values: Fields, known: readonly string[], orders: readonly string[][]) {
  const changes = new Map(
    Object.entries(values).flatMap(([field, value]) => {
      const id = changeOfField(field)
      return id === undefined || value === undefined ? [] : [[id, value as Change]]
    }),
  )
  const order = (values.order as string[]).filter((id) => known.includes(id) && changes.has(id))
  for (const ids of orders)
    for (const id of ids)
      if (changes.has(id) && !order.includes(id)) {
        const before = ids.slice(0, ids.indexOf(id)).findLast((each) => order.includes(each))
        order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
      }
  return { changes: order.map((id) => changes.get(id)!), css: values.css as string | null }
}
