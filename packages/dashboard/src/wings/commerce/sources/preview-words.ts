import type { Data } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'

export type Preview = Data<'/api/v1/projects/{projectId}/catalog/sources/{sourceId}/preview', 'post'>

/** What became of the rows, in a sentence: "The first 100 rows give 98 items, and 2 rows would be skipped." */
export function previewInWords({ rows, items, errors }: Preview): string {
  if (rows === 0) return 'The file has no rows.'
  const skipped = rows - items.length
  const warnings = errors.filter(({ isWarning }) => isWarning).length
  const first = rows >= 100 ? 'The first 100 rows give' : `${counted(rows, 'row')} ${rows === 1 ? 'gives' : 'give'}`
  const rest =
    skipped > 0
      ? `, and ${counted(skipped, 'row')} would be skipped`
      : warnings === 0
        ? `, and nothing is wrong with ${rows === 1 ? 'it' : 'them'}`
        : ''
  const kept =
    warnings > 0 ? ` ${counted(warnings, 'value')} could not be taken as ${warnings === 1 ? 'it is' : 'they are'}.` : ''
  return `${first} ${counted(items.length, 'item')}${rest}.${kept}`
}

/** The columns that no field of an item has taken. */
export const attributesIn = ({ items }: Pick<Preview, 'items'>): string[] => [
  ...new Set(items.flatMap(({ attributes }) => Object.keys(attributes))),
]
