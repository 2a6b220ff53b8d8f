import { readNames } from './project-names.ts'
import type { Session } from './session.ts'

const idOrShortId = /^(\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The id of an audience or a segment that is called by id, short id, key or name. Ids and short ids need no look-up. */
export async function idCalled(session: Session, kind: 'audiences' | 'segments', called: string): Promise<string> {
  if (idOrShortId.test(called)) return called
  return (await readNames(session.connection, session.project)).idOf(kind, called)
}
