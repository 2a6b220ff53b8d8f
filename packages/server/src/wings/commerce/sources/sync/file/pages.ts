import { pageMark } from '../../../feeds/index.ts'
import type { SourceContent } from '../../source.ts'

/** The most that a shop of Shopify gives at once. */
const productsOfPage = 250

/** Whether the file of a source comes in pages: the list of products that each shop of Shopify has. */
export const isPaged = ({ format, url }: Pick<SourceContent, 'format' | 'url'>): boolean =>
  url !== null && (format === 'AUTO' || format === 'SHOPIFY_JSON') && new URL(url).pathname.endsWith('/products.json')

/** The address of a page, from 1. */
export function pageAddress(url: string, page: number): string {
  const address = new URL(url)
  address.searchParams.set('limit', String(productsOfPage))
  address.searchParams.set('page', String(page))
  return address.href
}

/** A page after the last one has no products. */
export const isEmptyPage = (page: Buffer): boolean =>
  /^\ufeff?\s*\{\s*"products"\s*:\s*\[\s*\]/.test(page.subarray(0, 200).toString())

/** What is between two pages in the file. */
export const betweenPages = Buffer.from(`\n${pageMark}\n`)
