import type { Condition } from '@svc/core'
import { type Issue, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import { type Strategy, strategies } from '../models/live.ts'

export const maxPlacementsPerProject = 100
export const maxShownProducts = 50
export const maxVariants = 10
export const maxStrategies = 10
export const maxBoosts = 20
export const maxPins = 50
const maxVariantsBytes = 256 * 1024

/** A request without a variant gets this one. */
export const defaultVariant = 'default'

/** A factor for the score of items. */
export type Boost = { when: Condition; factor: number } | { sameAs: string; factor: number }

export interface PlacementPin {
  productId: string
  /** Counted from 0. */
  position: number
  /** ISO 8601 in UTC. Null: the pin counts already. */
  from: string | null
  /** Null: the pin has no end. */
  until: string | null
}

/** How the list of a placement is made. */
export interface Variant {
  /** Strategies, or keys of models, in the order in which they fill the list. */
  strategies: readonly string[]
  filter: Condition | null
  sameCategory: boolean
  excludeBought: boolean
  maxPerBrand: number | null
  maxPerCategory: number | null
  boosts: readonly Boost[]
  pins: readonly PlacementPin[]
}

/** What a placement says. */
export interface PlacementContent {
  name: string
  /** The most products of a list. */
  limit: number
  /** Whether lists use what the service knows of a visitor. */
  history: boolean
  includePreorder: boolean
  variants: Readonly<Record<string, Variant>>
}

export const isStrategy = (name: string): name is Strategy => strategies.some((each) => each === name)

/** What the variants name, each once and with the place where it stands first. */
export function namedIn(variants: PlacementContent['variants']): { name: string; path: PropertyKey[] }[] {
  const named = new Map<string, PropertyKey[]>()
  for (const [variant, { strategies: names }] of Object.entries(variants))
    for (const [index, name] of names.entries())
      if (!named.has(name)) named.set(name, ['variants', variant, 'strategies', index])
  return [...named].map(([name, path]) => ({ name, path }))
}

/** What the fields of a placement say about each other. */
export function refusesPlacement({ limit, variants }: PlacementContent): Refusal | undefined {
  const issues: Issue[] = []
  const names = Object.keys(variants)
  if (!names.includes(defaultVariant))
    issues.push({
      path: ['variants'],
      message: `Must have the variant ${defaultVariant}: requests without one get it.`,
    })
  if (names.length > maxVariants)
    issues.push({ path: ['variants'], message: `Must have up to ${maxVariants} variants.` })
  if (Buffer.byteLength(JSON.stringify(variants)) > maxVariantsBytes)
    issues.push({ path: ['variants'], message: `Must have up to ${maxVariantsBytes / 1024} KiB as JSON.` })
  for (const [name, variant] of Object.entries(variants)) {
    const at = (...path: PropertyKey[]): PropertyKey[] => ['variants', name, ...path]
    for (const [index, strategy] of variant.strategies.entries())
      if (variant.strategies.indexOf(strategy) !== index)
        issues.push({ path: at('strategies', index), message: `Names ${strategy} a second time.` })
    for (const [index, { position, from, until }] of variant.pins.entries()) {
      if (position >= limit)
        issues.push({
          path: at('pins', index, 'position'),
          message: `Must be below the limit of the placement, ${limit}.`,
        })
      if (from !== null && until !== null && from >= until)
        issues.push({ path: at('pins', index, 'until'), message: 'Must be after from.' })
    }
  }
  return refuseIssues(issues)
}
