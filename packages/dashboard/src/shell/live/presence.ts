import { useSyncExternalStore } from 'react'
import type { Presence, PresentPerson } from './live-message.ts'

const present = new Map<string, readonly PresentPerson[]>()
const listeners = new Set<() => void>()
const nobody: readonly PresentPerson[] = []

/** Notes who edits an experiment, as the stream or an answer says. */
export function notePresence({ experimentId, people }: Presence): void {
  present.set(experimentId, people)
  for (const listener of listeners) listener()
}

/** Who edits this experiment now, the person included. */
export const usePresent = (experimentId: string): readonly PresentPerson[] =>
  useSyncExternalStore(listen, () => present.get(experimentId) ?? nobody)

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
