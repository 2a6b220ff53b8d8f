import { ApiError } from '@svc/client'

/** What became of one of several calls. */
export interface Failed<Item> {
  item: Item
  error: unknown
}

/** The service takes no more calls before that time. */
export interface Wait {
  until: Date
  /** How many calls it takes in a minute. */
  limit: number
}

interface Turns {
  onDone?: (done: number) => void
  /** Called when the calls must wait, and with undefined when they go on. */
  onWait?: (wait: Wait | undefined) => void
  /** Ends it: calls under way are finished, and no others begin. */
  signal?: AbortSignal
}

const atOnce = 4

/**
 * Calls `act` for all items, four at a time. A failure does not stop the others. Where the service limits how many calls
 * it takes in a minute, all wait for the next minute and go on. `left` are the items that were not tried before the end.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { onDone = () => {}, onWait = () => {}, signal = new AbortController().signal }: Turns = {},
): Promise<{ failed: Failed<Item>[]; left: Item[] }> {
  const failed: Failed<Item>[] = []
  const waiting = [...items]
  let done = 0
  let rest: Promise<void> | undefined
  const restFor = (seconds: number, limit: number) => {
    onWait({ until: new Date(Date.now() + seconds * 1000), limit })
    return passed(seconds * 1000, signal).then(() => {
      rest = undefined
      onWait(undefined)
    })
  }
  const lane = async () => {
    for (;;) {
      await rest
      const item = signal.aborted ? undefined : waiting.shift()
      if (item === undefined) return
      const error = await act(item).then(
        () => undefined,
        (refusal: unknown) => ({ refusal }),
      )
      const pace = paceOf(error?.refusal)
      if (pace) {
        waiting.unshift(item)
        rest ??= restFor(pace.seconds, pace.limit)
        continue
      }
      if (error) failed.push({ item, error: error.refusal })
      done += 1
      onDone(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { failed, left: waiting }
}

function paceOf(error: unknown): { seconds: number; limit: number } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return undefined
  return { seconds: Number(error.details.retryAfterSeconds), limit: Number(error.details.limit) }
}

/** Resolves after that time, or when the signal ends it. */
const passed = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
