const statuses = ['RUNNING', 'PAUSED', 'DRAFT', 'COMPLETED', 'ARCHIVED'] as const

/** The status by which the list is filtered, as the address has it. */
export function experimentStatusIn({ status }: Record<string, unknown>): { status?: (typeof statuses)[number] } {
  const known = statuses.find((each) => each === status)
  return known ? { status: known } : {}
}
