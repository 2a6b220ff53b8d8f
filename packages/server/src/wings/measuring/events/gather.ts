export interface GatherOptions<Event> {
  /** Writes events together and returns which are new. */
  append(events: readonly Event[]): Promise<readonly boolean[]>
  /** How many events are written together. */
  mostTogether: number
  /** How many writes can be under way. */
  atOnce: number
  /** How many events can wait, including those that are being written. */
  mostWaiting: number
}

/** Takes events of many requests, and writes them together. */
export interface Gathering<Event> {
  /** Resolves when the events are stored: which of them are new. Undefined if there is no room for all of them. */
  add(events: readonly Event[]): Promise<readonly boolean[]> | undefined
  /** How many events wait or are being written. */
  waiting(): number
}

interface Request<Event> {
  events: readonly Event[]
  /** How many of them were handed to writes. */
  taken: number
  /** How many of them are stored. */
  stored: number
  isNew: boolean[]
  hasFailed: boolean
  resolve(isNew: readonly boolean[]): void
  reject(error: unknown): void
}

interface Share<Event> {
  request: Request<Event>
  from: number
  until: number
}

/**
 * Writes the events of many requests together. While a write is under way, the events that arrive form the next one, so
 * that a busy node writes large batches and an idle one does not wait.
 */
export function gathering<Event>({
  append,
  mostTogether,
  atOnce,
  mostWaiting,
}: GatherOptions<Event>): Gathering<Event> {
  const queue: Request<Event>[] = []
  let underWay = 0
  let waiting = 0

  function next(): void {
    while (underWay < atOnce && queue.length > 0) void write(take())
  }

  /** A large request is spread over several writes. */
  function take(): Share<Event>[] {
    const shares: Share<Event>[] = []
    for (let room = mostTogether; room > 0 && queue.length > 0; ) {
      const request = queue[0]!
      const from = request.taken
      const until = Math.min(request.events.length, from + room)
      request.taken = until
      room -= until - from
      shares.push({ request, from, until })
      if (until === request.events.length) queue.shift()
    }
    return shares
  }

  async function write(shares: readonly Share<Event>[]): Promise<void> {
    underWay += 1
    const events = shares.flatMap(({ request, from, until }) => request.events.slice(from, until))
    try {
      const isNew = await append(events)
      let place = 0
      for (const { request, from, until } of shares)
        for (let index = from; index < until; index += 1) request.isNew[index] = isNew[place++]!
      for (const { request, from, until } of shares) {
        request.stored += until - from
        if (request.stored === request.events.length) request.resolve(request.isNew)
      }
    } catch (error) {
      for (const { request } of shares) fail(request, error)
    }
    waiting -= events.length
    underWay -= 1
    next()
  }

  /** Events that are stored already are duplicates when the client repeats the request. */
  function fail(request: Request<Event>, error: unknown): void {
    if (request.hasFailed) return
    request.hasFailed = true
    const rest = request.events.length - request.taken
    if (rest > 0) queue.splice(queue.indexOf(request), 1)
    waiting -= rest
    request.reject(error)
  }

  return {
    add(events) {
      if (events.length === 0) return Promise.resolve([])
      if (waiting + events.length > mostWaiting) return undefined
      waiting += events.length
      return new Promise((resolve, reject) => {
        queue.push({ events, taken: 0, stored: 0, isNew: [], hasFailed: false, resolve, reject })
        next()
      })
    },
    waiting: () => waiting,
  }
}
