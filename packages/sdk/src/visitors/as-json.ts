/** JSON has no BigInt, and writes other numbers than finite ones as null. */
export const asJson = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
