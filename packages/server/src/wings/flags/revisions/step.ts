/**
 * A row of the history. Step 0 of a revision changed the data file; later steps are publishes that left it as it was.
 * Without a step, it is the end of the revision.
 */
export interface Place {
  revision: number
  step: number | null
}

const pattern = /^(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?$/

/** `41` or `41.1`; undefined for any other text. */
export function placeIn(text: string): Place | undefined {
  // Only digits: a space or 0x1 would parse as numbers too.
  const [, revision, step] = pattern.exec(text) ?? []
  if (revision === undefined) return undefined
  return { revision: Number(revision), step: step === undefined ? null : Number(step) }
}

/** What people and addresses call a row: `41`, and `41.1` for the first publish after it that left the file as it was. */
export const labelOf = ({ revision, step }: Place): string => (step ? `${revision}.${step}` : String(revision))
