/** What was switched, and whether it runs now. */
export interface Switched {
  what: 'FLAG' | 'RULE'
  to: 'RUN' | 'PAUSE'
}

/** What of a flag in a data file shows switches; null while it is in no file. Rules that are paused are not there. */
export type Served = { enabled?: unknown; rules?: readonly { id: string }[] } | null

/** What a switch did, from the flag before and after. Null if neither shows a switch, as after a new split. */
export function switchBetween(before: Served, after: Served): Switched | null {
  const isRunning = after?.enabled === true
  if ((before?.enabled === true) !== isRunning) return { what: 'FLAG', to: isRunning ? 'RUN' : 'PAUSE' }
  const hasOthers = (flag: Served, than: Served) =>
    flag?.rules?.some(({ id }) => !than?.rules?.some((rule) => rule.id === id)) === true
  if (hasOthers(after, before)) return { what: 'RULE', to: 'RUN' }
  return hasOthers(before, after) ? { what: 'RULE', to: 'PAUSE' } : null
}
