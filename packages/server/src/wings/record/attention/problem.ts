const dayMs = 86_400_000

/** When something counts as a problem. */
export const bounds = {
  /** A longer silence or an older failure is no longer a problem to report. */
  forgottenAfterMs: 7 * dayMs,
  /** A publish takes a moment to reach every client. */
  behindAfterMs: 5 * 60_000,
  expiresWithinMs: 7 * dayMs,
} as const

export const maxProblems = 50

export const problemKinds = [
  'WEBHOOK_DISABLED',
  'WEBHOOK_FAILING',
  'DESTINATION_DISABLED',
  'DESTINATION_FAILING',
  'SCHEDULE_FAILED',
  'SCHEDULE_SUSPENDED',
  'GUARDRAIL_BREACHED',
  'TEST_UNHEALTHY',
  'CLIENTS_BEHIND',
  'CLIENTS_SILENT',
  'RESULTS_FAILING',
  'CODE_FAILING',
  'JOB_FAILED',
  'EVENTS_STOPPED',
  'TOKEN_EXPIRING',
  'INITIAL_TOKEN',
  'NO_SECOND_FACTOR',
] as const

export type ProblemKind = (typeof problemKinds)[number]

/** The moments that decide, as the database compares them. */
export const momentsOf = (now: Date) => {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return {
    now,
    forgotten: ago(bounds.forgottenAfterMs),
    behind: ago(bounds.behindAfterMs),
    expiring: new Date(now.getTime() + bounds.expiresWithinMs),
    expiringForMs: bounds.expiresWithinMs,
  }
}

export type Moments = ReturnType<typeof momentsOf>
