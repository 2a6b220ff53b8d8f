/** The parts of the list. A paused test is among the running ones: it is not over. */
export const parts = ['RUNNING', 'DRAFT', 'COMPLETED', 'ARCHIVED'] as const
export type Part = (typeof parts)[number]

/** The part of the list that the address names. */
export function experimentStatusIn({ status }: Record<string, unknown>): { status?: Part } {
  const known = parts.find((each) => each === status)
  return known ? { status: known } : {}
}
