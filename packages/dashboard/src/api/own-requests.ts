const keptRequests = 200

/** The writes of this tab: when each was answered, by request id, the latest last. */
const answered = new Map<string, number>()
let underWay = 0
let waiting: (() => void)[] = []

export function writeBegins(): void {
  underWay += 1
}

export function writeEnds(requestId: string | null): void {
  underWay -= 1
  if (requestId !== null) answered.set(requestId, Date.now())
  for (const id of answered.keys()) if (answered.size > keptRequests) answered.delete(id)
  if (underWay > 0) return
  for (const wake of waiting) wake()
  waiting = []
}

/** When this tab had the latest answer to a write that came by then; 0 without one. */
export const latestAnswerBy = (time: number): number =>
  Math.max(0, ...[...answered.values()].filter((at) => at <= time))

/**
 * When this tab had the answer to that request; undefined if the request was not its own. The stream can announce a
 * change before its request is answered, so this waits for the writes that are under way.
 */
export async function ownAnswerAt(requestId: string | null): Promise<number | undefined> {
  if (requestId === null) return undefined
  if (!answered.has(requestId) && underWay > 0) await new Promise<void>((wake) => waiting.push(wake))
  return answered.get(requestId)
}
