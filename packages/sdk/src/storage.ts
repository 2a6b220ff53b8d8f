import type { DataFile } from '@svc/core'
import { maxDataFileBytes } from '@svc/core'
import { withDeadline } from './deadline.ts'
import type { Store } from './host.ts'

/** Keeps one text by name across restarts. Both methods may wait; what they throw goes to the client's logger. */
export interface Shelf {
  /** The text kept under this key; null or undefined where there is none. */
  load(key: string): string | null | undefined | Promise<string | null | undefined>
  /** Replaces the text as a whole, so that a crash in the middle leaves the old one or the new one. */
  save(key: string, text: string): unknown
}

/**
 * A store of your own: a shelf with two methods. The client reads it at its start and writes each revision that it
 * takes. Before it writes it reads again, and a newer file of another process is taken rather than overwritten.
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

    // Not among the client's requests: what a program saves it may still save after `close()`.
    const wait = (work: unknown): Promise<unknown> =>
      withDeadline(async () => work, settings.requestTimeoutMs, new Set(), platform)

    const recall = async (): Promise<void> => {
      try {
        const loaded = shelf.load(key)
        // A text that is there at once is served at once.
        const text = typeof loaded === 'object' ? await wait(loaded) : loaded
        if (text === null || text === undefined) return
        if (typeof text !== 'string' || text.length > maxDataFileBytes)
          throw new Error(`not a text of up to ${maxDataFileBytes} characters`)
        if (host.restore(text)) stored = host.held()?.file
      } catch (fault) {
        failed(fault)
      }
    }

    const save = async (file: DataFile): Promise<void> => {
      const saved = async () => shelf.save(key, JSON.stringify(file))
      const saving = saved()
      await wait(saving).catch(failed)
      // However long it takes: a slow one that ended behind the next would put an older file in its place.
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
      // Where that failed, the next answer of the service is time enough.
      if (host.held()?.file !== next) keep()
    }
    return { recalled, keep }
  }

/**
 * Keeps the data file in the browser's `localStorage`. Where that is forbidden or full, the client goes on without.
 *
 * @param storage another storage of that shape, `sessionStorage` for one
 * @example createClient({ sdkKey, baseUrl, store: localStorageStore() })
 */
export const localStorageStore = (storage?: Pick<Storage, 'getItem' | 'setItem'>): Store =>
  createStore({
    // Looked up when it is used: where a page may store nothing, the very name throws.
    load: (key) => (storage ?? localStorage).getItem(key),
    save: (key, text) => (storage ?? localStorage).setItem(key, text),
  })
