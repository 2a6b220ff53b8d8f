// What the shopkeeper has typed. Two rows have a mistake at first, as lists of real shops do, until a person mends them.
import { products } from './catalog.js'

const mistakes = {
  'POTS-04': { title: '' },
  // The letter O in place of a zero.
  'CUPS-07': { price: '14.9O' },
}

const typed = new Map(
  products.map(({ id, title, price }) => [id, { title, price: (price / 100).toFixed(2), ...mistakes[id] }]),
)

/** A row as it was typed: texts, right or wrong. */
export const rowOf = (id) => typed.get(id)

/** What is wrong in a row, in words for the shopkeeper, or undefined. */
export function mistakeIn({ title, price }) {
  if (!title.trim()) return 'The name is missing.'
  if (!/^\d{1,5}(\.\d{1,2})?$/.test(price.trim())) return `“${price}” is no price: write it like 14.90.`
  return undefined
}

export const brokenProducts = () => products.filter(({ id }) => mistakeIn(rowOf(id)))

/** Takes a new name and price, and answers what is wrong with them. */
export function mend(id, row) {
  const mistake = mistakeIn(row)
  if (!mistake) typed.set(id, row)
  return mistake
}

/** A product as it is for sale, or undefined while its row is wrong. */
export function forSale(product) {
  const row = product && rowOf(product.id)
  if (!row || mistakeIn(row)) return undefined
  return { ...product, title: row.title.trim(), price: Math.round(Number(row.price) * 100) }
}
