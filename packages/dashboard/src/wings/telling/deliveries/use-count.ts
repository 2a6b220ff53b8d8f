import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import type { DeliveryStatus } from './delivery.ts'
import { testEvent } from './events.ts'
import type { Sender } from './sender.ts'

const readAtMost = 100

interface Range {
  since: string | undefined
  until: string | undefined
}

/** How many deliveries of a time have one of these states, without tests; undefined while that is not known. */
export function useCount(
  { kind, id }: Sender,
  statuses: readonly DeliveryStatus[],
  { since, until }: Range,
  readAgainMs?: number,
) {
  const { project } = usePlace()
  const path = kind.at(project.id, id)
  const { data } = useQuery({
    // Begins as the list of deliveries does, so that it is read again with the list.
    queryKey: ['get', kind.paths.deliveries, 'count', id, statuses, since, until],
    enabled: since !== undefined && until !== undefined && since < until,
    ...(readAgainMs !== undefined && { refetchInterval: readAgainMs }),
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        statuses.map(async (status) => {
          const query = { status, since: since!, until: until!, limit: readAtMost }
          return (await api.GET(kind.paths.deliveries, { params: { path, query }, signal })).data!
        }),
      )
      return {
        count: pages.flatMap(({ data }) => data).filter(({ eventType }) => eventType !== testEvent).length,
        hasMore: pages.some(({ page }) => page.nextCursor !== null),
      }
    },
  })
  return data
}
