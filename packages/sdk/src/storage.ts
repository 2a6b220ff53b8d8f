import type { DataFile } from '@svc/core'
import { maxDataFileBytes } from '@svc/core'
import type { Store } from './host.ts'
import { withDeadline } from './requests/deadline.ts'

/** Where a store keeps its texts. Both methods can be async. Their errors go to the logger of the client. */
export interface Shelf {
  /** Returns the text of this key; null or undefined if there is none. */
  load(key: string): string | null | undefined | Promise<string | null | undefined>
  /** Replaces the text of this key atomically: a crash must leave the old text or the new one. */
  save(key: string, text: string): unknown
}

/**
 * Makes your own store from a shelf with two methods. The client reads it at its start and writes each revision that it
 * takes. Before each write it reads again: it takes a newer file of another process instead of overwriting it.
 *
 * @example createClient({ sdkKey, baseUrl, store: createStore({ load: (key) => cache.get(key), save: … }) })
 */
export const createStore =
  (shelf: Shelf): Store =>
  (host) => {
    const { settings, platform } = host
    const key = `svc-${encodeURIComponent(settings.sdkKey)}`
    let stored: DataFile | undefined
    let isSaving = false
    let failing = false

    // Not among the requests of the client, because a save can still finish after `close()`.
    const wait = (work: unknown): Promise<unknown> =>
      withDeadline(async () => work, settings.requestTimeoutMs, new Set(), platform)

    const recall = async (): Promise<void> => {
      try {
        const loaded = shelf.load(key)
        // A text that is returned synchronously is used at once.
        const text = typeof loaded === 'object' ? await wait(loaded) : loaded
        if (text === null || text === undefined) return
        if (typeof text !== 'string' || text.length > maxDataFileBytes)
          throw new Error(`not a string of up to ${maxDataFileBytes} characters`)
        if (await host.restore(text)) stored = host.held()?.file
      } catch (fault) {
        failed(fault)
      }
    }

    const save = async (file: DataFile): Promise<void> => {
      const saved = async () => shelf.save(key, JSON.stringify(file))
      const saving = saved()
      await wait(saving).catch(failed)
      // Wait however long it takes: a slow save that ends after the next one would restore an older file.
      await saving
      stored = file
      failing = false
    }

    const failed = (fault: unknown): void => {
      if (!failing) settings.warn('the store failed', fault)
      failing = true
    }

    const recalled = recall()
    const keep = async (): Promise<void> => {
      const file = host.held()?.file
      if (!file || file === stored || isSaving) return
      isSaving = true
      await recalled
      await recall()
      const next = host.held()?.file
      if (next && next !== stored) await save(next).catch(failed)
      isSaving = false
      // After a failed save, the next answer of the service tries again.
      if (host.held()?.file !== next) keep()
    }
    return { recalled, keep }
  }

/**
 * A store in the `localStorage` of the browser. If it is forbidden or full, the client works without it.
 *
 * @param storage a different storage with the same methods, such as `sessionStorage`
 * @example createClient({ sdkKey, baseUrl, store: localStorageStore() })
 */
export const localStorageStore = (storage?: Pick<Storage, 'getItem' | 'setItem'>): Store =>
  createStore({
    // Looked up on use: if a page is not allowed to store anything, reading `localStorage` throws.
    load: (key) => (storage ?? localStorage).getItem(key),
    save: (key, text) => (storage ?? localStorage).setItem(key, text),
  })
