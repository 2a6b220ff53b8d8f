import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useNow } from '../../../ui/time.tsx'
import { lastTryAt } from './delivery.ts'
import type { Sender } from './sender.ts'

const readAtMost = 100

export type Waiting = ReturnType<typeof useWaiting>

function usePending({ kind, id }: Sender) {
  const { project } = usePlace()
  const { data } = server.useQuery('get', kind.paths.deliveries, {
    params: { path: kind.at(project.id, id), query: { status: 'PENDING', limit: readAtMost } },
  })
  return data && { deliveries: data.data, hasMore: data.page.nextCursor !== null }
}

/** Deliveries that wait: how many, and when the last of their tries starts at the latest. */
export function useWaiting(sender: Sender) {
  const now = useNow()
  const pending = usePending(sender)
  if (!pending) return undefined
  const { deliveries, hasMore } = pending
  const ends = deliveries.map((delivery) => lastTryAt(delivery, sender.retryDelaysMs ?? [], now).getTime())
  return { count: deliveries.length, hasMore, until: new Date(Math.max(now.getTime(), ...ends)) }
}

/** Deliveries whose last try failed and that are tried again. The webhook counts a failure only after the last try. */
export function useRetried(sender: Sender): { count: number; hasMore: boolean } {
  const { deliveries = [], hasMore = false } = usePending(sender) ?? {}
  return { count: deliveries.filter(({ nextRetryAt }) => nextRetryAt !== null).length, hasMore }
}
