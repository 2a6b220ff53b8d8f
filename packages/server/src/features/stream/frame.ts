/** Keys of a data file are sorted: these three are its last. */
const lastMembers = /"publishedAt":"([^"]+)","revision":\d+,"schemaVersion":\d+\}$/
const lastMembersBytes = 200

/** A comment: no event, and the proxies on the way see that the stream is alive. */
export const pingFrame = Buffer.from(':\n\n')

/** How long a client waits before it comes back: each another time, so that not all come in one moment. */
export const retryFrame = (random: number): string =>
  `retry: ${Math.round(minRetryMs + random * (maxRetryMs - minRetryMs))}\n\n`

const minRetryMs = 1_000
const maxRetryMs = 5_000

/** That there is a newer data file, in the words of OFREP: `lastModified` is in seconds. */
export function changeFrame({ revision, etag }: { revision: number; etag: string }, bytes: Buffer): Buffer {
  const publishedAt = lastMembers.exec(bytes.subarray(-lastMembersBytes).toString())?.[1]
  const lastModified = publishedAt && { lastModified: Math.floor(Date.parse(publishedAt) / 1000) }
  const data = JSON.stringify({ type: 'refetchEvaluation', etag, ...lastModified })
  return Buffer.from(`id: ${revision}\ndata: ${data}\n\n`)
}

/** What the client saw last; before everything when it says nothing that could be a revision. */
export const lastSeen = (lastEventId: string | undefined): number =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : -1
