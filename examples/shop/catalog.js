// 120 products, always the same ones: eight shelves of fifteen. Amounts are in cents.
import { numbersOf } from './random.js'

export const currency = 'EUR'

export const shelves = [
  { id: 'BEANS', path: ['Coffee', 'Beans'], noun: 'coffee beans', from: 900 },
  { id: 'GRINDERS', path: ['Coffee', 'Grinders'], noun: 'hand grinder', from: 3900 },
  { id: 'BREWERS', path: ['Coffee', 'Brewers'], noun: 'pour-over brewer', from: 2400 },
  { id: 'TEAS', path: ['Tea', 'Leaves'], noun: 'leaf tea', from: 700 },
  { id: 'POTS', path: ['Tea', 'Pots'], noun: 'teapot', from: 2900 },
  { id: 'CUPS', path: ['Table', 'Cups'], noun: 'cup', from: 1100 },
  { id: 'PLATES', path: ['Table', 'Plates'], noun: 'plate', from: 1400 },
  { id: 'SWEETS', path: ['Pantry', 'Sweets'], noun: 'butter biscuits', from: 450 },
]
const harbours = [
  'Skagen',
  'Whitby',
  'Camogli',
  'Cascais',
  'Honfleur',
  'Urk',
  'Bergen',
  'Piran',
  'Kinsale',
  'Collioure',
  'Nida',
  'Visby',
  'Oban',
  'Rovinj',
  'Hoorn',
]
const makers = ['Tern & Sons', 'Lindqvist', 'Pascoe', 'Nordlicht', 'Ostrea']
const colors = ['red', 'ochre', 'green', 'teal', 'blue', 'violet']
const soldOut = ['GRINDERS-09', 'PLATES-12']

export const products = makeProducts()
export const productsById = new Map(products.map((product) => [product.id, product]))

function makeProducts() {
  const random = numbersOf(7)
  const oneOf = (list) => list[Math.floor(random() * list.length)]
  return shelves.flatMap(({ id: shelf, path, noun, from }) =>
    harbours.map((harbour, at) => {
      const id = `${shelf}-${String(at + 1).padStart(2, '0')}`
      // Prices end in 50 or 90, as those of shops do.
      const price = Math.round((from * (1 + random())) / 100) * 100 - oneOf([10, 50])
      return {
        ...{ id, shelf, path, price },
        title: `${harbour} ${noun}`,
        brand: oneOf(makers),
        color: oneOf(colors),
        cost: Math.round(price * (0.3 + random() * 0.2)),
        isInStock: !soldOut.includes(id),
      }
    }),
  )
}

/** Cents as feeds, orders and pages have them: 19.9 is 19.90. */
export const decimal = (cents) => (cents / 100).toFixed(2)
