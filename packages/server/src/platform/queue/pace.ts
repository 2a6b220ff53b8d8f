const fastMs = 200
const slowMs = 2_000

/** How far a lane may go: how many attempts may be under way, and how many jobs it may hold in all. */
export const paces = {
  failing: { underWay: 1, held: 1 },
  slow: { underWay: 2, held: 2 },
  usual: { underWay: 8, held: 8 },
  fast: { underWay: 8, held: 64 },
} as const

export type Pace = keyof typeof paces

/** What the queue has to know of an attempt that has ended. */
export interface Ended {
  delivered: boolean
  durationMs: number
}

/** A lane's latest attempt decides. A lane that fails is probed with one attempt at a time until one succeeds. */
export function paceAfter({ delivered, durationMs }: Ended): Pace {
  if (!delivered) return 'failing'
  if (durationMs >= slowMs) return 'slow'
  return durationMs < fastMs ? 'fast' : 'usual'
}
