const mostSteps = 100

/** Versions of something, and where among them a person is. */
export interface History<Version> {
  past: readonly Version[]
  present: Version
  future: readonly Version[]
  /** What the last edit was about: the next one about the same, such as another letter, is the same step. */
  subject: string | null
}

export const historyOf = <Version>(present: Version): History<Version> => ({
  past: [],
  present,
  future: [],
  subject: null,
})

/**
 * Adds a step. The oldest of more than 100 goes.
 *
 * @param subject edits about the same subject, one after the other, are one step; null is always a step of its own
 */
export function edited<Version>(
  { past, present, subject: before }: History<Version>,
  next: Version,
  subject: string | null = null,
): History<Version> {
  const isSameStep = subject !== null && subject === before
  return { past: isSameStep ? past : [...past, present].slice(-mostSteps), present: next, future: [], subject }
}

export function undone<Version>({ past, present, future, subject }: History<Version>): History<Version> {
  if (past.length === 0) return { past, present, future, subject }
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], subject: null }
}

export function redone<Version>({ past, present, future, subject }: History<Version>): History<Version> {
  const [next, ...later] = future
  if (next === undefined) return { past, present, future, subject }
  return { past: [...past, present], present: next, future: later, subject: null }
}
