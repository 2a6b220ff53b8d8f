/** How many streams a node takes. */
export interface StreamLimits {
  streamsPerNode: number
  streamsPerKey: number
  /** Of one key from one address. */
  streamsPerAddress: number
}

export const mostStreams = 20_000
const mostPerKey = 10_000
/** The rest is for requests, deliveries and the database. */
const shareOfFiles = 0.6

/**
 * The limits of a node. If streams take all open files of a node, it cannot answer any request, so it takes fewer
 * streams where the system allows few files. One address never gets more than half of them.
 *
 * @param openFiles how many files the process can have open; null if that is unknown
 */
export function streamLimits(perAddress: number, openFiles: number | null): StreamLimits {
  const streamsPerNode = Math.max(2, Math.min(mostStreams, Math.floor((openFiles ?? Infinity) * shareOfFiles)))
  const half = Math.floor(streamsPerNode / 2)
  return {
    streamsPerNode,
    streamsPerKey: Math.min(mostPerKey, streamsPerNode),
    streamsPerAddress: Math.min(perAddress, half),
  }
}
