import { type Kind as Called, looksLikeKey, readNames } from './project-names.ts'
import type { Session } from './session.ts'

/** The id of what is called by id, short id, key or name. Only a name needs a look-up. */
export async function idCalled(session: Session, kind: Called, called: string): Promise<string> {
  if (looksLikeKey(called)) return called
  return (await readNames(session.connection, session.project)).idOf(kind, called)
}
