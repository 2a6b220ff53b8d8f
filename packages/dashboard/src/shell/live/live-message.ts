import { nouns } from '@svc/client'
import type { Refreshes } from '../wing.ts'

/** A change as the service announces it: who changed what, without content. */
export interface Change {
  kind: string
  id: string
  action: string
  projectId: string | null
  by: { type: string; id: string | null; name: string }
  requestId: string | null
  at: string
}

/** What the tab that reads the stream hands on to the others. */
export type LiveEvent =
  | { type: 'change'; id: string; change: Change }
  /** The stream is open. Changes up to the number `upTo` happened before. */
  | { type: 'ready'; id: string; upTo: number }
  /** Changes are missing. */
  | { type: 'gap'; id: string }
  | { type: 'presence'; presence: Presence }
  /** There is no stream now. Refused: the session can have ended. */
  | { type: 'lost'; isRefused: boolean }

/** Who edits a web experiment now. */
export interface Presence {
  experimentId: string
  people: readonly PresentPerson[]
}

export interface PresentPerson {
  userId: string
  name: string
  variationKey: string
  /** In the form of the dashboard, or in the visual editor. */
  place: 'FORM' | 'EDITOR'
}

/** What is known of a query: the key as `['get', path, { params }]`, and when it was read. */
export interface Reading {
  queryKey: readonly unknown[]
  readAt: number
}

/** Whether this was read before the change and can differ now. */
export function isOutdated(
  { queryKey, readAt }: Reading,
  { change: { kind, projectId }, since }: { change: Change; since: number },
  refreshes: Refreshes,
): boolean {
  const [method, path, options] = queryKey
  if (method !== 'get' || readAt > since || !refreshes[kind as keyof Refreshes]?.includes(String(path))) return false
  const read = (options as { params?: { path?: { projectId?: string } } } | undefined)?.params?.path?.projectId
  return read === undefined || projectId === null || !isId(read) || read === projectId
}

const isId = (name: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(name)

const verbs: Record<string, string> = {
  create: 'created',
  delete: 'deleted',
  archive: 'archived',
  unarchive: 'unarchived',
  run: 'ran',
  pause: 'paused',
  publish: 'published',
}

/** For screen readers, about the object that is on the screen. */
export function sentenceOf({ kind, action, by }: Change): string {
  const verb = verbs[action.slice(action.indexOf('.') + 1)] ?? 'changed'
  const noun = kind in nouns ? nouns[kind as keyof typeof nouns].label.toLowerCase() : 'page'
  return `${by.name} ${verb} this ${noun}.`
}

/** A deletion is announced at once, because what is typed cannot be saved any more. */
export const isDeletion = ({ action }: { action: string }): boolean => action.endsWith('.delete')

/** When a sentence can be spoken: at most one in ten seconds. */
export const speakAt = (lastSpokenAt: number, now: number): number => Math.max(now, lastSpokenAt + betweenSentencesMs)

const betweenSentencesMs = 10_000
