import { isDeepStrictEqual } from 'node:util'
import { type Difference, isSameOrder } from '../../../difference.ts'
import type { Change } from './changes.ts'
import { noContent, type VariationContent, type WebContent } from './content.ts'
import type { Page } from './pages.ts'

/**
 * What differs between two contents of a web experiment, such as the live one and the draft, as a list to review.
 * A new or deleted page or change is one difference. For code, it shows only the fact that it changed.
 *
 * @param keyOf gives the key of a variation by its id
 */
export function webDifferences(from: WebContent, to: WebContent, keyOf: (variationId: string) => string): Difference[] {
  const ids = new Set([...Object.keys(from.variations), ...Object.keys(to.variations)])
  return [
    ...memberDifferences('pages', 'pageOrder', keyed(from.pages), keyed(to.pages)),
    ...fieldDifferences('', pick(from), pick(to)),
    ...[...ids].flatMap((id) =>
      variationDifferences(
        from.variations[id] ?? noContent,
        to.variations[id] ?? noContent,
        `variations.${keyOf(id)}.`,
      ),
    ),
  ]
}

/** What differs between two contents of one variation. Paths begin with `prefix`. */
export function variationDifferences(from: VariationContent, to: VariationContent, prefix = ''): Difference[] {
  const isSameCode = from.js === to.js
  return [
    ...memberDifferences(`${prefix}changes`, `${prefix}changeOrder`, identified(from.changes), identified(to.changes)),
    ...fieldDifferences(prefix, { css: from.css }, { css: to.css }),
    ...(isSameCode ? [] : [{ path: `${prefix}js`, from: null, to: null }]),
    ...fieldDifferences(prefix, { redirect: from.redirect }, { redirect: to.redirect }),
  ]
}

type Fields = Record<string, unknown>
type Members = ReadonlyMap<string, Fields>

const pick = ({ activation, activationSelector, applyAt }: WebContent): Fields => ({
  activation,
  activationSelector,
  applyAt,
})

const keyed = (pages: readonly Page[]): Members => new Map(pages.map(({ key, ...fields }) => [key, fields]))
const identified = (changes: readonly Change[]): Members => new Map(changes.map(({ id, ...fields }) => [id, fields]))

function memberDifferences(path: string, orderPath: string, from: Members, to: Members): Difference[] {
  const names = [...new Set([...from.keys(), ...to.keys()])]
  const found = names.flatMap((name) => {
    const before = from.get(name)
    const after = to.get(name)
    // A change of another type has other fields, so it is shown whole.
    if (!before || !after || before.type !== after.type)
      return [{ path: `${path}.${name}`, from: before ?? null, to: after ?? null }]
    return fieldDifferences(`${path}.${name}.`, before, after)
  })
  const orders = [[...from.keys()], [...to.keys()]] as const
  return isSameOrder(...orders) ? found : [...found, { path: orderPath, from: orders[0], to: orders[1] }]
}

const fieldDifferences = (prefix: string, from: Fields, to: Fields): Difference[] =>
  Object.keys({ ...from, ...to })
    .filter((field) => !isDeepStrictEqual(from[field], to[field]))
    .map((field) => ({ path: `${prefix}${field}`, from: from[field] ?? null, to: to[field] ?? null }))
