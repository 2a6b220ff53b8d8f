import { placeAmong } from './placement.ts'

interface Named {
  id: string
}

/**
 * Removes new items and restores deleted ones after those that precede them in the live version. With `reorders`, items
 * of both versions get their live order.
 */
export function listWithout<Item extends Named>(
  { live, draft }: { live: readonly Item[]; draft: readonly Item[] },
  { isDiscarded, reorders }: { isDiscarded: (id: string) => boolean; reorders: boolean },
): Item[] {
  const isIn = (list: readonly Item[], { id }: Item) => list.some((item) => item.id === id)
  const kept = draft.filter((item) => isIn(live, item) || !isDiscarded(item.id))
  const common = kept.filter((item) => isIn(live, item))
  const inLiveOrder = live.flatMap(({ id }) => common.filter((item) => item.id === id))
  const ordered = reorders ? kept.map((item) => (isIn(live, item) ? inLiveOrder.shift()! : item)) : kept
  const returning = live.filter((item) => !isIn(draft, item) && isDiscarded(item.id))
  return returning.reduce((list, item) => placeAmong(list, live, item), ordered)
}
