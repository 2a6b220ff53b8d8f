import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useNow } from '../../../ui/time/time.tsx'
import { lastTryAt } from './delivery.ts'
import type { Sender } from './sender.ts'

const readAtMost = 100

export type Waiting = ReturnType<typeof useWaiting>

/** Deliveries that wait: how many, and when the last of their tries starts at the latest. */
export function useWaiting({ kind, id, retryDelaysMs = [] }: Sender) {
  const { project } = usePlace()
  const now = useNow()
  const { data: pending } = server.useQuery('get', kind.paths.deliveries, {
    params: { path: kind.at(project.id, id), query: { status: 'PENDING', limit: readAtMost } },
  })
  if (!pending) return undefined
  const ends = pending.data.map((delivery) => lastTryAt(delivery, retryDelaysMs, now).getTime())
  return {
    count: pending.data.length,
    hasMore: pending.page.nextCursor !== null,
    until: new Date(Math.max(now.getTime(), ...ends)),
  }
}
