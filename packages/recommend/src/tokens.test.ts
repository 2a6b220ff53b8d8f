import { expect, test } from 'vitest'
import { cosine, neighbours } from './neighbours.ts'
import { listCount, listOf } from './rows.ts'
import { type ProductContent, tokenRows, tokensOf } from './tokens.ts'

const product = (title: string, more: Partial<ProductContent> = {}): ProductContent => ({
  ...{ title, brand: null, categories: [], attributes: {} },
  ...more,
})

test.each([
  ['Shirt, blue, M', ['word shirt', 'word blue', 'word m']],
  ['ＣＡＦÉ café', ['word cafe\u0301']],
  ['蓝色衬衫', ['word 蓝色', 'word 衬衫']],
  ['เสื้อสีฟ้า', 2],
  ['— !', []],
])('the words of %s', (title, expected) => {
  const words = tokensOf(product(title))
  if (typeof expected === 'number') expect(words.length).toBeGreaterThanOrEqual(expected)
  else expect(words).toEqual(expected)
})

test('a brand, a category, an attribute and a word are never the same token', () => {
  expect(tokensOf(product('Acme', { brand: 'Acme', categories: ['Acme'], attributes: { Acme: 'Acme' } }))).toEqual([
    'brand acme',
    'category acme',
    'attribute acme acme',
    'word acme',
  ])
})

test('tokens of one product and of too many are left out', () => {
  const rows = tokenRows([product('red shirt'), product('red hat'), product('red blue shirt')], 2)
  expect(Array.from({ length: listCount(rows) }, (_, row) => [...listOf(rows, row)])).toEqual([[0, 2]])
})

test('a product that nobody has seen has neighbours of its kind', () => {
  const shirts = ['linen', 'cotton', 'wool'].map((cloth) =>
    product(`${cloth} shirt`, { brand: 'Acme', categories: ['Clothing', 'Shirts'] }),
  )
  const lamps = ['desk', 'floor'].map((place) => product(`${place} lamp`, { brand: 'Acme', categories: ['Lights'] }))
  const found = neighbours(tokenRows([...shirts, ...lamps]), { ...cosine, sharesRows: true })
  expect([...listOf(found, 0)].slice(0, 2)).toEqual([1, 2])
  expect([...listOf(found, 3)][0]).toBe(4)
})
