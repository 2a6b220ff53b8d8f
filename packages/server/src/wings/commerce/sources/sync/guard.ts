import { counted } from '@svc/core'
import { percent, percentAbove } from '../../shares.ts'
import type { Guards, SourceMode } from '../source.ts'

/** Shares of fewer items than these say nothing: one of two is half of a catalog. */
export const leastLiveItems = 50

export type GuardCheck = 'REMOVED_SHARE' | 'SKIPPED_SHARE' | 'PRICE_SHIFT_SHARE' | 'MIN_ITEMS'

/** What the guards look at, when all rows were read and nothing is visible yet. */
export interface SyncCounts {
  mode: SourceMode
  /** Items of the source that are live. */
  live: number
  /** Those of them that the file does not have, or says are gone. */
  removed: number
  /** Those of them that the file has. */
  seen: number
  /** Those of these whose price more than doubled, fell below half, or changed its currency. */
  shifted: number
  /** Rows, without those that the shop does not want to be found. */
  rows: number
  /** Those of them that gave no item. */
  skipped: number
  /** Different items that the file has. */
  taken: number
}

/** A limit that a sync breaks. Shares are fractions; of `MIN_ITEMS`, `value` and `limit` are numbers of items. */
export interface GuardFinding {
  check: GuardCheck
  value: number
  limit: number
  /** How many. */
  count: number
  /** Of how many. */
  of: number
}

/** What a person has seen of a held sync and accepted. */
export type Accepted = readonly Pick<GuardFinding, 'check' | 'count'>[]

/** Every limit that a sync breaks, in the order in which people should hear of it. */
export function findingsOf(counts: SyncCounts, guards: Partial<Guards>, accepted: Accepted = []): GuardFinding[] {
  const { mode, live, removed, seen, shifted, rows, skipped, taken } = counts
  const share = (check: GuardCheck, count: number, of: number, limit = 1): GuardFinding[] =>
    live >= leastLiveItems && of > 0 && count / of > limit ? [{ check, value: count / of, limit, count, of }] : []
  const { minItems = 0 } = guards
  const isFull = mode === 'FULL'
  const found = [
    ...(isFull ? share('REMOVED_SHARE', removed, live, guards.maxRemovedShare) : []),
    ...share('SKIPPED_SHARE', skipped, rows, guards.maxSkippedShare),
    ...share('PRICE_SHIFT_SHARE', shifted, seen, guards.maxPriceShiftShare),
    ...(isFull && taken < minItems
      ? [{ check: 'MIN_ITEMS' as const, value: taken, limit: minItems, count: taken, of: rows }]
      : []),
  ]
  return found.filter(({ check, count }) => !accepted.some((one) => one.check === check && isWithin(check, count, one)))
}

/** A sync that is applied can remove, skip and shift as much as was seen, and must bring as many items. */
const isWithin = (check: GuardCheck, count: number, seen: { count: number }): boolean =>
  check === 'MIN_ITEMS' ? count >= seen.count : count <= seen.count

const ofWhat: Record<Exclude<GuardCheck, 'MIN_ITEMS'>, [noun: string, what: string]> = {
  REMOVED_SHARE: ['item', 'would be removed'],
  SKIPPED_SHARE: ['row', 'would be skipped'],
  PRICE_SHIFT_SHARE: ['item', 'would get a price above double, below half or in a different currency'],
}

/** A broken limit in one sentence for people. */
export function guardText({ check, value, limit, of }: GuardFinding): string {
  if (check === 'MIN_ITEMS')
    return `The file has ${counted(value, 'item')}; there must be at least ${limit.toLocaleString('en')}.`
  const [noun, what] = ofWhat[check]
  return `${percentAbove(value, limit)} of ${counted(of, noun)} ${what}; the limit is ${percent(limit)}.`
}

interface Price {
  price: number
  currency: string
}

/** Whether a price moved as it does when cents are read as euros. Exactly double and exactly half are no shift. */
export const isShifted = (before: Price, after: Price): boolean =>
  before.currency !== after.currency || after.price > before.price * 2 || after.price * 2 < before.price
