import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkItem, type Item } from './item.ts'
import { type ProductFilter, searchQuery, searchVector } from './search.ts'

const projectId = '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b55'

function itemWith(raw: Record<string, unknown>): Item {
  const least = { itemId: 'SKU-17-M', title: 'Shirt', link: 'https://shop.example/1', price: '1', currency: 'EUR' }
  const checked = checkItem({ ...least, ...raw }, { defaultCurrency: null })
  if ('errors' in checked) throw new Error(JSON.stringify(checked.errors))
  return checked.item
}

/** What the database does with the two texts. */
function finds(filter: ProductFilter, raw: Record<string, unknown>): boolean {
  const query = searchQuery(projectId, filter)
  if (query === undefined || query === null) return query === null
  const lexemes = searchVector(projectId, itemWith(raw)).slice(1, -1).split("' '")
  return query.split(' & ').every((term) => {
    const [, lexeme, prefix] = /^'(.*)'(:\*)?$/.exec(term)!
    return lexemes.some((each) => (prefix ? each.startsWith(lexeme!) : each === lexeme))
  })
}

const shirt = {
  ...{ title: 'Blue shirt, crème', brand: "L'Acme", sku: 'AB/12', categories: ['Clothing', 'Shirts'] },
  ...{ attributes: { size: 'XL' }, labels: ['summer'] },
}

test.each<[ProductFilter, boolean]>([
  [{}, true],
  [{ q: 'shirt' }, true],
  [{ q: 'SHI blu' }, true],
  [{ q: 'creme' }, true],
  [{ q: 'CRÈME' }, true],
  [{ q: 'xl' }, true],
  [{ q: 'summer clothing' }, true],
  [{ q: 'sku-17-m' }, true],
  [{ q: 'sku-18' }, false],
  [{ q: 'ab/12' }, true],
  [{ q: "l'acme" }, true],
  [{ q: 'hirt' }, false],
  [{ q: 'blue trousers' }, false],
  [{ q: 's' }, false],
  [{ q: '?!' }, false],
  [{ brand: "L'Acme" }, true],
  [{ brand: 'acme' }, false],
  [{ category: 'Clothing' }, true],
  [{ category: 'Clothing > Shirts' }, true],
  [{ category: 'Shirts' }, false],
  [{ category: 'Cloth' }, false],
  [{ q: 'blue', brand: "L'Acme", category: 'Clothing' }, true],
  [{ q: 'red', brand: "L'Acme", category: 'Clothing' }, false],
])('the filter %j finds the shirt: %s', (filter, expected) => expect(finds(filter, shirt)).toBe(expected))

test.each([
  ['青いシャツ', 'シャツ'],
  ['เสื้อเชิ้ตสีฟ้า', 'เสื้อ'],
  ['Рубашка синяя', 'рубаш'],
  ['قميص أزرق', 'قميص'],
  ['नीली कमीज़', 'कमीज'],
])('%s is found by %s', (title, q) => expect(finds({ q }, { title })).toBe(true))

test('no text can leave its lexeme', () => {
  const title = "a' 'b \\ : * & | ! ( ) <-> c"
  expect(searchVector(projectId, itemWith({ itemId: '1', title }))).toMatch(/^(?:'[\p{L}\p{N}_-]+'(?: |$))+$/u)
  expect(searchQuery(projectId, { q: title })).toMatch(/^(?:'[\p{L}\p{N}]+'(?::\*)?(?: & |$))+$/u)
})

test('a project has lexemes of its own, and a limited number of them', () => {
  const other = '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b56'
  const item = itemWith({ description: 'not searched' })
  expect(searchVector(other, item).split(' ')).not.toEqual(
    expect.arrayContaining(searchVector(projectId, item).split(' ')),
  )
  const attributes = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`a${index}`, `x${index} y${index} z${index}`]),
  )
  expect(searchVector(projectId, itemWith({ attributes })).split(' ')).toHaveLength(100)
})

test('words of a long text without spaces cost no more than those that are kept', () => {
  const words = Array.from({ length: 1000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 20)).join('')
  const attributes = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, words]))
  const long = itemWith({ attributes })
  const begun = process.threadCpuUsage()
  for (let count = 0; count < 40; count += 1) expect(searchVector(projectId, long).split("' '")).toHaveLength(100)
  // It took seconds: all words of two million characters were found first.
  expect(process.threadCpuUsage(begun).user).toBeLessThan(1_000_000)
})

test('a text of English letters has the words that it has beside others', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (label) => {
      const item = itemWith(shirt)
      const of = (title: string) => searchVector(projectId, { ...item, title, labels: [label], brand: null })
      expect(of('Shirt …')).toBe(of('Shirt'))
    }),
  ))

test('the brands that are remembered do not keep the file in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const item = itemWith(shirt)
  const before = used()
  for (let at = 0; at < 100; at += 1) {
    const piece = `<brand>Makers of shirts ${at}</brand>${'x'.repeat(200_000)}`.normalize()
    searchVector(projectId, { ...item, brand: piece.slice('<brand>'.length, piece.indexOf('</')) })
  }
  expect(used() - before).toBeLessThan(5_000_000)
})
