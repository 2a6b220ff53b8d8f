import type { ServedDataFile } from '../datafile/index.ts'

/**
 * An event that announces a newer data file, in the format of OFREP (`lastModified` is in seconds). It contains the
 * change from the previous file, so that clients with that file need not fetch the new one.
 */
export function changeFrame({ revision, publishedAt, etag, change }: Omit<ServedDataFile, 'envId' | 'body'>): Buffer {
  const lastModified = publishedAt && { lastModified: Math.floor(publishedAt.getTime() / 1000) }
  const told = JSON.stringify({ type: 'refetchEvaluation', etag, ...lastModified })
  const from = change && JSON.stringify({ from: change.from, publishedAt }).slice(0, -1)
  const data = change ? `${told.slice(0, -1)},"change":${from},"flags":${change.flags}}}` : told
  return Buffer.from(`id: ${revision}\ndata: ${data}\n\n`)
}

/** The last revision that the client saw; a value below all revisions if it names no valid one. */
export const lastSeen = (lastEventId: string | undefined): number =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : -1
