import type { SetAside } from './cohort.ts'

/** A part that a snapshot left out, and why. */
export interface Failure extends SetAside {
  error: unknown
}

export const isSetAside = (failures: readonly SetAside[], { kind, id }: SetAside): boolean =>
  failures.some((each) => each.kind === kind && each.id === id)
