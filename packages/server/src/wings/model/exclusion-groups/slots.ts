import type { Exclusion } from '../versions/index.ts'

export const wholeGroup = 10_000

/** A stretch of the buckets of a group: `from` is inclusive, `to` exclusive. */
export type Slot = Pick<Exclusion, 'from' | 'to'>

export interface TakenSlot extends Slot {
  ruleId: string
}

/**
 * The slot of a rule in a group: the one that it has, else the one that it wants if that is free, else the first free
 * stretch. Undefined if the group is full. The slots of other rules never move.
 */
export function slotFor(
  ruleId: string,
  slotSize: number,
  taken: readonly TakenSlot[],
  wanted?: Slot,
): Slot | undefined {
  const own = taken.find((slot) => slot.ruleId === ruleId)
  if (own) return { from: own.from, to: own.to }
  const isFree = (slot: Slot) =>
    slot.to <= wholeGroup && !taken.some(({ from, to }) => slot.from < to && from < slot.to)
  if (wanted && wanted.to - wanted.from === slotSize && isFree(wanted)) return { from: wanted.from, to: wanted.to }
  const starts = [0, ...taken.map(({ to }) => to)].sort((one, other) => one - other)
  return starts.map((from) => ({ from, to: from + slotSize })).find(isFree)
}
