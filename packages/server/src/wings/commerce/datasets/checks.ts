import { percent, percentAbove } from '../shares.ts'
import type { DatasetGuards } from './dataset.ts'

/** What the guards look at. */
export interface Counts {
  rows: number
  /** Those whose product the catalog does not have; null if the catalog is empty. */
  unknown: number | null
}

/** One guard, and what it has found. Of a check that does not apply, `value` is null. */
export interface Check {
  check: 'ROW_DROP' | 'UNKNOWN_PRODUCTS'
  status: 'OK' | 'FAILED' | 'SKIPPED'
  value: number | null
  limit: number
}

/** Compares a version with the active one and with the catalog. Shares are fractions. */
export function checksOf(
  { rows, unknown }: Counts,
  active: { rows: number } | undefined,
  guards: DatasetGuards,
): Check[] {
  const drop = active && active.rows > 0 ? Math.max(0, 1 - rows / active.rows) : null
  const unknownShare = unknown === null || rows === 0 ? null : unknown / rows
  return [
    checked('ROW_DROP', drop, guards.maxRowDrop),
    checked('UNKNOWN_PRODUCTS', unknownShare, guards.maxUnknownShare),
  ]
}

const checked = (check: Check['check'], value: number | null, limit: number): Check => ({
  check,
  status: value === null ? 'SKIPPED' : value > limit ? 'FAILED' : 'OK',
  value,
  limit,
})

const texts: Record<Check['check'], (value: string, limit: string) => string> = {
  ROW_DROP: (value, limit) => `${value} of the rows of the active version would be gone; the limit is ${limit}.`,
  UNKNOWN_PRODUCTS: (value, limit) =>
    `${value} of the rows have a product that the catalog does not have; the limit is ${limit}.`,
}

/** Why a version is held, in words for people; null if it is not. */
export function heldBecause(checks: readonly Check[]): string | null {
  const failed = checks.filter(({ status }) => status === 'FAILED')
  return failed.length === 0
    ? null
    : failed.map(({ check, value, limit }) => texts[check](percentAbove(value!, limit), percent(limit))).join(' ')
}
