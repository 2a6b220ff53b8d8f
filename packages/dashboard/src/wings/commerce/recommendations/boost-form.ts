import type { Condition } from '../../../ui/conditions/conditions.ts'
import { filterOf, firstCondition, someConditionFault } from './item-conditions.ts'
import type { Variant } from './placement.ts'

/** What a boost is for: items that pass conditions, or products that are like the one on the page. */
export type BoostFor = 'CONDITIONS' | 'BRAND' | 'CATEGORY' | 'ATTRIBUTE'

/** A row of the boosts. What its kind does not need stays typed, and is not sent. */
export interface BoostRow {
  for: BoostFor
  when: Condition
  /** Of ATTRIBUTE: its name, without `attributes.`. */
  attribute: string
  factor: string
}

export const newBoost: BoostRow = { for: 'BRAND', when: firstCondition, attribute: '', factor: '1.3' }

export const boostFors: Record<BoostFor, string> = {
  BRAND: 'Products of the same brand as the one on the page',
  CATEGORY: 'Products of the same category as the one on the page',
  ATTRIBUTE: 'Products with the same value of an own field',
  CONDITIONS: 'Items for which conditions hold',
}

const prefix = 'attributes.'
type Boost = Variant['boosts'][number]

export function boostRow({ when, sameAs, factor }: Boost): BoostRow {
  const row = { ...newBoost, factor: String(factor) }
  if (sameAs === undefined) return { ...row, for: 'CONDITIONS', when: when as Condition }
  if (sameAs === 'brand') return row
  if (sameAs === 'category') return { ...row, for: 'CATEGORY' }
  return { ...row, for: 'ATTRIBUTE', attribute: sameAs.slice(prefix.length) }
}

export function boostOf({ for: what, when, attribute, factor }: BoostRow): Boost {
  const times = { factor: Number(factor) }
  if (what === 'CONDITIONS') return { when: filterOf(when), ...times }
  return { sameAs: what === 'ATTRIBUTE' ? `${prefix}${attribute.trim()}` : what.toLowerCase(), ...times }
}

/** What is wrong with boosts, by the names of their inputs. */
export function boostFaults(boosts: readonly BoostRow[]): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [at, { for: what, when, attribute, factor }] of boosts.entries()) {
    const fault = what === 'CONDITIONS' ? someConditionFault(when) : undefined
    if (fault !== undefined) faults[`boosts.${at}.when`] = fault
    if (what === 'ATTRIBUTE' && attribute.trim() === '') faults[`boosts.${at}.attribute`] = 'Enter the name of a field.'
    if (!(Number(factor) >= 0.1 && Number(factor) <= 10)) faults[`boosts.${at}.factor`] = 'Enter 0.1 to 10.'
  }
  return faults
}

/** "× 1.3 for the same brand", for a conflict. */
export function boostInWords({ for: what, attribute, factor }: BoostRow): string {
  if (what === 'CONDITIONS') return `× ${factor} if conditions hold`
  return `× ${factor} for the same ${what === 'ATTRIBUTE' ? attribute : what.toLowerCase()}`
}
