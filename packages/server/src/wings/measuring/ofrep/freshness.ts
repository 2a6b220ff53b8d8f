import type { DataFileStore, ServedDataFile } from '../../serving/datafile/index.ts'
import { isBehind, type Told } from './request.ts'

const mostWaitMs = 1_000
/** Each waits with its body of up to 64 KB, and anybody can claim to know of a later file. */
export const mostWaiting = 500

/**
 * The data file of an environment. A client can hear of a publish from one node and ask another, which hears of it a
 * moment later: that node waits, up to a second.
 */
export function freshFiles(store: DataFileStore): (sdkKey: string, told: Told) => Promise<ServedDataFile | undefined> {
  const waiting = new Map<string, Set<() => void>>()
  let waitingNow = 0
  store.watch((envId) => {
    for (const wake of waiting.get(envId) ?? []) wake()
  })

  const nextChange = (envId: string, withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const ends = waiting.get(envId) ?? new Set()
      waiting.set(envId, ends)
      const end = () => {
        clearTimeout(timer)
        ends.delete(end)
        if (ends.size === 0) waiting.delete(envId)
        resolve()
      }
      const timer = setTimeout(end, withinMs)
      ends.add(end)
    })

  return async (sdkKey, told) => {
    let file = store.findHeld(sdkKey) ?? (await store.find(sdkKey))
    const until = performance.now() + mostWaitMs
    while (file && isBehind(file, told) && performance.now() < until && waitingNow < mostWaiting) {
      waitingNow += 1
      await nextChange(file.envId, until - performance.now())
      waitingNow -= 1
      file = store.findHeld(sdkKey)
    }
    return file
  }
}
