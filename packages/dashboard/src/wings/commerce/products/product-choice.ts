/** What is typed of a product: all of it, or what comes after the last comma. */
export const lastOf = (value: string, many: boolean): string =>
  (many ? value.slice(value.lastIndexOf(',') + 1) : value).trim()

/** The text once a product was chosen for what was typed. The next id can follow. */
export function chosenIn(value: string, productId: string, many: boolean): string {
  if (!many) return productId
  const before = value.slice(0, value.lastIndexOf(',') + 1)
  return `${before}${before === '' ? '' : ' '}${productId}, `
}
