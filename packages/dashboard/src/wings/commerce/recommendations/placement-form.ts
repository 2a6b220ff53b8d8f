import type { operations } from '@svc/client'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { type BoostRow, boostFaults, boostOf, boostRow } from './boost-form.ts'
import { allItems, filterOf, itemConditionFault } from './item-conditions.ts'
import type { Placement, Variant } from './placement.ts'
import { defaultVariant } from './placement-words.ts'

export type NewPlacement = operations['createPlacement']['requestBody']['content']['application/json']
export type PlacementUpdate = operations['updatePlacement']['requestBody']['content']['application/json']

/** A row of the pins. `key` is the product; `position` is counted from 1, as people do. */
export interface PinRow {
  key: string
  position: string
}

/** What is edited of a placement and of one of its variants. Numbers are texts while they are typed. */
export type PlacementValues = {
  name: string
  limit: string
  includePreorder: boolean
  history: boolean
  strategies: string[]
  sameCategory: boolean
  excludeBought: boolean
  maxPerBrand: string
  maxPerCategory: string
  /** Without conditions, all items pass. */
  filter: Condition
  boosts: BoostRow[]
  pins: PinRow[]
}

export const newPlacement: PlacementValues = {
  ...{ name: '', limit: '8', includePreorder: false, history: false, strategies: ['POPULAR'] },
  ...{ sameCategory: false, excludeBought: true, maxPerBrand: '', maxPerCategory: '', filter: allItems },
  ...{ boosts: [], pins: [] },
}

export function valuesOf(
  { name, limit, includePreorder, history, variants }: Placement,
  variant: string,
): PlacementValues {
  const { strategies, sameCategory, excludeBought, maxPerBrand, maxPerCategory, ...items } = variants[variant]!
  return {
    ...{ name, limit: String(limit), includePreorder, history, strategies, sameCategory, excludeBought },
    maxPerBrand: maxPerBrand === null ? '' : String(maxPerBrand),
    maxPerCategory: maxPerCategory === null ? '' : String(maxPerCategory),
    filter: (items.filter as Condition | null) ?? allItems,
    boosts: items.boosts.map(boostRow),
    pins: items.pins.map(({ productId, position }) => ({ key: productId, position: String(position + 1) })),
  }
}

export const creationOf = (values: PlacementValues): NewPlacement => ({
  ...ownOf(values),
  variants: { [defaultVariant]: variantOf(values, undefined), none: { strategies: [] } } as NewPlacement['variants'],
})

/** What an edit has changed. The times of pins stay; so do the other variants. */
export function updateOf(values: PlacementValues, before: Placement, variant: string): PlacementUpdate {
  const was = valuesOf(before, variant)
  const own = Object.entries(ownOf(values)).filter(([name, value]) => value !== before[name as 'name'])
  const part = ({
    name: _name,
    limit: _limit,
    includePreorder: _preorder,
    history: _history,
    ...others
  }: PlacementValues) => JSON.stringify(others)
  return {
    ...Object.fromEntries(own),
    ...(part(values) !== part(was) && {
      variants: { ...before.variants, [variant]: variantOf(values, before.variants[variant]) } as never,
    }),
  }
}

const ownOf = ({ name, limit, includePreorder, history }: PlacementValues) => ({
  ...{ name, limit: Number(limit), includePreorder, history },
})

function variantOf(values: PlacementValues, before: Variant | undefined) {
  const { strategies, sameCategory, excludeBought } = values
  const cap = (text: string) => (text.trim() === '' ? null : Number(text))
  const timesOf = (productId: string) => before?.pins.find((pin) => pin.productId === productId)
  return {
    ...before,
    ...{ strategies, sameCategory, excludeBought },
    ...{ maxPerBrand: cap(values.maxPerBrand), maxPerCategory: cap(values.maxPerCategory) },
    filter: filterOf(values.filter),
    boosts: values.boosts.map(boostOf),
    pins: values.pins.map(({ key, position }) => {
      const { from = null, until = null } = timesOf(key.trim()) ?? {}
      return { productId: key.trim(), position: Number(position) - 1, from, until }
    }),
  }
}

const isWithin = (text: string, most: number): boolean =>
  /^\s*\d{1,2}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= most

const capFault = (text: string): string | undefined =>
  text.trim() === '' || isWithin(text, 50) ? undefined : 'Enter 1 to 50, or nothing.'

export const rules = {
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : undefined),
  limit: (limit: string) => (isWithin(limit, 50) ? undefined : 'Enter 1 to 50.'),
  maxPerBrand: capFault,
  maxPerCategory: capFault,
  filter: itemConditionFault,
}

/** What is wrong with parts of a field, by the names of their inputs. */
export const partFaults = (values: PlacementValues): Record<string, string> => ({
  ...boostFaults(values.boosts),
  ...pinFaults(values),
})

function pinFaults({ pins, limit }: PlacementValues): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [at, { key, position }] of pins.entries()) {
    if (key.trim() === '') faults[`pins.${at}.key`] = 'Enter the id of a product.'
    if (!isWithin(position, Number(limit) || 50)) faults[`pins.${at}.position`] = `Enter 1 to ${limit}.`
    else if (pins.findIndex((other) => other.position.trim() === position.trim()) < at)
      faults[`pins.${at}.position`] = 'Another product has this position.'
  }
  return faults
}

/** Which input an issue of the service is about. */
export function inputOf([field, _variant, part, at, name]: readonly (string | number)[]): string | undefined {
  if (field !== 'variants') return undefined
  if (part === 'pins' && typeof at === 'number') return `pins.${at}.${name === 'productId' ? 'key' : 'position'}`
  if (part === 'boosts' && typeof at === 'number')
    return `boosts.${at}.${name === 'sameAs' ? 'attribute' : (name ?? 'factor')}`
  return part === undefined ? undefined : String(part)
}

export const labels: Record<keyof PlacementValues, string> = {
  name: 'The name',
  limit: 'The length of the list',
  includePreorder: 'Preorder and backorder',
  history: 'What the service knows of a visitor',
  strategies: 'What fills the list',
  sameCategory: 'Only the same category',
  excludeBought: 'Without what was bought',
  maxPerBrand: 'The most of a brand',
  maxPerCategory: 'The most of a category',
  filter: 'The filter',
  boosts: 'The boosts',
  pins: 'The pins',
}
