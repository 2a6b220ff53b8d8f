/** A worker that was silent for this long does not count any more. */
export const silentAfterMs = 60_000

/** What a node that does no background work knows of those that do. */
export interface Watch {
  /** When a worker was heard last, or when this node began to listen. */
  heardAt: Date
  /** Whether the log says that none is there. */
  isTold: boolean
}

/** What to say now: `missing` once for each silence, and `back` when it is over. */
export function listen(
  { heardAt, isTold }: Watch,
  lastHeardAt: Date | null,
  now: Date,
): Watch & { say?: 'missing' | 'back' } {
  const latest = lastHeardAt && lastHeardAt > heardAt ? lastHeardAt : heardAt
  const isMissing = now.getTime() - latest.getTime() >= silentAfterMs
  if (isMissing === isTold) return { heardAt: latest, isTold }
  return { heardAt: latest, isTold: isMissing, say: isMissing ? 'missing' : 'back' }
}
