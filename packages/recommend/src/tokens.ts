import { listsOf, type Rows } from './rows.ts'

/** What a product is, in the words of its catalog. */
export interface ProductContent {
  title: string
  brand: string | null
  /** From the widest to the deepest. */
  categories: readonly string[]
  attributes: Readonly<Record<string, string>>
}

/** A token in more products says too little, and its row would cost the square of its length. */
export const mostProductsOfToken = 2_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Letters as they are compared: `Ｃafé` and `café` are the same. */
const plain = (text: string): string => text.normalize('NFKD').toLowerCase()

/**
 * What products can have in common: the brand, each category, each attribute with its value, and the words of the title
 * in any language. A kind is part of each token, so that a brand and a word are never the same.
 */
export function tokensOf({ title, brand, categories, attributes }: ProductContent): string[] {
  const tokens = new Set<string>()
  if (brand !== null) tokens.add(`brand ${plain(brand)}`)
  for (const category of categories) tokens.add(`category ${plain(category)}`)
  for (const [name, value] of Object.entries(attributes)) tokens.add(`attribute ${plain(name)} ${plain(value)}`)
  for (const { segment, isWordLike } of words.segment(plain(title))) if (isWordLike) tokens.add(`word ${segment}`)
  return [...tokens]
}

/**
 * The products of each token, for the neighbours of `SIMILAR`. Products are numbered by their place. Tokens of one product
 * connect nothing, and those of too many say nothing; both are left out.
 */
export function tokenRows(products: readonly ProductContent[], most = mostProductsOfToken): Rows {
  const ofToken = new Map<string, number[]>()
  for (const [product, content] of products.entries())
    for (const token of tokensOf(content)) {
      const list = ofToken.get(token)
      if (list) list.push(product)
      else ofToken.set(token, [product])
    }
  const kept = [...ofToken.values()].filter(({ length }) => length > 1 && length <= most)
  return { ...listsOf(kept), productCount: products.length }
}
