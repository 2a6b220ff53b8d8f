import { expect, test } from 'vitest'
import { attributesIn, type Preview, previewInWords } from './preview-words.ts'

const item = (attributes = {}) => ({ attributes }) as Preview['items'][number]
const error = (isWarning: boolean) => ({ line: 2, itemId: null, code: 'cut', message: '', isWarning })

test.each<[Partial<Preview>, string]>([
  [{ rows: 0 }, 'The file has no rows.'],
  [{ rows: 1, items: [item()] }, '1 row gives 1 item, and nothing is wrong with it.'],
  [
    { rows: 5, items: [item(), item(), item()], errors: [error(false)] },
    '5 rows give 3 items, and 2 rows would be skipped.',
  ],
  [
    { rows: 100, items: Array.from({ length: 100 }, () => item()), errors: [error(true)] },
    'The first 100 rows give 100 items. 1 value could not be taken as it is.',
  ],
])('%#: what became of the rows', (preview, words) =>
  expect(previewInWords({ rows: 0, items: [], values: [], orders: [], errors: [], fault: null, ...preview })).toBe(words),
)

test('columns that no field has taken are listed once', () =>
  expect(attributesIn({ items: [item({ colour: 'blue' }), item({ colour: 'red', size: 'M' })] })).toEqual([
    ...['colour', 'size'],
  ]))
