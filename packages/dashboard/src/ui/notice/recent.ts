import { useSyncExternalStore } from 'react'

export interface Recent {
  id: number
  message: string
  /** ISO 8601, as `Time` takes it. */
  at: string
  /** What the button of `undo` says. */
  verb: string
  /** Takes back what was done, once. */
  undo?: (() => unknown) | undefined
}

const keptMs = 10 * 60_000
const keptMax = 10

let all: readonly Recent[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Keeps a message and its Undo for 10 minutes, longer than it is shown. Returns its id. */
export function keepRecent(message: string, verb: string, undo?: () => unknown): number {
  lastId += 1
  const id = lastId
  set([{ id, message, verb, undo, at: new Date().toISOString() }, ...all].slice(0, keptMax))
  setTimeout(() => forgetRecent(id), keptMs)
  return id
}

export const forgetRecent = (id: number): void => set(all.filter((each) => each.id !== id))

/** Takes back the latest action that can be. False if there is none. */
export function undoLatest(): boolean {
  const latest = all.find(({ undo }) => undo !== undefined)
  latest?.undo?.()
  return latest !== undefined
}

/** For the next person at this browser. */
export const forgetAllRecent = (): void => set([])

/** What was done in the last 10 minutes, the latest first. */
export const useRecent = (): readonly Recent[] => useSyncExternalStore(subscribe, () => all)

function set(next: readonly Recent[]): void {
  all = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
