import { ApiError, type Data } from '@svc/client'
import type { Session } from '../session.ts'

export type FeedEvent = Data<'/api/v1/projects/{projectId}/events', 'get'>[number]

const longestPage = 100

/** The events after a number, oldest first, in one page. */
export async function eventsAfter(
  { connection, project }: Session,
  after: number,
  { event, limit = longestPage }: { event?: string | undefined; limit?: number } = {},
): Promise<{ events: FeedEvent[]; hasMore: boolean; next: number }> {
  const { data } = await connection.api.GET('/api/v1/projects/{projectId}/events', {
    params: {
      path: { projectId: project },
      query: { limit, after, ...(event !== undefined && { event: event as FeedEvent['event'] & never }) },
    },
  })
  const { data: events, page } = data!
  return { events, hasMore: page.hasMore, next: events.at(-1)?.seq ?? after }
}

/** Throws what the service refuses, such as an unknown event. A command says only afterwards that it waits. */
export async function tryFeed(session: Session, after: number, event: string | undefined): Promise<void> {
  await eventsAfter(session, after, { event, limit: 1 })
}

/** The number before the oldest event that is kept: the service says it when it is asked for older ones. */
export async function beforeOldest(session: Session): Promise<number> {
  try {
    await eventsAfter(session, 0, { limit: 1 })
    return 0
  } catch (error) {
    const oldest = error instanceof ApiError && error.status === 410 ? error.details.oldest : undefined
    if (typeof oldest !== 'number') throw error
    return oldest - 1
  }
}

/** The number of the newest event. The feed has no gaps, so it is found in few calls, however long the feed is. */
export async function newest(session: Session): Promise<number> {
  let low = await beforeOldest(session)
  let step = 1
  // Events after `low` exist as long as the page is not empty.
  const isBeyond = async (seq: number) => (await eventsAfter(session, seq, { limit: 1 })).events.length === 0
  while (!(await isBeyond(low + step))) {
    low += step
    step *= 2
  }
  let high = low + step
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isBeyond(middle)) high = middle
    else low = middle + 1
  }
  return low
}
