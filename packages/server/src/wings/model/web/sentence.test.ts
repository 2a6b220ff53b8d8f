import { expect, test } from 'vitest'
import { changeText } from '../../../../../dashboard/src/ui/changes/web-change-sentence.ts'
import { type Change, changeSchema } from './changes.ts'
import { sentenceOf } from './sentence.ts'

const shared = { id: 'c1', selector: ' main   h1'.trim() }

test.each<object>([
  { type: 'TEXT', value: 'From € 9 a month', was: 'Our plans' },
  { type: 'TEXT', value: `two\n lines ${'a'.repeat(300)}` },
  { type: 'HTML', value: '<b>New</b>' },
  { type: 'ATTRIBUTE', name: 'href', value: '/b', was: '/a' },
  { type: 'ATTRIBUTE', name: 'title', value: null },
  { type: 'IMAGE', value: '/b.webp', alt: 'A cat', was: '/a.webp' },
  { type: 'IMAGE', value: '/b.webp' },
  { type: 'CLASS', add: ['a', 'b', 'c'], remove: ['d'] },
  { type: 'CLASS', remove: ['d'] },
  { type: 'STYLE', value: { color: ' red ', 'font-size': '2rem', margin: '0' } },
  { type: 'HIDE' },
  { type: 'HIDE', keepSpace: true },
  ...['BEFORE', 'AFTER', 'FIRST', 'LAST'].flatMap((position) => [
    { type: 'INSERT', value: '<p>New</p>', position },
    { type: 'MOVE', to: '.hero', position },
  ]),
])('the dashboard says of %j what the hand-off says', (fields) => {
  const change: Change = changeSchema.parse({ ...shared, ...fields })
  for (const page of [null, 'Pricing  page']) expect(changeText(change, page)).toBe(sentenceOf(change, page))
})
