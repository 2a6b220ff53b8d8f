import { type AuditedNoun, auditedNoun } from '../../../catalogue/nouns.ts'
import { holdsScope, type Scope } from '../../../catalogue/scopes.ts'

/** What a stream sends about an audit entry: the fact that something changed, without its content. */
export interface Change {
  /** The number of the audit entry. */
  seq: number
  at: Date
  kind: AuditedNoun
  id: string
  action: string
  projectId: string | null
  by: { type: string; id: string | null; name: string }
  requestId: string | null
}

/** What decides which changes are sent to a person. */
export interface Reader {
  userId: string
  scopes: ReadonlySet<Scope>
  /** Null means all projects of the organization. */
  projects: ReadonlySet<string> | null
}

/** Readers of the audit log are notified of every kind. */
export function isToldTo({ kind, id, projectId, by }: Change, { userId, scopes, projects }: Reader): boolean {
  if (projectId !== null && projects !== null && !projects.has(projectId)) return false
  if (holdsScope(scopes, 'audit:read')) return true
  const { readBy, liveTo } = auditedNoun(kind)
  return liveTo === 'person' ? id === userId || by.id === userId : holdsScope(scopes, readBy)
}

/** Readers of experiments hear who edits one. */
export const isToldWhoEdits = (
  { projectId }: { projectId: string },
  { scopes, projects }: Pick<Reader, 'scopes' | 'projects'>,
): boolean => holdsScope(scopes, 'experiments:read') && (projects === null || projects.has(projectId))

const decisive: readonly AuditedNoun[] = ['member', 'role', 'user', 'session']

/** Whether it can end sessions or change what a person can see. */
export const decidesWhoSees = ({ kind }: Change): boolean => decisive.includes(kind)

export const seesTheSame = (one: Omit<Reader, 'userId'>, other: Omit<Reader, 'userId'>): boolean =>
  hasTheSame(one.scopes, other.scopes) && hasTheSame(one.projects, other.projects)

const hasTheSame = (one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): boolean =>
  one === null || other === null ? one === other : one.size === other.size && one.isSubsetOf(other)

export function changeFrame({ seq, at, kind, id, action, projectId, by, requestId }: Change): string {
  return `id: ${seq}\ndata: ${JSON.stringify({ kind, id, action, projectId, by, requestId, at })}\n\n`
}

/** Who edits an experiment now. It has no number: a stream that goes on gets it anew. */
export const presenceFrame = (presence: object): string => `event: presence\ndata: ${JSON.stringify(presence)}\n\n`

/** Begins a stream. Changes up to number `upTo` happened before. */
export const readyFrame = (seq: number, upTo: number): string =>
  `event: ready\nid: ${seq}\ndata: ${JSON.stringify({ upTo })}\n\n`

/** The client missed changes before this one: it must read again what it shows. */
export const gapFrame = (seq: number): string => `event: gap\nid: ${seq}\ndata: {}\n\n`

/** A page that opens a stream has read its content shortly before, so a new stream begins a little earlier. */
const lookBackMs = 10_000

/**
 * Where a stream begins, if these are the newest changes: after the last event that the client has seen, or, without
 * one, a few seconds ago. The number is that of the change before. Null if the client must read again what it shows.
 */
export function startOf(
  recent: readonly Pick<Change, 'seq' | 'at'>[],
  lastEventId: string | undefined,
  now: Date,
): number | null {
  const newest = recent.at(-1)?.seq ?? 0
  const first = recent[0]?.seq ?? 1
  if (lastEventId === undefined) {
    const since = now.getTime() - lookBackMs
    return recent.findLast(({ at }) => at.getTime() < since)?.seq ?? first - 1
  }
  const seen = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : -1
  return seen < first - 1 || seen > newest ? null : seen
}
