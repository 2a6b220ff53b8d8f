import type { ServedDataFile } from '../datafile/index.ts'

/** A comment: no event, and the proxies on the way see that the stream is alive. */
export const pingFrame = Buffer.from(':\n\n')

/** How long a client waits before it comes back: each another time, so that not all come in one moment. */
export const retryFrame = (random: number): string =>
  `retry: ${Math.round(minRetryMs + random * (maxRetryMs - minRetryMs))}\n\n`

const minRetryMs = 1_000
const maxRetryMs = 5_000

/**
 * That there is a newer data file, in the words of OFREP (`lastModified` is in seconds), and what it changed of the one
 * before, so that whoever holds that need not fetch it.
 */
export function changeFrame({ revision, publishedAt, etag, change }: Omit<ServedDataFile, 'envId' | 'body'>): Buffer {
  const lastModified = publishedAt && { lastModified: Math.floor(publishedAt.getTime() / 1000) }
  const told = JSON.stringify({ type: 'refetchEvaluation', etag, ...lastModified })
  const from = change && JSON.stringify({ from: change.from, publishedAt }).slice(0, -1)
  const data = change ? `${told.slice(0, -1)},"change":${from},"flags":${change.flags}}}` : told
  return Buffer.from(`id: ${revision}\ndata: ${data}\n\n`)
}

/** What the client saw last; before everything when it says nothing that could be a revision. */
export const lastSeen = (lastEventId: string | undefined): number =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : -1
