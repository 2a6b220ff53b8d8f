import { ownDay } from '../../../ui/time/dates.ts'
import { counted } from '../../../ui/words/lists.ts'
import type { Placement, Variant } from './placement.ts'

/** A page that names no variant gets this one. */
export const defaultVariant = 'default'

/** What fills a list, and what it is for. */
export const strategies = {
  BOUGHT_TOGETHER: { name: 'Bought together', about: 'Beside a product or in the cart: what the same orders have.' },
  VIEWED_TOGETHER: { name: 'Viewed together', about: 'Beside a product: what the same visitors look at.' },
  SIMILAR: { name: 'Similar', about: 'Beside a product: same brand, category and words, also if nobody has seen it.' },
  FOR_YOU: { name: 'For you', about: 'What visitors with a similar session went on to.' },
  POPULAR: { name: 'Popular', about: 'The best of the shop or of a category, the last days above all.' },
  TRENDING: { name: 'Trending', about: 'What rises now.' },
  RECENTLY_VIEWED: { name: 'Recently viewed', about: 'What the visitor has looked at, the latest first.' },
  IMPORTED: { name: 'Imported', about: 'What your own trainer has computed.' },
} as const

/** "Bought together", or the key of a model as it is. Only a pin brings a product without a strategy. */
export const strategyName = (strategy: string | null): string =>
  strategy === null ? 'Pin' : (strategies[strategy as keyof typeof strategies]?.name ?? strategy)

export const strategiesInWords = ({ strategies: names, pins }: Pick<Variant, 'strategies' | 'pins'>): string => {
  if (names.length > 0) return names.map(strategyName).join(', then ')
  return pins.length > 0 ? 'Only pins' : 'Nothing'
}

/** The variant of pages that name none comes first. */
export const variantNames = ({ variants }: Pick<Placement, 'variants'>): string[] => [
  defaultVariant,
  ...Object.keys(variants)
    .filter((name) => name !== defaultVariant)
    .toSorted(),
]

const reasons = {
  FILTERED: 'No item passes the filter',
  OUT_OF_STOCK: 'Not in stock',
  EXCLUDED: 'The page asked for it not to be shown',
  CONTEXT: 'The visitor is looking at it',
  BOUGHT: 'The visitor has bought it',
  CAP: 'Enough of its brand or category',
  LIMIT: 'The list was full',
} as const

export type Reason = keyof typeof reasons

export const reasonInWords = (reason: Reason): string => reasons[reason]

/** How many candidates are left out, by reason, the most frequent first. */
export function leftOut<Candidate extends { reason: Reason | null }>(
  candidates: readonly Candidate[],
): { reason: Reason; count: number; of: Candidate[] }[] {
  const byReason = new Map<Reason, Candidate[]>()
  for (const candidate of candidates)
    if (candidate.reason !== null)
      byReason.set(candidate.reason, [...(byReason.get(candidate.reason) ?? []), candidate])
  return [...byReason]
    .map(([reason, of]) => ({ reason, count: of.length, of }))
    .toSorted((one, other) => other.count - one.count)
}

/** What limits the list of a variant, a sentence each. */
export function limitsInWords(
  { sameCategory, excludeBought, maxPerBrand, maxPerCategory }: Variant,
  { includePreorder, history }: Pick<Placement, 'includePreorder' | 'history'>,
): string[] {
  return [
    ...(sameCategory ? ['Only products of the category of the product on the page.'] : []),
    ...(excludeBought ? ['Without what the visitor has bought.'] : []),
    ...(maxPerBrand === null ? [] : [`At most ${counted(maxPerBrand, 'product')} of a brand.`]),
    ...(maxPerCategory === null ? [] : [`At most ${counted(maxPerCategory, 'product')} of a category.`]),
    includePreorder ? 'Also what can be ordered in advance or is sent later.' : 'Only what is in stock.',
    ...(history ? ['Uses what the service knows of a visitor.'] : []),
  ]
}

/** "Position 1, until 1 Dec 2026". */
export function pinInWords({ position, from, until }: Variant['pins'][number]): string {
  const day = (time: string) => ownDay(new Date(time))
  return [
    `Position ${position + 1}`,
    ...(from === null ? [] : [`from ${day(from)}`]),
    ...(until === null ? [] : [`until ${day(until)}`]),
  ].join(', ')
}

const besideProducts = ['VIEWED_TOGETHER', 'BOUGHT_TOGETHER', 'SIMILAR', 'IMPORTED', 'RECENTLY_VIEWED']

/** Whether a list has nothing before the page shows a product, or the visitor has looked at one. */
export const needsProduct = ({ strategies, pins }: Pick<Variant, 'strategies' | 'pins'>): boolean =>
  strategies.length > 0 && pins.length === 0 && strategies.every((each) => besideProducts.includes(each))
