import type { Comparison } from './figures.ts'

/** Whether a comparison has raw counts only. */
export const isTooFew = (status: Comparison['status']): boolean =>
  status === 'insufficient_data' || status === 'no_data' || status === 'invalid_input'
