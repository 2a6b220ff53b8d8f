/** The negative ones of `operators.ts`. */
export const commonNegations = {
  notExists: 'exists',
  notEquals: 'equals',
  notIn: 'in',
  notContains: 'contains',
} as const

/** The negative ones of `rare-operators.ts`. */
export const rareNegations = {
  notMatches: 'matches',
  semverNotEquals: 'semverEquals',
  includesNone: 'includesAny',
} as const

/** Negative operators. Each is exactly NOT its positive operator, so it holds if the attribute is missing. */
export const negations = { ...commonNegations, ...rareNegations } as const
