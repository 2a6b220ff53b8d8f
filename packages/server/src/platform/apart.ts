import { isUnavailable } from './db/errors.ts'

/**
 * Does the work for each, one after the other, also after it has failed for some. Then it rejects. If the database was
 * unavailable to one of them, it rejects with that fault, because the whole work can be repeated after it; the other
 * faults come again then.
 */
export async function eachApart<Thing>(
  things: Iterable<Thing>,
  work: (thing: Thing) => Promise<unknown>,
): Promise<void> {
  const faults: unknown[] = []
  let count = 0
  for (const thing of things) {
    count += 1
    await work(thing).catch((fault: unknown) => void faults.push(fault))
  }
  if (faults.length === 0) return
  throw (
    faults.find(isUnavailable) ??
    (faults.length === 1 ? faults[0] : new AggregateError(faults, `${faults.length} of ${count} have failed.`))
  )
}
