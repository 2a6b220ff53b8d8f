import { doorName } from '../engine/door.ts'

/** The memory of this tab, for the site's own pages. A browser can refuse its storage: then nothing is kept. */
export function memoryOf(page: Window) {
  const safely = <Result>(work: (storage: Storage) => Result): Result | undefined => {
    try {
      return work(page.sessionStorage)
    } catch {
      return undefined
    }
  }
  return {
    /** What opens the bridge on the next page: `svc-preview=<secret>` or `svc-editor=<code>`. Null: nothing does. */
    setDoor: (opened: string | null) =>
      safely((storage) => (opened === null ? storage.removeItem(doorName) : storage.setItem(doorName, opened))),
    get: (name: string): string | null => safely((storage) => storage.getItem(name)) ?? null,
    set: (name: string, value: string) => safely((storage) => storage.setItem(name, value)),
    remove: (name: string) => safely((storage) => storage.removeItem(name)),
  }
}
