import type { End } from './abort.ts'
import type { Connection } from './connection.ts'
import type { Destination } from './destination.ts'

const connectionsPerOrigin = 64

interface Origin {
  /**
   * Connections that carry a request or are being opened for one. A slot is handed over, not freed, while others wait.
   */
  busy: number
  idle: Connection[]
  waiting: (() => void)[]
}

/** Keeps connections for the next request to the same host and port, and limits their number. */
export interface Pool {
  /**
   * Returns a connection to one of the destination's addresses. Waits while the origin has its maximum number.
   * `isNew`: none that was kept, which the server may have closed.
   */
  take(to: Destination, end: End, isNew: boolean): Promise<Connection>
  /** Every taken connection must be given back, even after a failure. `isReusable`: whether it can be kept. */
  giveBack(connection: Connection, to: Destination, isReusable: boolean): void
  close(): void
}

export function connectionPool(open: (to: Destination, end: End) => Promise<Connection>): Pool {
  const origins = new Map<string, Origin>()

  const forget = (key: string, origin: Origin) => {
    const isUnused = origin.busy === 0 && origin.idle.length === 0
    if (isUnused && origins.get(key) === origin) origins.delete(key)
  }

  const release = (key: string, origin: Origin) => {
    const next = origin.waiting.shift()
    if (next) return next()
    origin.busy -= 1
    forget(key, origin)
  }

  const openFor = async (key: string, origin: Origin, to: Destination, end: End) => {
    const connection = await open(to, end)
    connection.closed.then(() => {
      origin.idle = origin.idle.filter((other) => other !== connection)
      forget(key, origin)
    })
    return connection
  }

  return {
    async take(to, end, isNew) {
      const key = keyOf(to)
      const origin = origins.get(key) ?? { busy: 0, idle: [], waiting: [] }
      origins.set(key, origin)
      if (origin.busy < connectionsPerOrigin) origin.busy += 1
      else await turn(origin, end)
      try {
        return (isNew ? undefined : kept(origin, to)) ?? (await openFor(key, origin, to, end))
      } catch (error) {
        release(key, origin)
        throw error
      }
    },
    giveBack(connection, to, isReusable) {
      const key = keyOf(to)
      const origin = origins.get(key)!
      if (isReusable && connection.isOpen()) origin.idle.push(connection)
      else connection.close()
      release(key, origin)
    },
    close() {
      for (const { idle } of origins.values()) for (const connection of idle) connection.close()
    },
  }
}

const keyOf = ({ host, port }: Destination): string => `${host}:${port}`

// The addresses of the name can have changed: reuse only a connection to an address checked for this attempt.
function kept(origin: Origin, { addresses }: Destination): Connection | undefined {
  const isGood = ({ address, isOpen }: Connection) =>
    isOpen() && addresses.some((checked) => checked.address === address)
  const at = origin.idle.findLastIndex(isGood)
  return at < 0 ? undefined : origin.idle.splice(at, 1)[0]
}

function turn(origin: Origin, end: End): Promise<void> {
  return new Promise((resolve, reject) => {
    if (end.aborted) return reject(end.reason)
    const proceed = () => {
      end.offAbort(abort)
      resolve()
    }
    const abort = () => {
      origin.waiting.splice(origin.waiting.indexOf(proceed), 1)
      reject(end.reason)
    }
    origin.waiting.push(proceed)
    end.onAbort(abort)
  })
}
