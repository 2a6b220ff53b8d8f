import type { Data } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'
import { money } from '../../../ui/words/money.ts'
import type { Source } from './source.ts'

export type Preview = Data<'/api/v1/projects/{projectId}/catalog/sources/{sourceId}/preview', 'post'>

/** What became of the rows, in a sentence: "The first 100 rows give 98 items, and 2 rows would be skipped." */
export function previewInWords(preview: Preview, type: Source['type']): string {
  if (preview.rows === 0) return type === 'ORDERS' ? 'The file has no orders.' : 'The file has no rows.'
  if (type === 'ORDERS') return ordersInWords(preview)
  const { rows, errors } = preview
  const isProducts = type === 'PRODUCTS'
  const taken = isProducts ? preview.items.length : preview.values.length
  const items = isProducts ? taken : new Set(preview.values.flatMap(({ itemIds }) => itemIds)).size
  const skipped = rows - taken
  const warnings = errors.filter(({ isWarning }) => isWarning).length
  const verb = isProducts ? 'give' : 'set fields of'
  const verbOfOne = isProducts ? 'gives' : 'sets fields of'
  const first = rows >= 100 ? `The first 100 rows ${verb}` : `${counted(rows, 'row')} ${rows === 1 ? verbOfOne : verb}`
  const rest =
    skipped > 0
      ? `, and ${counted(skipped, 'row')} would be skipped`
      : warnings === 0
        ? `, and nothing is wrong with ${rows === 1 ? 'it' : 'them'}`
        : ''
  const kept =
    warnings > 0 ? ` ${counted(warnings, 'value')} could not be taken as ${warnings === 1 ? 'it is' : 'they are'}.` : ''
  return `${first} ${counted(items, 'item')}${rest}.${kept}`
}

/** "2 of the first 100 orders would be skipped." */
function ordersInWords({ rows, orders }: Preview): string {
  const skipped = rows - orders.length
  const all = rows >= 100 ? 'the first 100 orders' : counted(rows, 'order')
  if (skipped > 0) return `${skipped.toLocaleString('en')} of ${all} would be skipped.`
  return rows === 1 ? 'The order can be stored.' : `All of ${all} can be stored.`
}

/** "cost €7.50, stock 12". A field that the row leaves empty stays that of the feed. */
export function valuesInWords({ cost, stock, salePrice, labels, currency }: Preview['values'][number]): string {
  const amount = (value: string | null) => (value === null ? 'none' : money(value, currency))
  const parts = [
    ...(cost === undefined ? [] : [`cost ${amount(cost)}`]),
    ...(stock === undefined ? [] : [`stock ${stock?.toLocaleString('en') ?? 'none'}`]),
    ...(salePrice === undefined ? [] : [`sale price ${amount(salePrice)}`]),
    ...(labels === undefined ? [] : [`labels ${labels.length > 0 ? labels.join(', ') : 'none'}`]),
  ]
  return parts.length > 0 ? parts.join(', ') : 'nothing'
}

/** What is wrong with each row, together. */
export function byLine(errors: Preview['errors']): { line: number; itemId: string | null; messages: string[] }[] {
  const lines = new Map<number, { line: number; itemId: string | null; messages: string[] }>()
  for (const { line, itemId, message } of errors) {
    const known = lines.get(line) ?? { line, itemId, messages: [] }
    known.messages.push(message)
    lines.set(line, known)
  }
  return [...lines.values()]
}

/** The columns that no field of an item has taken. */
export const attributesIn = ({ items }: Pick<Preview, 'items'>): string[] => [
  ...new Set(items.flatMap(({ attributes }) => Object.keys(attributes))),
]
