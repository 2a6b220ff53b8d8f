import type { FlagType } from './new-variations.ts'

export const variationsMin = 2
export const variationsMax = 4

/** What is wrong with a value that was typed, or undefined. The service checks it again. */
export function faultOf(type: FlagType, value: string): string | undefined {
  if (type === 'NUMBER' && (value.trim() === '' || !Number.isFinite(Number(value))))
    return 'Enter a number, for example 0.25.'
  if (type !== 'JSON') return undefined
  try {
    JSON.parse(value)
    return undefined
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
