import { expect, test } from 'vitest'
import { aboutField } from './about-field.ts'

test.each([
  ['price', 'Must be a decimal text.', 'price must be a decimal text.'],
  ['cost', 'Has another currency than the price.', 'cost has another currency than the price.'],
  ['saleFrom', 'Counts as 2026-11-27T00:00:00.000Z.', 'saleFrom counts as 2026-11-27T00:00:00.000Z.'],
  ['title', 'Cut to 500 characters.', 'title was cut to 500 characters.'],
  ['price', 'Rounded to four decimals.', 'price was rounded to four decimals.'],
  ['price', 'An item needs a price.', 'An item needs a price.'],
  ['stock', 'A stock below 0 counts as 0.', 'A stock below 0 counts as 0.'],
  ['productId', 'An id must be a text.', 'productId: An id must be a text.'],
  ['labels', 'Only the first 50 of 60 are kept.', 'labels: Only the first 50 of 60 are kept.'],
])('of %s, "%s" is told as "%s"', (field, message, told) => expect(aboutField({ field, message })).toBe(told))
