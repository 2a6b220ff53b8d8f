const fastMs = 200
const slowMs = 2_000

/** The limits of a lane: how many attempts can be under way, and how many jobs it can hold. */
export const paces = {
  failing: { underWay: 1, held: 1 },
  slow: { underWay: 2, held: 2 },
  usual: { underWay: 8, held: 8 },
  fast: { underWay: 8, held: 64 },
} as const

export type Pace = keyof typeof paces

/** What the queue needs to know about an ended attempt. */
export interface Ended {
  delivered: boolean
  durationMs: number
}

/**
 * The latest attempt sets the pace of a lane. A failing lane is probed with one attempt at a time until one succeeds.
 */
export function paceAfter({ delivered, durationMs }: Ended): Pace {
  if (!delivered) return 'failing'
  if (durationMs >= slowMs) return 'slow'
  return durationMs < fastMs ? 'fast' : 'usual'
}
